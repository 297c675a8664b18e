/** What is told of a game: what a later sentence says as well, what one before has said, or what nothing has come of, is left out (pure). */

import { QUIET, isStory, kindOf } from "./kinds.js";

/** @typedef {{version: number, event: any}} Line an event and where it stands. */

/** The events that are told so far, as they are told one after another. */
export class Story {
  /** @type {Line[]} */
  #told = [];
  #log;

  /** @param {import("../games/contract.js").GameLog} log the game's. */
  constructor(log) {
    this.#log = log;
  }

  /**
   * Tell one more; the engine's own notes are no part of a story.
   *
   * @param {Line} line
   * @returns {Line[]} those before it that need not be told any more, or itself, if it need not be.
   */
  tell(line) {
    // What is said at the table, or done from outside, stands beside the story and does not come between.
    if (kindOf(line.event.type, this.#log) === QUIET || !isStory(line.event.type, this.#log)) {
      return [];
    }
    const before = this.#told.at(-1)?.event;
    if (before !== undefined && this.#log.echoed(line.event, before)) {
      return [line];
    }
    const over = [];
    for (let run = this.#lastRun(); run.length > 0; run = this.#lastRun()) {
      const kept = run.filter(({ event }) => !this.#log.repeated(event, line.event));
      this.#told.splice(-run.length, run.length, ...kept);
      over.push(...run.filter((each) => !kept.includes(each)));
      if (kept.length > 0) {
        break;
      }
    }
    this.#told.push(line);
    return over;
  }

  /** Those at the end that are of one type: what several players have done, whoever was the last. */
  #lastRun() {
    const type = this.#told.at(-1)?.event.type;
    return this.#told.slice(this.#told.findLastIndex(({ event }) => event.type !== type) + 1);
  }
}

/**
 * What a stretch of a log tells.
 *
 * @param {any} timeline
 * @param {{from: number, to: number}} stretch the events after `from` up to `to`.
 * @param {import("../games/contract.js").GameLog} log the game's.
 * @returns {Line[]}
 */
export function told(timeline, { from, to }, log) {
  const story = new Story(log);
  /** @type {Set<Line>} */
  const lines = new Set();
  for (let version = from + 1; version <= to; version += 1) {
    const line = timeline.line(version);
    if (line !== null && kindOf(line.event.type, log) !== QUIET) {
      lines.add(line);
      story.tell(line).forEach((each) => lines.delete(each));
    }
  }
  return [...lines];
}

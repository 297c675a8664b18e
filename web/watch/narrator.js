/** Says what a step did: beside the board, and to screen readers, not faster than these can speak. */

import { isHeadline } from "./kinds.js";
import { lastLines } from "./log-text.js";
import { told } from "./story.js";

/** @import { Controller } from "./controller.js" */

/** So many lines are told; the log has the others. */
const MOST = 4;
const PAUSE_MS = 1800;

/** Tells steps in words. */
export class Narrator {
  /**
   * @param {Controller} controller
   * @param {{textOf: (version: number) => string, say: (text: string) => void,
   *   log: import("../games/contract.js").GameLog}} options `log` is the game's.
   */
  constructor(controller, { textOf, say, log }) {
    this.controller = controller;
    this.textOf = textOf;
    this.say = say;
    this.log = log;
    this.spoken = 0;
    this.silentUntil = 0;
  }

  /**
   * What is said of the events after `from` up to `to`, the last few of many, as the log has it.
   *
   * @returns {Array<{version: number, text: string}>}
   */
  told(from, to) {
    const lines = told(this.controller.timeline, { from, to }, this.log);
    const said = lines.slice(-MOST).map(({ version }) => ({ version, text: this.textOf(version) }));
    const { length } = lastLines(said.map(({ text }) => text), MOST);
    return said.slice(said.length - length);
  }

  /** Say what is new; while playing, what matters, and not all the time. */
  speak() {
    const { controller } = this;
    const { shown, timeline, playing } = controller;
    if (shown === this.spoken) {
      return;
    }
    const from = shown > this.spoken && this.spoken > 0 ? this.spoken : timeline.previousStep(shown);
    const near = Math.max(from, timeline.previousStep(shown));
    const headline = this.#headline(from, shown);
    if (playing && (Date.now() < this.silentUntil || headline === null) && shown < controller.last) {
      return;
    }
    this.spoken = shown;
    this.silentUntil = Date.now() + PAUSE_MS;
    this.say(playing && headline !== null ? headline : this.told(near, shown).map(({ text }) => text).join(" "));
  }

  #headline(from, to) {
    for (let version = to; version > from; version -= 1) {
      const line = this.controller.timeline.line(version);
      if (line !== null && isHeadline(line.event.type, this.log)) {
        return this.textOf(version);
      }
    }
    return null;
  }
}

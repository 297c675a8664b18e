/** Turns and phases of a log, told from its events alone (pure). */

/** Where every log begins. */
export const OPENING = { turn: 0, part: "table" };

/** Where a log goes on whose earlier events are not there. @param {number|null|undefined} turn of the table by then, if it has had one. */
export const resumed = (turn) => (turn ? { turn, part: "begin" } : OPENING);

const PARTS = { "table-started": "play", "table-closed": "end" };

/**
 * The chapter to which an event belongs.
 *
 * @param {{turn: number, part: string}} before the chapter of the event before it.
 * @param {object} event
 * @param {import("../games/contract.js").GameLog} log the game's.
 * @returns {{turn: number, part: string}} `part` is "table", "play", "begin" (of a turn), "end" or the game's own; the same
 *   object where nothing changes.
 */
export function chapterAfter(before, event, log) {
  const part = PARTS[event.type];
  /** @type {{turn?: number, part: string}|null} */
  const begun = log.chapter(event) ?? (part === undefined ? null : { part });
  if (begun === null || (begun.turn === undefined && begun.part === before.part)) {
    return before;
  }
  return { turn: begun.turn ?? before.turn, part: begun.part };
}

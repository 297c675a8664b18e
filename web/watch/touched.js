/** What some events concern on the board: for the rings round what has just changed (pure). */

import { seen } from "../fold/lines.js";

const CELLS = ["cell", "first", "second", "moved_from"];

/**
 * Cells, lines and characters that the events after `from` up to `to` name.
 *
 * @param {Timeline} timeline
 * @param {number} from
 * @param {number} to
 * @returns {string[]} as the board's `changed` wants them.
 */
export function touched(timeline, from, to) {
  const found = new Set();
  for (let version = from + 1; version <= to; version += 1) {
    const line = timeline.line(version);
    const event = line === null ? {} : seen(line);
    CELLS.filter((name) => event[name]).forEach((name) => found.add(event[name]));
    if (event.type === "line-shifted") {
      found.add(event.line);
    }
    if (event.type === "character-moved" || event.type === "action-revealed" || event.type === "action-lost") {
      found.add(event.character);
    }
  }
  return [...found];
}

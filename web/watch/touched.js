/** What some events concern on the board: for the rings round what has just changed (pure). */

import { seen } from "../fold/lines.js";

/**
 * The targets that the events after `from` up to `to` change.
 *
 * @param {import("../fold/timeline.js").Timeline} timeline
 * @param {number} from
 * @param {number} to
 * @param {(event: Object) => string[]} touchedBy see `GameBoard.touched`.
 * @returns {string[]} as the board's `changed` wants them.
 */
export function touched(timeline, from, to, touchedBy) {
  if (lays(timeline, from, to)) {
    return [];
  }
  const found = new Set();
  for (let version = from + 1; version <= to; version += 1) {
    const line = timeline.line(version);
    if (line !== null) {
      touchedBy(seen(line)).forEach((target) => found.add(target));
    }
  }
  return [...found];
}

/** Whether what happened between two versions laid a branch: all of another game at once, which is how this one begins and no change of it. */
function lays(timeline, from, to) {
  return Boolean(timeline.at(to).origin) && from >= timeline.first && ["none", "open"].includes(timeline.at(from).phase);
}

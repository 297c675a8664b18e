/** Where a game has turned (pure): the step with the weightiest events, of equal ones the last. */

import { seen } from "../fold/lines.js";

/**
 * The version at which the turning point is over.
 *
 * @param {import("../fold/timeline.js").Timeline} timeline
 * @param {number} last the last version that is here.
 * @param {import("../games/contract.js").GameLog} log the game's.
 * @returns {{at: number, version: number}|null} `at` shows the step, `version` is of its weightiest event; null: nothing has turned.
 */
export function turningPoint(timeline, last, log) {
  let best = null;
  for (let at = timeline.first; at < last; ) {
    const next = Math.max(timeline.nextStep(at), at + 1);
    const found = weightiest(timeline, at, Math.min(next, last), log);
    // What ended the game is its turning point only if nothing else was.
    if (found !== null && (best === null || (found.sum >= best.sum && timeline.at(found.at).phase !== "finished"))) {
      best = found;
    }
    at = next;
  }
  return best && { at: best.at, version: best.version };
}

function weightiest(timeline, from, to, log) {
  let [sum, most, version] = [0, 0, 0];
  for (let at = from + 1; at <= to; at += 1) {
    const line = timeline.line(at);
    const weight = line === null ? 0 : log.weight(seen(line));
    sum += weight;
    if (weight > most) {
      [most, version] = [weight, at];
    }
  }
  return sum === 0 ? null : { sum, at: to, version };
}

/** How far somebody has come in a lesson: a fold of the table's log, so that a page that is loaded anew says the same (pure). */

import { seen } from "../fold/lines.js";

/**
 * @param {import("../games/contract.js").Lesson} lesson
 * @param {{last: number, line: (version: number) => any, at: (version: number) => any}} timeline
 * @returns {{done: number, other: boolean, stuck: boolean}} `done`: how many steps; `other`: the learner has just done something else than
 *   the hint says; `stuck`: it cannot be gone on with.
 */
export function progressOf({ steps, isAct }, timeline) {
  let done = 0;
  let other = false;
  for (let version = 2; version <= timeline.last && done < steps.length; version += 1) {
    const line = timeline.line(version);
    const before = timeline.at(version - 1);
    if (line === null || before.phase !== "live") {
      continue;
    }
    const event = seen(line);
    if (steps[done].done(event, before.play)) {
      done += 1;
      other = false;
    } else if (isAct(event)) {
      other = !steps[done].fits(event, before.play);
    }
  }
  const { phase, play } = timeline.at(timeline.last);
  const stuck = done < steps.length && (phase === "finished" || (phase === "live" && steps[done].stuck(play)));
  return { done, other, stuck };
}

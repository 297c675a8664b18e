/** How fast a game is played on by itself. */

import { REAL_TIME, SPEEDS } from "./place.js";

const STEP_MS = 1000;
const SHORTEST_MS = 120;
const LONGEST_MS = 8000;

/** The next faster (1) or slower (-1) speed, the same at either end. */
export function shiftedSpeed(speed, direction) {
  const index = SPEEDS.indexOf(speed === REAL_TIME ? 1 : speed) + direction;
  return SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, index))];
}

/** How long the picture of a version stays, in milliseconds. */
export function dwellMs(timeline, version, speed) {
  if (speed !== REAL_TIME) {
    return Math.max(SHORTEST_MS, STEP_MS / speed);
  }
  const next = timeline.nextStep(version);
  const gap = next > version ? timeline.line(next).at - (timeline.line(version)?.at ?? 0) : STEP_MS;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, gap));
}

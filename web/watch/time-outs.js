/** Whose time was over, as the log tells it (pure). */

/** @import { Line } from "../fold/lines.js" */
/** @import { Timeline } from "../fold/timeline.js" */

/**
 * Whether the time of a seat ran out in the wait that was on at a version. Whoever has answered in time is not named, though others are late.
 *
 * @param {Timeline} timeline
 * @param {number} seat
 * @param {number} version at which the seat was asked.
 */
export function ranOut(timeline, seat, version) {
  if (version < timeline.first || version > timeline.last) {
    return false; // that part of the log is not here, or was lost
  }
  const key = timeline.at(version).clock?.key;
  for (let next = version + 1; next <= timeline.last; next += 1) {
    const { event } = /** @type {Line} */ (timeline.line(next));
    if (event.type === "clock-started" && event.key !== key) {
      return false;
    }
    if (event.type === "seat-timed-out" && event.seat === seat) {
      return true;
    }
  }
  return false;
}

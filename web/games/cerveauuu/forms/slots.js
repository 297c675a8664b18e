/**
 * When answers to a window leave the page (pure): whatever is answered, and whether there was anything to think about, it goes
 * at the end of a slot of time counted from the window's opening. So the moment tells nothing of a hand.
 */

/** The longest slot. */
const SLOT_MS = 4000;
/** How much of a slot a short limit has: three of them fit into it. */
const PARTS = 3;
/** So long before the limit the last answer goes, to be there in time. */
const SPARE_MS = 800;

/**
 * The moment at which an answer is sent.
 *
 * @param {{opened: number, due: number, now: number}} given milliseconds of the service's clock: when the version of the
 *   window opened, when its limit ends, when the player has answered.
 * @returns {number} not before `now`.
 */
function sendingTime({ opened, due, now }) {
  const slot = Math.min(SLOT_MS, (due - opened) / PARTS);
  if (!(slot > 0)) {
    return now;
  }
  const end = opened + slot * Math.max(1, Math.ceil((now - opened) / slot));
  return Math.max(now, Math.min(end, due - SPARE_MS));
}

/**
 * A state that is older than the decision has the clock of another window: then the limit says when this one opened.
 *
 * @type {import("../../contract.js").GameForms["moment"]}
 */
export function moment(decision, state, now) {
  const due = decision.deadline;
  if (decision.kind !== "respond" || !due || !state) {
    return null;
  }
  const opened = state.clock?.due === due ? state.clock.since : due - 1000 * state.time.limits_s.response;
  return sendingTime({ opened, due, now });
}

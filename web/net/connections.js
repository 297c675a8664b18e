/** Which of the people at a table are connected, as its players are told; seats are marked with it wherever they are drawn. */

import { get } from "./api.js";
import { pause } from "./pause.js";
import { isPassing } from "./problem.js";

/** Often enough for whoever wonders why nothing happens. */
const EVERY_MS = 10_000;

/** @type {Map<number, "here"|"away"|"disconnected">} */
let known = new Map();
let changes = 0;

/**
 * How the player of a seat at the table on the page is connected.
 *
 * @param {number} seat
 * @returns {"here"|"away"|"disconnected"|null} null: not known, or nobody's concern.
 */
export function connectionOf(seat) {
  return known.get(seat) ?? null;
}

/** A number that grows whenever `connectionOf` may say something else. */
export function connectionChanges() {
  return changes;
}

/**
 * Ask how everybody at a table is connected, again and again while somebody looks at the page.
 *
 * @param {string} game
 * @param {{onChange: () => void, signal: AbortSignal}} options `signal` ends it; then nothing is known any more.
 * @returns {Promise<void>} settles when it has ended, or was refused for good.
 */
export async function followConnections(game, { onChange, signal }) {
  signal.addEventListener("abort", () => learn([]));
  while (!signal.aborted) {
    if (!document.hidden) {
      try {
        const { body } = await get(`/v1/games/${encodeURIComponent(game)}/connections`, { signal });
        !signal.aborted && learn(body.seats) && onChange();
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        // The stream says that the service is out of reach; what was known before is no news.
        learn([]) && onChange();
        if (!isPassing(error)) {
          return;
        }
      }
    }
    await untilNext(signal);
  }
}

/** @returns {boolean} whether something is new. */
function learn(seats) {
  const before = JSON.stringify([...known]);
  known = new Map(seats.map(({ seat, connection }) => [seat, connection]));
  const changed = before !== JSON.stringify([...known]);
  changes += changed ? 1 : 0;
  return changed;
}

/** A while, or until somebody looks again. */
async function untilNext(signal) {
  const looks = new AbortController();
  const onShow = () => document.hidden || looks.abort();
  document.addEventListener("visibilitychange", onShow, { signal: AbortSignal.any([looks.signal, signal]) });
  try {
    await pause(EVERY_MS, AbortSignal.any([looks.signal, signal]));
  } catch {
    // Somebody looks, or it is over; the loop asks which.
  }
  looks.abort();
}

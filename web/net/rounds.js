/** Reads something again and again, the more seldom the longer it fails, and never sooner than the service asks for. */

import { Problem } from "./problem.js";

const LONGEST_MS = 60_000;

/**
 * @param {() => Promise<void>} refresh a round.
 * @param {object} how
 * @param {AbortSignal} how.signal ends it.
 * @param {number} how.every milliseconds between rounds, as long as none fails.
 * @param {(ms: number) => Promise<void>} how.rest waits for the next round.
 * @param {(problem: Problem|null) => Promise<void>|void} how.tell what is the matter; null: nothing any more.
 * @throws whatever is no problem of the service or of the way to it.
 */
export async function inRounds(refresh, { signal, every, rest, tell }) {
  let failures = 0;
  while (!signal.aborted) {
    let asked = 0;
    try {
      await refresh();
      failures = 0;
      await tell(null);
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (!(error instanceof Problem)) {
        throw error;
      }
      failures += 1;
      asked = 1000 * (error.retryAfter ?? 0);
      await tell(error);
    }
    await rest(Math.max(asked, Math.min(LONGEST_MS, every * 2 ** failures)));
  }
}

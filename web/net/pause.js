/** Waiting, which somebody may cut short. */

/** @import { Problem } from "./problem.js" */

const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/**
 * Wait for a while.
 *
 * @param {number} ms milliseconds.
 * @param {AbortSignal} [signal] ends it early, by throwing its reason.
 * @returns {Promise<void>}
 */
export function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/**
 * How long to wait before what has failed is tried again: the longer the more often, and never less than the service asks for. Spread, so
 * that a thousand pages do not come back at once.
 *
 * @param {number} failures one after another.
 * @param {Problem} [problem] the last one.
 * @returns {number} milliseconds.
 */
export function pauseAfter(failures, problem) {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** failures);
  return Math.max(ceiling * (0.5 + Math.random() / 2), 1000 * (problem?.retryAfter ?? 0));
}

/**
 * Wait, but not when the network has just come back or the reader looks again; a wait that the service asks for is kept.
 *
 * @param {number} ms milliseconds.
 * @param {Problem|undefined} problem what has failed.
 * @param {AbortSignal} signal ends it: the caller looks.
 */
export async function untilWorthTrying(ms, problem, signal) {
  const waker = new AbortController();
  const wake = () => {
    if (!problem?.retryAfter && document.visibilityState === "visible") {
      waker.abort();
    }
  };
  addEventListener("online", wake);
  document.addEventListener("visibilitychange", wake);
  try {
    await pause(ms, AbortSignal.any([signal, waker.signal]));
  } catch {
    // Woken, or over: the caller looks which.
  } finally {
    removeEventListener("online", wake);
    document.removeEventListener("visibilitychange", wake);
  }
}

/** A rest between rounds, which may be cut short. */
export class Rest {
  #wake = () => {};

  /** End the rest that is being taken, if any. */
  wake() {
    this.#wake();
  }

  /**
   * Rest until somebody wakes it, or all is over: the caller looks which.
   *
   * @param {number} ms milliseconds.
   * @param {AbortSignal} over
   */
  async take(ms, over) {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await pause(ms, AbortSignal.any([woken.signal, over])).catch(() => {});
  }
}

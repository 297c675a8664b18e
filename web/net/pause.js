/** Waiting, which somebody may cut short. */

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

/** An answer on its way: where the service does not take it, it is given again under the same key, and so happens once. */

import { newKey } from "../net/api.js";

/** @typedef {{option: string, key: string}} Sent an option, and the key under which it was sent. */

/** One answer until the service has taken or refused it. */
export class Sending {
  #end = new AbortController();
  #once = false;

  /**
   * @param {{decision: any, option: any, before: Sent|null, onWait: () => void}} given `before` is what was sent last and never answered;
   *   `onWait` is called once, when the service has not taken the answer.
   */
  constructor({ decision, option, before, onWait }) {
    this.id = decision.id;
    this.option = option;
    this.onWait = onWait;
    /** @type {Sent} */
    this.sent = before !== null && before.option === option.id ? before : { option: option.id, key: newKey() };
    /** Whether it is to be given again. */
    this.again = false;
    /** Give it no more, because its player says so: then `post` throws why it was not taken. */
    this.stop = () => {};
  }

  /** Whether it was given up. */
  get givenUp() {
    return this.#end.signal.aborted;
  }

  /**
   * Send it.
   *
   * @param {{post: (path: string, body: any, options: {key: string, signal: AbortSignal, onWait: (giveUp: () => void) => void}) => Promise<{body: any}>}} api
   * @param {string} path
   * @returns {Promise<any>} the receipt.
   * @throws {Problem} refused, stopped, or out of reach for a minute.
   */
  async post(api, path) {
    const { body } = await api.post(path, { option: this.option.id }, { key: this.sent.key, signal: this.#end.signal, onWait: (giveUp) => this.#wait(giveUp) });
    return body;
  }

  /** Give it no more than once: what is on its way may arrive, even when nobody waits for its receipt. */
  end() {
    this.#once = true;
    if (this.again) {
      this.#end.abort();
    }
  }

  #wait(giveUp) {
    this.stop = giveUp;
    if (this.#once) {
      this.#end.abort();
    } else if (!this.again) {
      this.again = true;
      this.onWait();
    }
  }
}

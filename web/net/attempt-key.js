/** The key of a command that may be tried again: the same wish is the same attempt, and so happens once. */

import { newKey } from "./api.js";

export class AttemptKey {
  #wish = /** @type {string|null} */ (null);
  #key = "";

  /** The key under which a wish is sent: that of the last attempt, where it is the same again. @param {string} wish */
  of(wish) {
    if (wish !== this.#wish) {
      this.#wish = wish;
      this.#key = newKey();
    }
    return this.#key;
  }
}

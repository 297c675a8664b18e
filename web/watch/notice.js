/** What is said over a table: for a while, or until something else is said. */

import { announce } from "../dom.js";

/** How long something stays that is said for a while: it may offer something to do. */
const SHOWN_MS = 12_000;

/** @typedef {{text: string, act?: {text: string, run: () => void}}} Said `act`: what one may do about it. */

export class Notice {
  #said;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #end = undefined;

  /**
   * @param {Said|null} said what there is to say at first.
   * @param {() => void} onChange what was said for a while comes and goes.
   */
  constructor(said, onChange) {
    this.#said = said;
    this.onChange = onChange;
  }

  /** What is said now; null: nothing. */
  get said() {
    return this.#said;
  }

  /** Say something until something else is said; null: nothing. Whoever calls this draws it. @param {Said|null} said */
  put(said) {
    clearTimeout(this.#end); // what was said for a while takes nothing with it
    this.#said = said;
  }

  /** Say something aloud, and leave it on the page for a while. @param {Said} said */
  tell(said) {
    this.put(said);
    announce(said.text);
    this.onChange();
    this.#end = setTimeout(() => {
      this.put(null);
      this.onChange();
    }, SHOWN_MS);
  }

  stop() {
    clearTimeout(this.#end);
  }
}

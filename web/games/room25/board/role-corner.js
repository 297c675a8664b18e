/** A role that has been opened: a button in the board's free corner, which shows it as long as it is held. Nothing of the button tells which role it is. */

import { clear, h } from "../../../dom.js";
import { t } from "../../../words.js";
import { pictogram } from "./pictograms.js";
import { roleFaces } from "./role-face.js";

/** @import { ComplexBook } from "../words/book.js" */

const PRESSES = new Set(["Enter", " "]);

export class RoleCorner {
  #over = new AbortController();
  #held = false;
  /** Whether a finger, a mouse or a key is what the next click comes from; assistive technology clicks without. */
  #pressed = false;

  /** @param {ComplexBook} book */
  constructor(book) {
    this.book = book;
    this.mine = /** @type {any[]} */ ([]);
    const text = t("room25/board.secret.peek");
    this.peek = h("button", { type: "button", class: "b-role-peek", "aria-label": text, title: text }, pictogram("sign", "shield"));
    this.face = h("div", { class: "b-role-face", "aria-live": "polite" });
    this.element = h("section", { class: "b-role-corner", hidden: true, "aria-label": t("room25/board.secret.label") }, this.peek, this.face);
    this.#listen();
  }

  /** Offer the roles of these characters to be held; none: there is nothing to hold. */
  show(mine) {
    this.mine = mine;
    this.element.hidden = mine.length === 0;
    this.#hold(false);
  }

  focus() {
    this.peek.focus({ preventScroll: true });
  }

  destroy() {
    this.#over.abort();
    this.element.remove();
  }

  #hold(held) {
    this.#held = held;
    clear(this.face).append(...(held ? roleFaces(this.mine, this.book) : []));
  }

  #listen() {
    const { signal } = this.#over;
    const on = (target, types, act) => types.forEach((type) => target.addEventListener(type, act, { signal, passive: false }));
    const press = () => {
      this.#pressed = true;
      this.#hold(true);
    };
    on(this.peek, ["pointerdown"], press);
    on(this.peek, ["keydown"], (event) => PRESSES.has(event.key) && !event.repeat && press());
    on(this.peek, ["pointerup", "pointercancel", "pointerleave", "keyup", "blur"], () => this.#held && this.#hold(false));
    // A finger that holds it steps through nothing, wherever it goes.
    on(this.peek, ["touchstart"], (event) => event.stopPropagation());
    on(this.peek, ["contextmenu"], (event) => event.preventDefault());
    on(this.peek, ["click"], () => {
      if (!this.#pressed) {
        this.#hold(!this.#held);
      }
      this.#pressed = false;
    });
    on(document, ["visibilitychange"], () => this.#hold(false));
  }
}

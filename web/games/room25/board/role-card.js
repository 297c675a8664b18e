/**
 * One's own secret role: sealed until it is opened, and afterwards shown only as long as one holds it, so that nobody who
 * looks over a shoulder learns it. What stands elsewhere on the page leaves it out as long as `isSealed` says so.
 */

import { clear, h } from "../../../dom.js";
import { read, write } from "../../../net/storage.js";
import { seatOf } from "../../../viewer.js";
import { t } from "../../../words.js";

/** @import { ComplexBook } from "../words/book.js" */

/** The tables whose card this browser has opened, by their fingerprints, and how many of them it remembers. */
const KEY = "parlour.roles";
const KEPT = 20;
const PRESSES = new Set(["Enter", " "]);

/**
 * Whether a character's role is to be seen on the card only.
 *
 * @param {{seat: number, role: string|null, role_public: boolean}} character
 * @param {{viewer: string, running: boolean}} now
 */
export function isSealed({ seat, role, role_public: open }, { viewer, running }) {
  return running && seat === seatOf(viewer) && Boolean(role) && !open;
}

/**
 * @param {{book: ComplexBook}} options
 * @returns {import("../../contract.js").Part}
 */
export function createRoleCard({ book }) {
  const card = new RoleCard(book);
  return { element: card.element, update: (state, now) => card.update(state, now), destroy: () => card.destroy() };
}

class RoleCard {
  #over = new AbortController();
  #table = "";
  #drawn = "";
  /** Whether it lies open until it is shut, as after it was unsealed. */
  #open = false;
  #held = false;
  /** Whether a finger, a mouse or a key is what the next click comes from; assistive technology clicks without. */
  #pressed = false;

  /** @param {ComplexBook} book */
  constructor(book) {
    this.book = book;
    this.mine = /** @type {any[]} */ ([]);
    this.seal = h("button", { type: "button", class: "b-role-seal", onclick: () => this.#unseal() }, h("b", {}, t("room25/board.secret.sealed")), h("span", {}, t("room25/board.secret.open")));
    this.face = h("div", { class: "b-role-face", "aria-live": "polite" });
    this.shut = h("button", { type: "button", class: "b-role-shut", onclick: () => this.#shut() }, t("room25/board.secret.shut"));
    this.peek = h("button", { type: "button", class: "b-role-peek" }, t("room25/board.secret.peek"));
    this.element = h("section", { class: "b-role-card", hidden: true, "aria-label": t("room25/board.secret.label") }, this.seal, this.peek, this.face, this.shut);
    this.#listen();
  }

  /** @type {import("../../contract.js").Part["update"]} */
  update(state, now) {
    const mine = Object.values(state.play?.characters ?? {}).filter((each) => isSealed(each, now));
    this.element.hidden = mine.length === 0;
    const key = `${state.key_hash} ${mine.map(({ id, role }) => `${id} ${role}`).join(", ")}`;
    if (key !== this.#drawn) {
      this.#drawn = key;
      this.#table = state.key_hash;
      this.mine = mine;
      this.#open = false;
      this.#hold(false);
    }
  }

  destroy() {
    this.#over.abort();
    this.element.remove();
  }

  get #isUnsealed() {
    return opened().includes(this.#table);
  }

  #unseal() {
    write(KEY, JSON.stringify([...opened(), this.#table].slice(-KEPT)));
    this.#open = true;
    this.#draw();
    this.shut.focus();
  }

  #shut() {
    this.#open = false;
    this.#draw();
    this.peek.focus({ preventScroll: true }); // it goes back to the others, and what is to be decided stays in sight
  }

  #hold(held) {
    this.#held = held;
    this.#draw();
  }

  #draw() {
    const shown = this.#open || this.#held;
    this.seal.hidden = this.#isUnsealed;
    this.peek.hidden = !this.#isUnsealed || this.#open;
    this.shut.hidden = !this.#open;
    clear(this.face).append(...(shown ? this.mine.map((each) => face(each, this.book, this.mine.length > 1)) : []));
  }

  #listen() {
    const { signal } = this.#over;
    const on = (target, types, act) => types.forEach((type) => target.addEventListener(type, act, { signal }));
    const press = () => {
      this.#pressed = true;
      this.#hold(true);
    };
    on(this.peek, ["pointerdown"], press);
    on(this.peek, ["keydown"], (event) => PRESSES.has(event.key) && !event.repeat && press());
    on(this.peek, ["pointerup", "pointercancel", "pointerleave", "keyup", "blur"], () => this.#held && this.#hold(false));
    on(this.peek, ["contextmenu"], (event) => event.preventDefault());
    on(this.peek, ["click"], () => {
      if (!this.#pressed) {
        this.#hold(!this.#held);
      }
      this.#pressed = false;
    });
    on(document, ["visibilitychange"], () => {
      this.#open = false;
      this.#hold(false);
    });
  }
}

/** The tables whose card was opened here. @returns {string[]} */
function opened() {
  try {
    const kept = JSON.parse(read(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return []; // somebody else has written there: the cards are sealed again
  }
}

/** A role: what it is called, what it may do, and when it wins. */
function face({ id, role }, book, several) {
  const { name, about } = book.role(role);
  const side = role === "prisoner" ? "prisoner" : "guard";
  return h(
    "div",
    { class: `b-role-${side}` },
    several && h("span", {}, book.character(id).name),
    h("b", { class: "b-role-name" }, name),
    h("p", {}, about),
    h("p", {}, t(`room25/board.secret.wins.${side}`)),
  );
}

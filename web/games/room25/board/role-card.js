/**
 * One's own secret role: sealed until it is opened, and afterwards in a corner of the board, shown only as long as one holds it, so that nobody who
 * looks over a shoulder learns it. What stands elsewhere on the page leaves it out as long as `isSealed` says so.
 */

import { clear, h } from "../../../dom.js";
import { read, write } from "../../../net/storage.js";
import { seatOf } from "../../../viewer.js";
import { t } from "../../../words.js";
import { RoleCorner } from "./role-corner.js";
import { roleFaces } from "./role-face.js";

/** @import { ComplexBook } from "../words/book.js" */

/** The tables whose card this browser has opened, by their fingerprints, and how many of them it remembers. */
const KEY = "parlour.roles";
const KEPT = 20;

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
 * The card, which is there until it has been opened and shut, and the corner to which it goes then.
 *
 * @param {{book: ComplexBook}} options
 * @returns {{card: import("../../contract.js").Part, corner: Element}} the card keeps its corner up to date.
 */
export function createRoleCard({ book }) {
  const card = new RoleCard(book);
  return {
    card: { element: card.element, update: (state, now) => card.update(state, now), destroy: () => card.destroy() },
    corner: card.corner.element,
  };
}

class RoleCard {
  #over = new AbortController();
  #table = "";
  #drawn = "";

  /** @param {ComplexBook} book */
  constructor(book) {
    this.book = book;
    this.mine = /** @type {any[]} */ ([]);
    this.corner = new RoleCorner(book);
    this.seal = h("button", { type: "button", class: "b-role-seal", onclick: () => this.#unseal() }, h("b", {}, t("room25/board.secret.sealed")), h("span", {}, t("room25/board.secret.open")));
    this.face = h("div", { class: "b-role-face", "aria-live": "polite" });
    this.shut = h("button", { type: "button", class: "b-role-shut", onclick: () => this.#shut() }, t("room25/board.secret.shut"));
    this.element = h("section", { class: "b-role-card", hidden: true, "aria-label": t("room25/board.secret.label") }, this.seal, this.face, this.shut);
    document.addEventListener("visibilitychange", () => this.#lie(false), { signal: this.#over.signal });
  }

  /** @type {import("../../contract.js").Part["update"]} */
  update(state, now) {
    const mine = Object.values(state.play?.characters ?? {}).filter((each) => isSealed(each, now));
    const key = `${state.key_hash} ${mine.map(({ id, role }) => `${id} ${role}`).join(", ")}`;
    if (key !== this.#drawn) {
      this.#drawn = key;
      this.#table = state.key_hash;
      this.mine = mine;
      this.#lie(false);
    }
  }

  destroy() {
    this.#over.abort();
    this.corner.destroy();
    this.element.remove();
  }

  #unseal() {
    write(KEY, JSON.stringify([...opened(), this.#table].slice(-KEPT)));
    this.#lie(true);
    this.shut.focus();
  }

  #shut() {
    this.#lie(false);
    this.corner.focus();
  }

  /** Lie open until it is shut, as after it was unsealed, or not. */
  #lie(open) {
    const unsealed = opened().includes(this.#table);
    const isDone = unsealed && !open;
    this.element.hidden = this.mine.length === 0 || isDone;
    this.seal.hidden = unsealed;
    this.shut.hidden = !open;
    clear(this.face).append(...(open ? roleFaces(this.mine, this.book) : []));
    this.corner.show(isDone ? this.mine : []);
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

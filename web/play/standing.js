/** What the page answers by itself, because its player has switched that on: which answers, for how long, and the switch. */

import { h } from "../dom.js";
import { t } from "../words.js";

/** The answers that a player has left to the page. */
export class StandingAnswers {
  /** What they last for; null: the player answers. */
  #scope = /** @type {string|null} */ (null);
  /** Decisions that the player has taken in hand all the same. */
  #own = new Set();
  #kept;

  /**
   * @param {import("../games/contract.js").Standing|null} rules what the game lets be left to the page.
   * @param {import("./kept.js").KeptStanding} [kept] what outlives a reload; without it nothing does.
   */
  constructor(rules, kept) {
    this.rules = rules;
    this.#kept = kept;
    const before = rules === null ? null : (kept?.read() ?? null);
    if (before !== null) {
      this.#scope = before.scope;
      this.#own = new Set(before.own);
    }
  }

  get on() {
    return this.#scope !== null;
  }

  /** What may be switched on now; null: nothing. */
  offer(state) {
    return this.rules?.offer(state) ?? null;
  }

  /** The option with which the page answers a decision; null: the player does. */
  answer(decision, state) {
    if (!this.on || decision.answered || this.#own.has(decision.id)) {
      return null;
    }
    const id = this.rules?.answer(decision, state);
    return decision.options.find((option) => option.id === id) ?? null;
  }

  /** From now on for as long as `scope` says, but for decisions that have an answer already; null: no more. */
  set(scope, answered) {
    this.#scope = scope;
    this.#own = new Set(answered);
    this.#keep();
  }

  /** The player sees to a decision. */
  takeInHand(id) {
    this.#own.add(id);
    this.#keep();
  }

  #keep() {
    this.#kept?.write(this.#scope === null ? null : { scope: this.#scope, own: [...this.#own] });
  }

  /** Whether what it was to last for has just ended; then it is off. Before there is a state nobody knows. */
  ends(state) {
    const over = this.on && state !== null && this.offer(state)?.scope !== this.#scope;
    if (over) {
      this.set(null, []);
    }
    return over;
  }
}

/**
 * The switch; false: there is nothing to switch.
 *
 * @param {{offer: {scope: string, text: string}|null, on: boolean, onSwitch: (scope: string|null) => void}} given
 * @returns {HTMLElement|false}
 */
export function standingSwitch({ offer, on, onSwitch }) {
  if (offer === null) {
    return false;
  }
  const change = (event) => onSwitch(event.target.checked ? offer.scope : null);
  const note = on && "standing-note";
  return h(
    "div",
    { class: "p-standing" },
    h("label", {}, h("input", { type: "checkbox", role: "switch", id: "standing", checked: on, "aria-describedby": note, onchange: change }), h("span", {}, offer.text)),
    on && h("p", { class: "p-note", id: note }, t("play.standing_on")),
  );
}

/** The forms that a game draws for kinds of decisions: what has been begun of each, and to which the keyboard's keys go. */

/**
 * What the forms ask of the panel.
 *
 * @typedef {Object} Desk
 * @property {HTMLElement} element the panel's.
 * @property {any} book
 * @property {Object<string, import("../games/contract.js").DecisionForm>} drawn the game's forms by kind of decision.
 * @property {import("./drafts.js").Drafts} drafts
 * @property {() => any[]} decisions
 * @property {() => Told.TableState|null} state
 * @property {(decision: any) => string|null} chosen the option that is known to be handed in.
 * @property {(decision: any, begun: any) => void} change go on with something else of a decision.
 */

export class Forms {
  #desk;

  /** @param {Desk} desk */
  constructor(desk) {
    this.#desk = desk;
  }

  /** The decision whose form the keyboard's keys go to: the one that has the focus, or the first that is not answered. */
  get keyed() {
    const { element } = this.#desk;
    const open = this.#all().filter((decision) => this.#isOpen(decision));
    const focused = element.querySelector("[data-decision]:focus-within")?.getAttribute("data-decision");
    return open.find(({ id }) => id === focused) ?? open.find(({ answered }) => !answered) ?? open[0] ?? null;
  }

  /**
   * What the forms have made so far, for the board; what is handed in counts.
   *
   * @param {boolean} busy whether the service is being asked, so that nothing can be changed.
   * @returns {import("../games/contract.js").Begun[]}
   */
  begun(busy) {
    const { change } = this.#desk;
    return this.#all().map((decision) => ({
      decision,
      begun: this.#begun(decision),
      change: !busy && this.#isOpen(decision) ? (begun) => change(decision, begun) : null,
    }));
  }

  /** The option that may be handed in as the form of a decision stands; null: nothing yet, or it has been. */
  complete(decision) {
    const { drawn } = this.#desk;
    return this.#isOpen(decision) ? drawn[decision.kind].complete({ decision, begun: this.#begun(decision) }) : null;
  }

  /** What a key means to the form that it goes to: `{decision, begun, said}`, see `DecisionForm.press`; null: nothing. */
  press(key) {
    const decision = this.keyed;
    if (decision === null) {
      return null;
    }
    const { book, drawn, state } = this.#desk;
    const begun = this.#begun(decision);
    const pressed = drawn[decision.kind].press({ decision, book, state: state(), begun }, key);
    return pressed && { ...pressed, decision };
  }

  #all() {
    const { decisions, drawn } = this.#desk;
    return decisions().filter(({ kind }) => kind in drawn);
  }

  #isOpen(decision) {
    const { chosen, drafts } = this.#desk;
    return drafts.of(decision.id).changing || (!decision.answered && chosen(decision) === null);
  }

  #begun(decision) {
    const { drafts, drawn, chosen } = this.#desk;
    return drafts.of(decision.id).begun ?? drawn[decision.kind].begin(decision, chosen(decision));
  }
}

/** The options of decisions as the board has them: chosen there at once, narrowed down to, or met once by a finger. */

import { announce } from "../dom.js";
import { onBoard } from "./drafts.js";
import { bringUp } from "./scrolling.js";
import { t } from "../words.js";

/**
 * What the board's options ask of the panel.
 *
 * @typedef {Object} Panel
 * @property {HTMLElement} element
 * @property {any} book
 * @property {import("./drafts.js").Drafts} drafts
 * @property {(option: any) => string[]} targets see `GameBoard.targets`.
 * @property {() => Told.TableState|null} state
 * @property {(decision: any, option: any) => void} take
 * @property {() => void} draw the panel anew.
 */

export class BoardOffer {
  #panel;
  #choices = new Map();

  /** @param {Panel} panel */
  constructor(panel) {
    this.#panel = panel;
  }

  /**
   * Offer some decisions, and no others any more.
   *
   * @param {any[]} decisions
   * @returns {Map<string, import("../games/contract.js").Choice[]>} by target.
   */
  of(decisions) {
    const { drafts, targets } = this.#panel;
    this.#choices = onBoard(decisions, (id) => drafts.of(id), (decision, option) => this.#entry(decision, option), targets);
    return this.#choices;
  }

  #entry(decision, option) {
    const { book, state, take } = this.#panel;
    return {
      decision,
      option,
      text: book.option(decision, option, state()),
      choose: () => take(decision, option),
      mean: () => this.#mean(decision, option),
      narrow: (key) => this.#narrow(key),
    };
  }

  /** A finger has met an option: the list shows which, before it is chosen. */
  #mean(decision, option) {
    const { element, book, drafts, state, draw } = this.#panel;
    drafts.change(decision.id, { meant: option.id });
    draw();
    bringUp(element.querySelector(".p-meant"));
    announce(t("play.announce_meant", { option: book.option(decision, option, state()) }));
  }

  /** Keep only the options that touch `key`, or all again if it was kept already. */
  #narrow(key) {
    const { element, drafts, draw } = this.#panel;
    const ids = new Set((this.#choices.get(key) ?? []).map(({ decision }) => decision.id));
    for (const id of ids) {
      const { keys } = drafts.of(id);
      drafts.change(id, { keys: keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key] });
    }
    draw();
    const [first] = ids;
    bringUp(element.querySelector(`[data-decision="${CSS.escape(first)}"]`));
    announce(t("play.announce_narrowed"));
  }
}

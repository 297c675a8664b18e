/** The options of decisions as the board has them: chosen there at once, narrowed down to, or met once by a finger. */

import { announce } from "../dom.js";
import { gameOf } from "../games/registry.js";
import { heading } from "./decision-card.js";
import { besides, onBoard } from "./drafts.js";
import { bringUp } from "./scrolling.js";
import { t } from "../words.js";

/** @import { Answer, AnswerOption, Choice } from "../games/contract.js" */

/**
 * What the board's options ask of the panel.
 *
 * @typedef {Object} Panel
 * @property {HTMLElement} element
 * @property {any} book
 * @property {import("./drafts.js").Drafts} drafts
 * @property {import("./forms.js").Forms} forms
 * @property {() => Told.TableState|null} state
 * @property {(decision: any, option: any) => void} take
 * @property {() => void} draw the panel anew.
 */

/** What one may always do lies folded in the panel; of that, what is about nobody and nothing on the board has its buttons there alone. */
const hasPlace = ({ decision, at }) => !decision.optional || at !== null || Boolean(decision.subject);

export class BoardOffer {
  #panel;
  #choices = new Map();

  /** @param {Panel} panel */
  constructor(panel) {
    this.#panel = panel;
  }

  /**
   * Offer some decisions, and no others any more. A voluntary one that is unfolded has the places of the board for itself; buttons are of all.
   *
   * @param {any[]} asked
   * @param {any[]} unfolded
   * @returns {{choices: Map<string, Choice[]>, answers: Answer[]}} what can be chosen by target, and what no target tells apart.
   */
  of(asked, unfolded) {
    const { drafts } = this.#panel;
    const listed = (unfolded.length ? unfolded : asked).filter(({ kind }) => !(kind in this.#game.forms.drawn));
    this.#choices = onBoard(listed, (id) => drafts.of(id), (decision, option) => this.#entry(decision, option), this.#game.board.targets);
    const answers = [...asked, ...unfolded].map((decision) => this.#answer(decision)).filter((answer) => answer.options.length > 0 && hasPlace(answer));
    return { choices: this.#choices, answers };
  }

  get #game() {
    return gameOf(this.#panel.book.game);
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

  /** @returns {Answer} */
  #answer(decision) {
    const { book, drafts } = this.#panel;
    return { decision, title: heading(decision, book), at: drafts.of(decision.id).keys.at(-1) ?? null, options: this.#answers(decision) };
  }

  /** @returns {AnswerOption[]} */
  #answers(decision) {
    const { drafts, forms, take } = this.#panel;
    const { board, forms: own } = this.#game;
    if (decision.kind in own.drawn) {
      const option = forms.complete(decision);
      return option ? [{ id: "hand-in", text: t("play.hand_in"), face: null, sign: null, choose: () => take(decision, option) }] : [];
    }
    const left = besides(decision, drafts.of(decision.id), board.targets);
    return own.asForm(left) ? [] : left.map((option) => this.#button(decision, option));
  }

  /** @returns {AnswerOption} */
  #button(decision, option) {
    const { book, state, take } = this.#panel;
    const { forms } = this.#game;
    return {
      id: option.id,
      text: book.option(decision, option, state()),
      face: forms.face(decision, option, book, state()),
      sign: forms.sign(decision, option),
      choose: () => take(decision, option),
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

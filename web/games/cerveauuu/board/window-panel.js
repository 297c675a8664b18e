/** The window that is open: who may answer, what happens if all pass, and its timeline; and the fight, with what it comes to so far. */

import { h } from "../../../dom.js";
import { patch } from "../../../patch.js";
import { windowTerm } from "../help/about.js";
import { anchorText } from "../words/option-text.js";
import { fightResult, lastPlay, outcome, proposal, replanning, shares } from "../words/prospect.js";
import { chip } from "./figures.js";
import { lensOf } from "./lens.js";
import { seatChip } from "./seat.js";
import { t } from "../../../words.js";

/** @import { TownBook } from "../words/book.js" */

/**
 * @param {{book: TownBook}} options
 * @returns {import("../../contract.js").Part}
 */
export function createWindow({ book }) {
  const panel = new WindowPanel(book);
  return { element: panel.element, update: (state, now) => panel.update(state, now), destroy: () => panel.destroy() };
}

class WindowPanel {
  #shown = /** @type {any} */ (null);
  #asked = /** @type {string|null} */ (null);

  /** @param {TownBook} book */
  constructor(book) {
    this.book = book;
    this.lens = lensOf(book);
    this.slider = h("input", { type: "range", id: "cv-anchor", min: "0", step: "1", oninput: () => this.lens.look(Number(this.slider.value)) });
    this.moment = h("output", { for: "cv-anchor" });
    this.present = h("button", { type: "button", onclick: () => this.lens.look(null) }, t("cerveauuu/board.window.present"));
    this.scrub = h("div", { class: "cv-scrub" }, h("label", { for: "cv-anchor" }, t("cerveauuu/board.window.timeline")), this.slider, this.moment, this.present);
    this.text = h("div", { class: "cv-window-text" });
    this.element = h("section", { class: "cv-window", "aria-label": t("cerveauuu/board.window.label"), hidden: true }, this.text, this.scrub);
    this.unlisten = this.lens.listen(() => this.#showMoment());
  }

  /** @param {any} state @param {import("../../contract.js").PartNow} now */
  update({ play }, { called }) {
    // A card may end the game in the middle of its window: then nobody is asked any more.
    const window = play?.end ? null : (play?.window ?? null);
    const fight = play?.fight ?? null;
    this.element.hidden = window === null && fight === null;
    this.#shown = play;
    patch(this.text, window !== null && this.#window(play, window, called), fight !== null && this.#fight(play, fight));
    const { timeline = [], floor = 0 } = window ?? {};
    this.scrub.hidden = timeline.length <= floor;
    this.slider.min = String(floor);
    this.slider.max = String(timeline.length);
    this.#present(window);
    this.#showMoment();
  }

  /** Whoever looked at a moment of a plan looks at the present once there is another plan. */
  #present(window) {
    const asked = window && `${window.number}.${window.version}`;
    if (asked !== this.#asked) {
      this.lens.look(null);
    }
    this.#asked = asked;
  }

  destroy() {
    this.unlisten();
    this.lens.look(null);
    this.element.remove();
  }

  #showMoment() {
    const { anchor } = this.lens;
    const floor = this.#shown?.window?.floor ?? 0;
    this.slider.value = String(anchor ?? floor);
    this.moment.textContent = this.#shown?.window ? anchorText(this.book, this.#shown, anchor ?? floor) : "";
    this.present.hidden = anchor === null;
  }

  #window(play, window, called) {
    const { book } = this;
    const version = window.version ?? 0;
    const head = h("h2", {}, windowTerm(book, window.kind), version > 1 && h("small", {}, ` ${t("cerveauuu/board.window.version", { version })}`));
    const last = lastPlay(book, play);
    const before = last === null ? [] : [h("p", { class: "cv-last" }, last)];
    const mover = replanning(play);
    if (mover !== null) {
      return [head, ...before, h("p", { class: "cv-note" }, t("cerveauuu/board.window.replanning", { player: called(mover) }))];
    }
    return [
      head,
      ...before,
      h("h3", {}, t("cerveauuu/board.window.who")),
      h("ol", { class: "cv-order" }, (window.order ?? []).map((seat) => this.#answerer(play, window, seat, called(seat)))),
      h("h3", {}, t("cerveauuu/board.window.if_all_pass")),
      h("ul", { class: "cv-next", id: "cv-next", tabindex: "0", "aria-label": t("cerveauuu/board.window.if_all_pass") }, outcome(book, play).map((text) => h("li", {}, text))),
      h("p", { class: "cv-note" }, t("cerveauuu/board.window.if_card")),
    ];
  }

  #answerer(play, window, seat, name) {
    const passed = play.dormant.includes(seat) ? "dormant" : window.passed?.[seat];
    const answered = window.answers !== undefined && seat in window.answers;
    const status = passed ? `passed_${passed}` : answered ? "answered" : "asked";
    return h(
      "li",
      { class: `cv-answer cv-${status}`, dataset: { seat: String(seat), status } },
      seatChip(play, seat),
      h("span", { dir: "auto" }, name),
      h("span", { class: "cv-status" }, t(`cerveauuu/board.answer.${status}`)),
    );
  }

  #fight(play, fight) {
    const { book } = this;
    const side = (name) =>
      h(
        "div",
        { class: `cv-side cv-${name}` },
        h("h3", {}, book.word(`term.${name}`), fight.totals && h("b", { class: "cv-total" }, ` ${fight.totals[name === "attackers" ? 0 : 1]}`)),
        h("ul", {}, fight[name].map((id) => h("li", {}, play.pieces[id] && chip(play.pieces[id], play), book.piece(play, id)))),
      );
    return h(
      "div",
      { class: "cv-fight" },
      h("h2", {}, t("cerveauuu/board.fight.title", { zombie: book.piece(play, fight.principal), target: book.piece(play, fight.target) })),
      h("div", { class: "cv-sides" }, side("attackers"), side("defenders")),
      fight.totals && h("p", { class: "cv-provisional", role: "status" }, fightResult(fight)),
      [proposal(book, play), ...shares(book, play)].map((text) => text && h("p", { class: "cv-note" }, text)),
    );
  }
}

/** Who knew what: over the board, what a seat had seen of each place by the moment that is shown, and the same beside it in sentences. */

import { clear, h } from "../dom.js";
import { gameOf } from "../games/registry.js";
import { nameChanges } from "../net/names.js";
import { patch } from "../patch.js";
import { redraw } from "../redraw.js";
import { aboutSign } from "../term.js";
import { t } from "../words.js";

/** @import { Controller } from "./controller.js" */
/** @import { Known } from "../games/contract.js" */

/** What lies over a place: who has looked behind it alone, and what a seat did not know. */
const SIGNS = { all: "", seat: "✓", nobody: "?" };

export class Knew {
  #seat = /** @type {number|null} */ (null);
  #known = /** @type {Known[]} */ ([]);
  #drawn = "";

  /**
   * @param {Controller} controller
   * @param {{book: import("../book.js").Book, names: any, stage: Element, log: {textOf: (version: number) => string}}} options `stage` holds the
   *   board. Nothing is told that is not in the view that is shown: during a game that is what its reader may know.
   */
  constructor(controller, { book, names, stage, log }) {
    this.controller = controller;
    this.book = book;
    this.help = gameOf(book.game).help;
    this.names = names;
    this.stage = stage;
    this.log = log;
    this.layer = h("div", { class: "knew-layer", "aria-hidden": "true" });
    stage.append(this.layer);
    this.menu = h("select", { id: "knew-seat", onchange: () => this.show(Number(this.menu.value)) });
    this.said = h("div", {});
    this.title = h("h2", { tabindex: "-1" });
    this.element = h(
      "section",
      { class: "knew", hidden: true, "aria-labelledby": "knew-title" },
      this.title,
      h("div", { class: "row" }, h("label", { for: "knew-seat" }, t("watch.knew.seat")), this.menu, h("button", { type: "button", dataset: { move: "knew-close" }, onclick: () => this.close() }, t("watch.knew.close"))),
      this.said,
    );
    this.title.id = "knew-title";
    this.size = new ResizeObserver(() => this.#cover());
    this.size.observe(stage);
  }

  /** Show what a seat knew, now and wherever one goes from here. @param {number} seat */
  show(seat) {
    this.#seat = seat;
    this.#drawn = "";
    this.update();
    this.title.focus({ preventScroll: false });
  }

  close() {
    this.#seat = null;
    this.update();
  }

  /** Something is shown that was not before. */
  update() {
    const { controller } = this;
    const seat = this.#seat;
    this.element.hidden = seat === null || !controller.ready;
    if (seat === null || !controller.ready) {
      this.#known = [];
      this.#cover();
      return;
    }
    const drawn = `${seat} ${controller.viewer} ${controller.shown} ${controller.first} ${nameChanges()}`;
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      const { shown: at, first, timeline } = controller;
      this.#known = this.help.knowledge(seat, { at, first, stateAt: (version) => timeline.at(version), names: this.names });
      this.#tell(seat);
    }
    this.#cover();
  }

  stop() {
    this.size.disconnect();
    this.layer.remove();
  }

  #tell(seat) {
    const { controller, names } = this;
    const seats = Object.keys(controller.state.seats ?? {}).map(Number);
    patch(this.menu, seats.map((each) => h("option", { value: String(each), selected: each === seat, dataset: { seat: String(each) } }, names.player(each))));
    const name = names.player(seat);
    const count = (by) => this.#known.filter((each) => each.by === by).length;
    this.title.textContent = t("watch.knew.panel", { name, version: controller.shown });
    const sum = t("watch.knew.sum", { name, all: count("all"), seat: count("seat"), nobody: count("nobody") });
    const lists = ["seat", "nobody", "all"].map((by) => this.#list(by, name));
    redraw(this.said, this.#known.length === 0 ? h("p", {}, t("watch.knew.nothing")) : [h("p", {}, sum), h("p", { class: "hint" }, t("watch.knew.hint")), lists]);
  }

  #list(by, name) {
    const known = this.#known.filter((each) => each.by === by);
    return known.length === 0 ? "" : h("details", { dataset: { by, key: by } }, h("summary", {}, t(`watch.knew.by.${by}`, { name, count: known.length })), h("ul", {}, known.map((each) => this.#item(each))));
  }

  /** What is known, by whom else, and the moment from which on: that can be gone to. @param {Known} known */
  #item({ target, what, since, others }) {
    const { controller, names, log, help, book } = this;
    const go = () => controller.seek(since ?? controller.shown);
    const text = since === null ? "" : log.textOf(since);
    return h(
      "li",
      { dataset: { key: target ?? what } },
      others.length > 0 ? t("watch.knew.others", { what, names: names.players(others) }) : what,
      since !== null && [" ", h("button", { type: "button", class: "quiet listing", dataset: { since: String(since) }, onclick: go }, t("watch.knew.since", { version: since, text }))],
      " ",
      aboutSign(help.named(null, book, `${what} ${text}`)),
    );
  }

  /** Lay over each place what was known of it. */
  #cover() {
    const frame = this.stage.getBoundingClientRect();
    clear(this.layer).append(
      ...this.#known.flatMap(({ target, by }) => {
        const place = target === null ? null : this.stage.querySelector(`svg [data-cell="${target}"]`);
        return place === null ? [] : [cover(place.getBoundingClientRect(), frame, by)];
      }),
    );
  }
}

function cover(box, frame, by) {
  const element = h("div", { class: "knew-place", dataset: { by } }, SIGNS[by]);
  const place = { left: box.left - frame.left, top: box.top - frame.top, width: box.width, height: box.height };
  Object.entries(place).forEach(([name, px]) => element.style.setProperty(name, `${px}px`));
  return element;
}

/** The edges of the town while some can be chosen: these, and below them the others, which tell why they cannot be. */

import { clear, s } from "../../../dom.js";
import { lineOf } from "./ground.js";
import { isEdge } from "./places.js";
import { edgeText } from "../words/edge-text.js";
import { patch } from "../../../patch.js";
import { t } from "../../../words.js";

/** @import { TownBook } from "../words/book.js" */
/** @import { Town } from "./town.js" */

/** So far from an edge a pointer meets it. */
const REACH = 6.5;

export class EdgeLayer {
  #drawn = "";

  /** @param {TownBook} book @param {{told: boolean, stops: number}} how `told`: the others are there; `stops`: with no more than so many the tabulator key reaches each. */
  constructor(book, { told, stops }) {
    this.book = book;
    this.told = told;
    this.stops = stops;
    this.element = s("g", { class: "cv-layer-offered" });
  }

  /** Forget what is drawn: there is another town. */
  clear() {
    this.#drawn = "";
    return clear(this.element);
  }

  /** Draw the edges among the choices; one that has the focus keeps it. @param {Town} town @param {any} play @param {Map<string, any>} choices */
  update(town, play, choices) {
    const edges = [...choices.keys()].filter(isEdge);
    const others = edges.length > 0 && this.told ? town.built.filter((id) => !choices.has(id)) : [];
    const labels = edges.map((id) => t("board.choose", { text: edgeText(this.book, play, id) }));
    const drawn = [...others, ...labels].join("\n");
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      const reached = edges.length <= this.stops;
      patch(this.element, [...others.map((id) => toldEdge(town, id)), ...edges.map((id, i) => choosableEdge(town, id, labels[i], reached))]);
    }
  }
}

/** An edge that can be chosen: a line that is seen, and a wider one that is met by pointers. */
function choosableEdge(town, id, label, reached) {
  const line = lineOf(town, town.edgeNumber(id));
  const props = { class: "cv-edge-choice", role: "button", tabindex: reached ? "0" : "-1", "aria-label": label, dataset: { edge: id, key: id, about: id } };
  return s("g", props, s("rect", { class: "cv-edge-near", ...round(line, REACH) }), s("line", { class: "cv-edge-line", ...line }));
}

/** One that cannot be: met from nearer, since its cells are meant more often. By keys these tell of it. */
function toldEdge(town, id) {
  const props = { class: "cv-edge-told", "aria-hidden": "true", dataset: { edge: id, key: id, about: id } };
  return s("g", props, s("rect", { class: "cv-edge-near", ...round(lineOf(town, town.edgeNumber(id)), REACH / 2) }));
}

/** What a pointer meets round a line. */
const round = ({ x1, y1, x2, y2 }, reach) => ({ x: x1 - reach, y: y1 - reach, width: x2 - x1 + 2 * reach, height: y2 - y1 + 2 * reach });

/** What the signs of the drawing mean. */

import { h, present, s } from "../../../dom.js";
import { pictogram } from "../board/pictograms.js";
import { swatch } from "../board/supplies.js";
import { t } from "../../../words.js";

/** @import { ComplexBook } from "../words/book.js" */

/**
 * The legend, folded up.
 *
 * @param {ComplexBook} book
 * @returns {HTMLDetailsElement}
 */
export function legend(book) {
  const classes = ["green", "yellow", "red", "blue"].map((color) => [
    swatch(color),
    t(`room25/board.legend.${color}`, { color: book.color(color) }),
  ]);
  const signs = present([
    [letter("?"), t("room25/board.legend.unknown")],
    [dashed(), t("room25/board.legend.known")],
    [sign("eye"), t("room25/board.legend.looked")],
    [flag(), t("room25/board.legend.reminder")],
    [swatch("green"), t("room25/board.legend.claim")],
    [sign("seal"), t("room25/board.legend.seal")],
    book.json.locks > 0 && [sign("lock"), t("room25/board.legend.lock")],
    [sign("trap"), t("room25/board.legend.trap")],
    [sign("flood"), t("room25/board.legend.flood")],
    [dashed("b-mini-exit"), t("room25/board.legend.exit")],
    [arrow(), t("room25/board.legend.arrow")],
  ]);
  return h(
    "details",
    { class: "b-legend" },
    h("summary", {}, t("room25/board.legend.title")),
    h(
      "ul",
      {},
      [...classes, ...signs].map(([drawing, text]) => h("li", {}, drawing, h("span", {}, text))),
    ),
  );
}

function sign(name) {
  return pictogram("sign", name, { size: 18 });
}

function small(...children) {
  return s("svg", { class: "b-mini", viewBox: "-9 -9 18 18", width: 18, height: 18, "aria-hidden": "true" }, children);
}

function letter(text) {
  return small(
    s("rect", { class: "b-back", x: -8, y: -8, width: 16, height: 16, rx: 3 }),
    s("text", { class: "b-mini-mark", y: 4.5, "text-anchor": "middle" }, text),
  );
}

function dashed(more = "") {
  return small(s("rect", { class: `b-mini-dashed ${more}`, x: -7.5, y: -7.5, width: 15, height: 15, rx: 3 }));
}

function flag() {
  return small(s("path", { class: "b-mini-flag", d: "M-6-8H6V4L0 9-6 4z" }));
}

function arrow() {
  return small(s("path", { class: "b-mini-arrow", d: "M0-8L8 3H3v5h-6V3h-5z" }));
}

/** Draws the arrows in the margin: how a line may be pushed, and how it has moved in this turn. */

import { s } from "../../../dom.js";
import { LINES, MARGIN, TILE, arrowPlace } from "./geometry.js";
import { t } from "../../../words.js";

/** @import { ComplexBook } from "../words/book.js" */

const TURN = { up: 0, right: 90, down: 180, left: 270 };

/** All arrows by their key, `row1:left`: 16 groups that `showArrow` brings up to date. */
export function drawArrows() {
  const made = new Map();
  for (const [line, { ways }] of LINES) {
    for (const way of ways) {
      made.set(`${line}:${way}`, drawArrow(line, way));
    }
  }
  return made;
}

/**
 * Say what an arrow stands for now.
 *
 * @param {SVGElement} arrow one of `drawArrows`.
 * @param {string} key its key.
 * @param {{markers: Object, chosen: Array|undefined, changed: boolean, book: ComplexBook}} now `chosen` are the options that
 *   lie on it.
 */
export function showArrow(arrow, key, { markers, chosen, changed, book }) {
  const [line, way] = key.split(":");
  const moved = markers[line];
  arrow.classList.toggle("b-moved", moved === way);
  arrow.classList.toggle("b-against", moved !== undefined && moved !== way);
  arrow.classList.toggle("b-choosable", chosen !== undefined);
  arrow.classList.toggle("b-changed", changed);
  const name = book.lineWay(line, way);
  const text = moved === way ? t("room25/board.moved", { line: name }) : name;
  arrow.querySelectorAll("title").forEach((title) => (title.textContent = text));
  if (chosen) {
    arrow.setAttribute("tabindex", "0");
    arrow.setAttribute("role", "button");
    arrow.setAttribute("aria-label", t("board.choose", { text }));
    arrow.removeAttribute("aria-hidden");
  } else {
    arrow.removeAttribute("tabindex");
    arrow.removeAttribute("role");
    arrow.removeAttribute("aria-label");
    // The board as a whole says which lines have moved; sixteen arrows would only be noise.
    arrow.setAttribute("aria-hidden", "true");
  }
}

function drawArrow(line, way) {
  const { x, y } = arrowPlace(line, way);
  const flat = way === "up" || way === "down";
  const [width, height] = flat ? [TILE, MARGIN - 8] : [MARGIN - 8, TILE];
  return s(
    "g",
    { class: "b-arrow", dataset: { line, way, about: `${line}:${way}` }, transform: `translate(${x} ${y})` },
    s("title"),
    s("rect", { class: "b-arrow-hit", x: -width / 2, y: -height / 2, width, height, rx: 8 }),
    s("path", { class: "b-arrow-head", d: "M0-11L14 6H5v6h-10V6h-9z", transform: `rotate(${TURN[way]})` }),
  );
}

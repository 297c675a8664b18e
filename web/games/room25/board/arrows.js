/** Draws the arrows in the margin: how a line may be pushed, and how it has moved in this turn. */

import { s } from "../../../dom.js";
import { LINES, MARGIN, OPPOSITE, TILE, arrowPlace } from "./geometry.js";
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
 * @param {{markers: Object, chosen: Array|undefined, told: boolean, changed: boolean, book: ComplexBook}} now `chosen` are the options that
 *   lie on it; `told`: it is asked for a line, and can be told why it is not this one.
 */
export function showArrow(arrow, key, { markers, chosen, told, changed, book }) {
  const [line, way] = key.split(":");
  const moved = markers[line];
  arrow.classList.toggle("b-moved", moved === way);
  arrow.classList.toggle("b-against", moved !== undefined && moved !== way);
  arrow.classList.toggle("b-choosable", chosen !== undefined);
  arrow.classList.toggle("b-changed", changed);
  const name = book.lineWay(line, way);
  const text = moved === way ? t("room25/board.moved", { line: name }) : name;
  arrow.querySelectorAll("title").forEach((title) => (title.textContent = text));
  if (chosen || told) {
    arrow.setAttribute("tabindex", chosen ? "0" : "-1");
    arrow.setAttribute("role", "button");
    arrow.setAttribute("aria-label", chosen ? t("board.choose", { text }) : text);
    arrow.removeAttribute("aria-hidden");
  } else {
    arrow.removeAttribute("tabindex");
    arrow.removeAttribute("role");
    arrow.removeAttribute("aria-label");
    // The board as a whole says which lines have moved; sixteen arrows would only be noise.
    arrow.setAttribute("aria-hidden", "true");
  }
}

/** The arrow that lies beyond a cell in a direction; null: none does. */
export function arrowBeyond(cell, way) {
  const found = [...LINES].find(([, { ways, cells }]) => ways.includes(way) && cells.at(atEnd(way)) === cell);
  return found ? `${found[0]}:${way}` : null;
}

/** What lies beside an arrow in a direction: the cell at the end of its line, or the next arrow of the same way; null: nothing. */
export function besideArrow(key, to) {
  const [line, way] = key.split(":");
  if (to === OPPOSITE[way]) {
    return LINES.get(line)?.cells.at(atEnd(way)) ?? null;
  }
  const same = [...LINES].filter(([, { ways }]) => ways.includes(way)).map(([id]) => `${id}:${way}`);
  const step = to === way ? 0 : to === "right" || to === "down" ? 1 : -1;
  return step === 0 ? null : (same[same.indexOf(key) + step] ?? null);
}

const atEnd = (way) => (way === "left" || way === "up" ? 0 : -1);

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

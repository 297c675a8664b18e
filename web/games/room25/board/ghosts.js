/** Draws what is not yet there: ghosts of figures and arrows to where actions may lead, and below a figure the slots of its programme. */

import { s } from "../../../dom.js";
import { drawFigure } from "./figure.js";
import { corner, TILE } from "./geometry.js";
import { READABLE } from "./lettering.js";
import { pictogram } from "./pictograms.js";
import { ProgramSlots } from "./program-slots.js";
import { offered, programmed } from "./prospects.js";

/** @import { ComplexBook } from "../words/book.js" */
/** @import { Prospect } from "./prospects.js" */

/**
 * How far a ghost stands from its figure, in steps from cell to cell, and between what its arrow lies. A name is written at the top of each room: on the way up the
 * arrow leaves out that of its own, on the way down arrow and ghost leave out that of the next.
 */
const WAYS = {
  aside: { stands: 0.83, from: 0.34, to: 0.6 },
  up: { stands: 0.83, from: 0.46, to: 0.6 },
  down: { stands: 1.04, from: 0.34, to: 0.44 },
};
/** Between ghosts that stand beside each other, in steps: how far apart they are where there is room, and how far the outermost are at most. */
const APART = { usual: 0.26, most: 0.78 };
/** How large a ghost is where there is room. */
const SIZE = 1.15;
/** The side of a pictogram in a programme. */
const TOKEN = 15;

/** The layers of ghosts; a pointer passes through them, but for the slots, and screen readers have the same in words. */
export class Ghosts {
  #drawn = "";

  /** @param {ComplexBook} book */
  constructor(book) {
    this.book = book;
    this.under = s("g", { class: "b-ghosts", "aria-hidden": "true" });
    this.over = s("g", { class: "b-ghosts", "aria-hidden": "true" });
    this.slots = new ProgramSlots(book);
  }

  /**
   * Draw what the options lead to, and what has been begun.
   *
   * @param {any} play
   * @param {{choices: Map, begun: import("../../contract.js").Begun[], unit: number, placeOf: (character: string) => {x: number, y: number, scale: number}|null}} now
   * @returns {Set<string>} the arrows of lines that a programme may move.
   */
  update(play, { choices, begun, unit, placeOf }) {
    const asked = begun.filter((each) => play.characters?.[subjectOf(each)]);
    const plans = asked.filter((each) => each.begun !== null);
    this.slots.update(asked, play, { unit, placeOf });
    const prospects = [...offered(choices, play), ...plans.flatMap((each) => programmed(each.begun, play.characters[subjectOf(each)], play))];
    const badges = plans.filter(({ change }) => change === null).flatMap((each) => badgeOf(each.begun, placeOf(subjectOf(each))));
    const occupied = new Set([...Object.values(play.characters ?? {}).map(({ cell }) => cell), ...(play.robots ?? [])]);
    const drawn = JSON.stringify([prospects, badges, unit, [...occupied]]);
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      const cells = prospects.filter(({ kind }) => kind !== "line");
      this.under.replaceChildren(...cells.map((each, i) => this.#ghost(each, { unit, aside: asideOf(cells, i), crowded: occupied.has(each.to) })));
      this.over.replaceChildren(...badges.map((each) => badge(each, unit)));
    }
    return new Set(prospects.filter(({ kind }) => kind === "line").map(({ to }) => to));
  }

  /** What leads to a cell; all that lead to the same stand side by side. */
  #ghost({ kind, who, from, to, slot }, { unit, aside: { off, size }, crowded }) {
    const [start, end] = [middle(from ?? to), middle(to)];
    const [dx, dy] = [end.x - start.x, end.y - start.y];
    const step = Math.hypot(dx, dy) / (TILE + 8) || 1;
    const aside = { x: (-dy / step) * off, y: (dx / step) * off };
    const at = (part) => ({ x: start.x + dx * part + aside.x, y: start.y + dy * part + aside.y });
    const near = step > 0 && step < 1.5;
    const way = WAYS[kind === "look" || dy === 0 ? "aside" : dy < 0 ? "up" : "down"];
    // Below the name of a room where somebody is, whoever is there would hide it.
    const place = near && from ? at(crowded ? WAYS.aside.stands : way.stands) : { x: end.x + aside.x, y: end.y + aside.y };
    return s(
      "g",
      { class: ["b-ghost", `b-ghost-${kind}`], dataset: { ghost: who ?? kind, to } },
      near && from && from !== to && arrow(at(way.from), at(way.to)),
      who !== null && s("g", { class: "b-ghost-figure", transform: `translate(${place.x} ${place.y}) scale(${size})` }, drawFigure({ id: who, shape: this.book.character(who).shape, marks: [] })),
      kind === "look" && s("g", { class: "b-ghost-eye" }, s("circle", { cx: place.x, cy: place.y, r: 13 }), pictogram("sign", "eye", { x: place.x - 9, y: place.y - 9, size: 18 })),
      slot !== null && near && number(slot, at(0.5), unit),
    );
  }
}

/** Whose programme it is. @param {import("../../contract.js").Begun} asked */
const subjectOf = ({ decision }) => decision.subject ?? "";

/** How far beside the way to its cell one of several ghosts stands, in steps, and how large it is: none leaves the cell. */
function asideOf(cells, at) {
  const same = cells.filter(({ to }) => to === cells[at].to);
  const apart = Math.min(APART.usual, APART.most / Math.max(1, same.length - 1));
  return { off: apart * (same.indexOf(cells[at]) - (same.length - 1) / 2), size: (SIZE * apart) / APART.usual };
}

function middle(cell) {
  const { x, y } = corner(cell);
  return { x: x + TILE / 2, y: y + TILE / 2 };
}

function arrow(from, to) {
  const turn = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  return s(
    "g",
    { class: "b-ghost-arrow" },
    s("path", { class: "b-ghost-line", d: `M${from.x} ${from.y}L${to.x} ${to.y}` }),
    s("path", { class: "b-ghost-head", d: "M9 0L-5 7V-7z", transform: `translate(${to.x} ${to.y}) rotate(${turn})` }),
  );
}

/** In which action of the programme it is. */
function number(slot, { x, y }, unit) {
  const size = Math.max(12, READABLE * unit);
  return s("g", { class: "b-ghost-slot" }, s("circle", { cx: x, cy: y, r: 0.72 * size }), s("text", { x, y: y + 0.36 * size, "text-anchor": "middle", "font-size": size }, String(slot)));
}

/** What is drawn below its figure of a plan that is handed in, if there is anything. */
function badgeOf({ tokens, adrenaline }, place) {
  const laid = [...tokens.filter(Boolean), ...(adrenaline ? ["adrenaline"] : [])];
  return place === null || laid.length === 0 ? [] : [{ place, tokens: laid }];
}

/** The programme of a figure, below it. */
function badge({ place: { x, y, scale }, tokens }, unit) {
  const size = TOKEN * Math.max(1, unit);
  const width = tokens.length * size + 6;
  return s(
    "g",
    { class: "b-planned", transform: `translate(${x - width / 2} ${y + 10.5 * scale})` },
    s("rect", { width, height: size + 4, rx: 5 }),
    tokens.map((token, i) => pictogram("action", token, { x: 3 + i * size + 1, y: 3, size: size - 2 })),
  );
}

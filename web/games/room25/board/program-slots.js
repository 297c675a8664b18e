/** The slots of the programmes that are being put together, below their figures: cards are dragged there, moved and taken back. */

import { s } from "../../../dom.js";
import { ADRENALINE } from "../forms/cards.js";
import { dragging } from "../forms/dragging.js";
import { dropped, slotOf, turned } from "../forms/laying.js";
import { NONE, emptyPlan, shapeOf } from "../forms/plan.js";
import { t } from "../../../words.js";
import { GAP, TILE, corner } from "./geometry.js";
import { READABLE } from "./lettering.js";
import { pictogram } from "./pictograms.js";

/** @import { ComplexBook } from "../words/book.js" */
/** @import { Begun } from "../../contract.js" */
/** @import { Plan } from "../forms/plan.js" */

/**
 * One programme on the board.
 *
 * @typedef {Object} Strip
 * @property {Begun["decision"]} decision
 * @property {(plan: Plan) => void} change
 * @property {Plan} plan
 * @property {number} slots without that for adrenaline.
 * @property {number} count with it.
 * @property {number} x the middle of its figure.
 * @property {string} cell in which it stands.
 * @property {number} head where figures begin there.
 * @property {number} foot how far down they reach.
 * @property {boolean} crowded whether they stand in several rows.
 */

/** The side of a slot: in pixels of the screen, and in the drawing's units; the larger one counts, as far as there is room. */
const SIDE = { pixels: 24, units: 26 };
/** How far slots may reach out of their room. */
const OVER = GAP + 6;
/** Half of a figure, at scale 1. */
export const FOOT = 10.5;

/** The layer of slots. Screen readers and the keyboard have the same in the panel, where there is also room for a finger. */
export class ProgramSlots {
  #drawn = "";
  /** @type {Map<string, Strip>} by the ids of their decisions. */
  #strips = new Map();
  /** How far down the slots of decisions reach, and the rooms over whose names they lie. */
  #feet = new Map();
  #covered = /** @type {Set<string>} */ (new Set());

  /** @param {ComplexBook} book */
  constructor(book) {
    this.book = book;
    this.element = s("g", { class: "b-slots", "aria-hidden": "true" });
    this.element.addEventListener("pointerdown", dragging({ what: ".b-laid", where: "[data-place]", onDrop: (node, place) => this.#drop(node, place) }));
    this.element.addEventListener("click", ({ target }) => this.#press(/** @type {Element} */ (target).closest(".b-laid")));
  }

  /**
   * Draw the slots of what may still be changed.
   *
   * @param {Begun[]} begun of the kind `program`, of characters that are on the board.
   * @param {any} play
   * @param {{unit: number, placeOf: (character: string) => {x: number, y: number, scale: number}|null}} now
   */
  update(begun, play, { unit, placeOf }) {
    const strips = begun.flatMap((entry) => stripOf(entry, play, placeOf) ?? []);
    this.#strips = new Map(strips.map((strip) => [strip.decision.id, strip]));
    const drawn = JSON.stringify([strips, unit]);
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.#feet.clear();
      this.#covered = new Set(strips.filter(({ crowded }) => crowded).map(({ cell }) => cell));
      const cells = [...new Set(strips.map(({ cell }) => cell))];
      this.element.replaceChildren(...cells.flatMap((cell) => this.#row(strips.filter((each) => each.cell === cell), unit)));
    }
  }

  /** Whether slots lie over the name of a room. */
  covers(cell) {
    return this.#covered.has(cell);
  }

  /** How far down the slots of a decision reach, in the drawing's units; 0: it has none. */
  footOf({ id }) {
    return this.#feet.get(id) ?? 0;
  }

  /** All slots in one room, side by side in the order in which their figures stand; where these stand in rows, above them. */
  #row(strips, unit) {
    const [{ cell, head, foot, crowded }] = strips;
    const count = strips.reduce((sum, strip) => sum + strip.count, 0);
    const side = Math.min(Math.max(SIDE.pixels * unit, SIDE.units), (TILE + GAP) / count);
    const edge = corner(cell);
    const y = crowded ? Math.max(head - side, edge.y - OVER) : Math.min(foot, edge.y + TILE + OVER - side);
    strips.forEach(({ decision }) => this.#feet.set(decision.id, Math.max(foot, y + side)));
    let [free, rest] = [edge.x - GAP / 2, count * side];
    return [...strips]
      .sort((one, other) => one.x - other.x)
      .map((strip) => {
        const width = strip.count * side;
        const x = Math.min(Math.max(strip.x - width / 2, free), edge.x + TILE + GAP / 2 - rest);
        [free, rest] = [x + width, rest - width];
        return this.#strip(strip, { x, y, side, unit });
      });
  }

  #strip({ decision, plan, slots, count }, at) {
    const tokens = [...plan.tokens.slice(0, slots), plan.adrenaline ? ADRENALINE : NONE].slice(0, count);
    return s(
      "g",
      { dataset: { decision: decision.id } },
      tokens.map((token, i) => this.#slot(token, { ...at, x: at.x + i * at.side, number: i + 1, third: i === slots })),
    );
  }

  #slot(token, { x, y, side, unit, number, third }) {
    const laid = token !== NONE;
    const label = third ? this.book.action(ADRENALINE).name : t("room25/play.program.slot", { slot: number });
    const text = laid ? `${label}: ${this.book.action(token).name} (${t("room25/play.program.take_back")})` : `${label} (${t("room25/board.slot.empty")})`;
    const size = Math.max(12, READABLE * unit);
    const props = { class: ["b-slot", laid && "b-laid"], dataset: { place: String(number), ...(laid && { card: token, about: `action:${token}` }) } };
    return s(
      "g",
      props,
      s("title", {}, text),
      s("rect", { x: x + 1, y: y + 1, width: side - 2, height: side - 2, rx: third ? side / 2 : 5 }),
      laid && pictogram("action", token, { x: x + 4, y: y + 4, size: side - 8 }),
      !laid && !third && size < side && s("text", { x: x + side / 2, y: y + side / 2 + 0.36 * size, "text-anchor": "middle", "font-size": size }, String(number)),
    );
  }

  #of(node) {
    return this.#strips.get(node.closest("[data-decision]").dataset.decision);
  }

  #drop(node, place) {
    const strip = this.#of(node);
    const card = { token: node.dataset.card, why: null, full: false };
    strip?.change(dropped(strip.plan, card, slotOf(strip.decision, place)));
  }

  /** A press takes a card back. */
  #press(node) {
    const strip = node && this.#of(node);
    strip?.change(turned(strip.plan, { token: node.dataset.card, slot: Number(node.dataset.place) - 1, why: null }));
  }
}

/** @returns {Strip|null} null: what is handed in cannot be changed here, or its figure is not on the board. */
function stripOf({ decision, begun, change }, play, placeOf) {
  const place = placeOf(decision.subject);
  const { slots, adrenaline } = shapeOf(decision.options);
  const count = slots + Number(adrenaline);
  if (change === null || place === null || count === 0) {
    return null;
  }
  const { cell } = play.characters[decision.subject];
  const around = Object.values(play.characters).flatMap((each) => (each.cell === cell ? (placeOf(each.id) ?? []) : []));
  const head = Math.min(...around.map(({ y, scale }) => y - FOOT * scale));
  const foot = Math.max(...around.map(({ y, scale }) => y + FOOT * scale));
  const crowded = around.some(({ y }) => y !== place.y);
  return { decision, change, plan: begun ?? emptyPlan(slots), slots, count, x: place.x, cell, head, foot, crowded };
}

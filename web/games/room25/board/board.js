/** The complex, drawn: tiles, figures, robots and arrows as groups that stay the same while they move, turn and change. */

import { s } from "../../../dom.js";
import { arrowBeyond, besideArrow, drawArrows, showArrow } from "./arrows.js";
import { backdrop, patterns } from "./backdrop.js";
import { FigureLayer } from "./figure-layer.js";
import { CENTRE } from "../fold/grid.js";
import { EXTENT, MARGIN, TILE, corner, neighbours } from "./geometry.js";
import { Ghosts } from "./ghosts.js";
import { squareText } from "./labels.js";
import { Preview } from "./preview.js";
import { FOOT } from "./program-slots.js";
import { figureMarks, squares } from "./scene.js";
import { targets } from "./targets.js";
import { fetchHeroes, hasHeroes } from "./scenery.js";
import { drawTile } from "./tile.js";
import { patch } from "../../../patch.js";
import { t } from "../../../words.js";

/** @import { ComplexBook } from "../words/book.js" */

const KEYS = { ArrowUp: "up", ArrowRight: "right", ArrowDown: "down", ArrowLeft: "left" };

/**
 * A board for one table.
 *
 * @param {BoardOptions} options `onChoose` replaces what a click on something choosable
 *   does: choose the only option that lies there, or show those that do.
 * @returns {import("../../contract.js").Board} `update` takes a
 *   table's state and `{viewer, choices, begun, changed, unit}`: `choices` maps a cell, a line (`row1:left`), a character or
 *   a robot (`robot1`) to the entries of `createPlay(…).choices`; `changed` are those to be ringed. Everything is at its place at once; `motion.js`
 *   shows how it got there.
 */
export function createBoard(options) {
  const board = new Board(options);
  return {
    element: board.element,
    fit: () => {}, // all complexes are as large
    update: (state, now) => board.update(state, now),
    point: (decision, option) => board.point(option),
    spared: ".b-choosable, .b-figure",
    spot: (answer) => board.spot(answer),
    destroy: () => board.destroy(),
  };
}

function choose(key, entries) {
  if (entries.length === 1) {
    entries[0].choose();
  } else {
    entries[0].narrow(key);
  }
}

/** @typedef {{book: ComplexBook, onCell?: (cell: string, how: "hover"|"click") => void, onChoose?: (key: string, entries: Array) => void}} BoardOptions */

class Board {
  #tiles = new Map();
  #cells = new Map();
  #arrows = drawArrows();
  #choices = new Map();
  /** The cell that the tabulator key reaches while nothing is to be chosen. */
  #roving = CENTRE;
  #hovered = null;
  /** The arrow that a finger has met once: the second time it is meant. */
  #met = /** @type {string|null} */ (null);
  #unit = 1;
  /** What the board was drawn of last. @type {[any, Partial<import("../../contract.js").BoardNow>]|null} */
  #last = null;

  /** @param {BoardOptions} options */
  constructor({ book, onCell, onChoose = choose }) {
    this.book = book;
    this.onCell = onCell;
    this.onChoose = onChoose;
    this.ground = s("g", { class: "b-tiles" });
    this.figures = new FigureLayer(book);
    this.ghosts = new Ghosts(book);
    this.element = s(
      "svg",
      { class: "b-board", viewBox: `0 0 ${EXTENT} ${EXTENT}`, role: "group", "aria-label": t("room25/board.label") },
      patterns(),
      backdrop(),
      this.ground,
      s("g", { class: "b-arrows" }, [...this.#arrows.values()]),
      this.ghosts.under,
      this.figures.element,
      this.ghosts.over,
      this.ghosts.slots.element,
      s("g", { class: "b-effects", "aria-hidden": "true" }),
    );
    this.preview = new Preview(this.element, (cell) => [...(this.#cells.has(cell) ? [this.#cells.get(cell).group] : []), ...this.figures.standing(cell)]);
    this.element.addEventListener("click", (event) => this.#pressed(event));
    this.element.addEventListener("keydown", (event) => this.#key(event));
    // A pointer takes no focus, so that the keys of the page go on working.
    this.element.addEventListener("mousedown", (event) => event.preventDefault());
    this.element.addEventListener("pointerover", (event) => this.#hover(event));
    this.element.addEventListener("pointerover", (event) => this.#preview(event.target, event.pointerType !== "mouse"));
    this.element.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.preview.show(null));
    this.element.addEventListener("focusin", (event) => this.#preview(event.target));
    this.element.addEventListener("focusout", () => this.preview.show(null));
    fetchHeroes(() => this.#last && this.update(...this.#last));
  }

  /** @param {any} state @param {Partial<import("../../contract.js").BoardNow>} now */
  update(state, { viewer = "public", choices = new Map(), begun = [], changed = [], unit = 1 } = {}) {
    const play = state.play ?? {};
    this.#last = [state, { viewer, choices, begun, changed, unit }];
    const ring = new Set(changed);
    this.#choices = choices;
    const pointed = this.preview.shown;
    this.preview.show(null);
    this.#met = this.#met !== null && choices.has(this.#met) ? this.#met : null;
    this.#unit = unit;
    const drawn = squares(state, this.book);
    this.#tilesTo(drawn, play, ring);
    this.figures.update(state, drawn, { viewer, choices, ring, unit });
    const planned = this.ghosts.update(play, { choices, begun, unit, placeOf: (character) => this.figures.placeOf(character) });
    this.#cells.forEach(({ group }, cell) => group.classList.toggle("b-headless", this.ghosts.slots.covers(cell)));
    const told = this.onCell !== undefined && [...choices.keys()].some((key) => this.#arrows.has(key));
    for (const [key, arrow] of this.#arrows) {
      arrow.classList.toggle("b-may-move", planned.has(key));
      const rung = ring.has(key) || ring.has(key.split(":")[0]);
      showArrow(arrow, key, { markers: play.markers ?? {}, chosen: choices.get(key), told, changed: rung, book: this.book });
    }
    this.element.classList.toggle("b-asking", choices.size > 0);
    this.element.dataset.lamp = lamp(state);
    this.preview.show(choices.has(pointed) ? pointed : this.#met);
  }

  /** Near what has been chosen, or else whom the decision is for; answers to all else stand at the foot, where only arrows are. */
  spot({ decision, at }) {
    if (this.#cells.has(at)) {
      const { x, y } = corner(at);
      return { left: x, right: x + TILE, top: y, bottom: y + TILE };
    }
    const place = this.figures.placeOf(at ?? decision.subject);
    if (place !== null) {
      const { x, y, scale } = place;
      const half = FOOT * scale;
      return { left: x - half, right: x + half, top: y - half, bottom: Math.max(y + half, this.ghosts.slots.footOf(decision)) };
    }
    return { left: MARGIN, right: EXTENT - MARGIN, top: EXTENT - MARGIN, bottom: EXTENT - MARGIN };
  }

  /** Mark what an option of the list is about, and show how a line would move; null: nobody points at any. */
  point(option) {
    const keys = new Set(option === null ? [] : targets(option));
    this.#cells.forEach(({ group }, cell) => group.classList.toggle("b-pointed", keys.has(cell)));
    this.figures.point(keys);
    const [first] = keys;
    this.preview.show(first ?? this.#met);
  }

  /** While one points at an arrow that can be chosen, its line shows how it would move. A finger leaves it so. */
  #preview(target, stays = false) {
    const { line, way } = target.closest?.(".b-arrow.b-choosable")?.dataset ?? {};
    if (line || !stays) {
      this.preview.show(line ? `${line}:${way}` : this.#met);
    }
  }

  destroy() {
    this.element.remove();
  }

  #tilesTo(drawn, play, ring) {
    const here = new Set(drawn.map((square) => square.id));
    [...this.#tiles.keys()].filter((id) => !here.has(id)).forEach((id) => this.#tiles.delete(id));
    this.#cells.clear();
    for (const square of drawn) {
      const tile = this.#tiles.get(square.id) ?? this.#newTile(square);
      this.#cells.set(square.cell, tile);
      this.#show(tile, square, play, ring.has(square.cell));
    }
    // Screen readers go by the tree: it reads row by row, wherever rooms have been moved to.
    patch(this.ground, [...this.#cells.values()].map(({ group }) => group));
  }

  #newTile(square) {
    const group = s(
      "g",
      { class: "b-tile" },
      s("title"),
      s("rect", { class: "b-choice", x: -3, y: -3, width: TILE + 6, height: TILE + 6, rx: 12 }),
    );
    const tile = { group, drawn: "", said: "", text: "" };
    this.#tiles.set(square.id, tile);
    return tile;
  }

  #show(tile, square, play, changed) {
    const { group } = tile;
    const { x, y } = corner(square.cell);
    group.style.setProperty("transform", `translate(${x}px, ${y}px)`);
    group.dataset.cell = square.cell;
    group.dataset.about = square.cell;
    const signature = JSON.stringify({ ...square, cell: null, unit: this.#unit, heroes: hasHeroes() });
    if (signature !== tile.drawn) {
      group.querySelector(".b-face")?.remove();
      group.querySelector(".b-cover, .b-choice").before(drawTile(square, this.book, this.#unit));
      tile.drawn = signature;
    }
    group.classList.toggle("b-changed", changed);
    this.#label(tile, square, play);
  }

  #label(tile, square, play) {
    const { group } = tile;
    const entries = this.#choices.get(square.cell);
    const text = this.#text(tile, square, play);
    group.setAttribute("aria-label", entries ? t("board.choose", { text }) : text);
    group.setAttribute("role", entries || this.onCell ? "button" : "img");
    group.classList.toggle("b-choosable", entries !== undefined);
    if (entries || this.onCell) {
      group.setAttribute("tabindex", entries || square.cell === this.#roving ? "0" : "-1");
    } else {
      group.removeAttribute("tabindex");
    }
  }

  /** What the tile says; words are slow to make, and most tiles say what they said before. */
  #text(tile, square, play) {
    const said = JSON.stringify([
      square,
      square.figures.map((id) => figureMarks(play, play.characters[id])),
      square.figures.find((id) => id === play.actor),
    ]);
    if (said !== tile.said) {
      tile.said = said;
      tile.text = squareText(square, play, this.book);
      tile.group.querySelector("title").textContent = [tile.text, square.kind && this.book.room(square.kind).effect]
        .filter(Boolean)
        .join("\n");
    }
    return tile.text;
  }

  #pressed(event) {
    const target = event.target.closest(".b-tile, .b-arrow, .b-figure");
    const { line, way } = target?.dataset ?? {};
    const arrow = line ? `${line}:${way}` : null;
    const entries = arrow === null ? undefined : this.#choices.get(arrow);
    if (entries && event.pointerType === "touch" && this.#met !== arrow) {
      this.#met = arrow;
      this.preview.show(arrow);
      entries[0].mean();
    } else {
      this.#activate(target);
    }
  }

  #activate(target) {
    const { cell, line, way, figure, robot } = target?.dataset ?? {};
    const key = cell ?? figure ?? (line ? `${line}:${way}` : robot ? `robot${robot}` : null);
    const entries = this.#choices.get(key);
    if (entries) {
      this.onChoose(key, entries);
    } else if (key !== null) {
      this.onCell?.(key, "click");
    }
    return key !== null;
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    if (event.key === "Enter" || event.key === " ") {
      if (this.#activate(event.target.closest(".b-tile, .b-arrow, .b-figure"))) {
        event.preventDefault();
        event.stopPropagation();
      }
    } else if (event.key in KEYS && (event.target.dataset?.cell || event.target.dataset?.line)) {
      event.preventDefault();
      event.stopPropagation();
      const { cell, line, way } = event.target.dataset;
      this.#step(cell ?? `${line}:${way}`, KEYS[event.key]);
    }
  }

  /** Go on from a cell or an arrow to what lies beside it. */
  #step(from, to) {
    const next = this.#arrows.has(from) ? besideArrow(from, to) : (neighbours(from).get(to) ?? arrowBeyond(from, to));
    const target = this.#arrows.get(next) ?? this.#cells.get(next)?.group;
    if (!target || target.getAttribute("tabindex") === null) {
      return;
    }
    if (this.#cells.has(next)) {
      this.#rove(next);
    }
    target.focus();
  }

  /** Let the tabulator key reach another cell. */
  #rove(next) {
    if (!this.#choices.has(this.#roving)) {
      this.#cells.get(this.#roving)?.group.setAttribute("tabindex", "-1");
    }
    this.#roving = next;
    this.#cells.get(next).group.setAttribute("tabindex", "0");
  }

  #hover(event) {
    const cell = event.target.closest(".b-tile")?.dataset.cell ?? null;
    if (cell !== this.#hovered) {
      this.#hovered = cell;
      if (cell !== null && event.pointerType === "mouse") {
        this.onCell?.(cell, "hover");
      }
    }
  }
}

/** What the lamp over the complex says: programmes are made, actions are carried out, the countdown, the end, or nothing. */
function lamp({ phase, play }) {
  if (phase !== "live" || play?.end) {
    return play?.end || phase === "finished" ? "over" : "off";
  }
  const lamps = { programming: "programming", round_1: "action", round_2: "action", adrenaline: "action", countdown: "countdown" };
  return lamps[play?.phase] ?? "off";
}

/** The town, drawn: ground and walls, pieces that stay the same while they move, and a grid of cells to point at. */

import { s } from "../../../dom.js";
import { EdgeLayer } from "./edge-layer.js";
import { figure } from "./figures.js";
import { CELL, MARGIN, cornerOf, drawEdges, drawTown, middleOf } from "./ground.js";
import { cellText } from "./labels.js";
import { lensOf } from "./lens.js";
import { inspection, marks, planned, plannedWays } from "./overlays.js";
import { isCell, isEdge } from "./places.js";
import { playAt } from "./plan.js";
import { drawSigns } from "./signs.js";
import { buildingTarget, targets } from "./targets.js";
import { townOf } from "./town.js";
import { initialPlay } from "../fold/state.js";
import { seatOf } from "../../../viewer.js";
import { t } from "../../../words.js";

/** @import { TownBook } from "../words/book.js" */
/** @import { Town } from "./town.js" */

const KEYS = { ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0] };
/** A finger that misses finds what can be chosen next to it. */
const NEAR = 1;
/** With more places than this to choose from, the keyboard comes to one of them and goes on by its arrows. */
const STOPS = 24;

/** @type {import("../../contract.js").GameBoard["create"]} */
export function createBoard(options) {
  const board = new Board(options);
  return {
    element: board.element,
    fit: (state) => board.fit(state),
    update: (state, now) => board.update(state, now),
    point: (_, option) => board.point(option),
    spared: ".cv-choice, .cv-edge-choice, .cv-piece",
    spot: (answer) => board.spot(answer),
    destroy: () => board.destroy(),
  };
}

const layer = (name) => s("g", { class: `cv-layer-${name}` });

class Board {
  #town = /** @type {Town|null} */ (null);
  #play = /** @type {Told.CerveauuuState} */ (/** @type {unknown} */ (null));
  #cells = /** @type {Array<{element: SVGRectElement, said: string}>} */ ([]);
  #figures = new Map();
  /** The pieces on each cell. */
  #standing = new Map();
  #choices = new Map();
  #changed = /** @type {string[]} */ ([]);
  #roving = 0;
  #unit = 1;
  #inspected = /** @type {number|null} */ (null);
  /** What a list points at. */
  #pointed = /** @type {string[]} */ ([]);

  /** @param {{book: TownBook, onCell?: (target: string, how: "hover"|"click") => void}} options */
  constructor({ book, onCell }) {
    this.book = book;
    this.onCell = onCell;
    this.lens = lensOf(book);
    this.ground = layer("ground");
    this.under = layer("under");
    this.edges = layer("edges");
    this.ways = layer("ways");
    this.pieces = layer("pieces");
    this.signs = layer("signs");
    this.over = layer("over");
    this.grid = layer("grid");
    this.offered = new EdgeLayer(book, { told: onCell !== undefined, stops: STOPS });
    this.element = s(
      "svg",
      { class: "cv-board", viewBox: "0 0 500 500", role: "group", "aria-label": t("cerveauuu/board.label") },
      this.ground,
      this.under,
      this.edges,
      this.ways,
      this.pieces,
      this.signs,
      this.over,
      this.grid,
    );
    this.element.addEventListener("click", (event) => this.#pressed(event));
    this.element.addEventListener("keydown", (event) => this.#key(event));
    // A pointer takes no focus, so that the keys of the page go on working.
    this.element.addEventListener("mousedown", (event) => event.preventDefault());
    this.element.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.#inspect(numberOf(event.target)));
    this.element.addEventListener("pointerleave", () => this.#inspect(null));
    this.element.addEventListener("focusin", (event) => this.#inspect(numberOf(event.target)));
    this.element.addEventListener("focusout", () => this.#inspect(null));
    this.unlisten = this.lens.listen(() => this.#show());
  }

  /** Towns have more than one size. @param {any} state */
  fit(state) {
    this.#play = playOf(state, this.book);
    const town = townOf(this.#play, this.book);
    const extent = town && `0 0 ${MARGIN + CELL * town.width + 4} ${MARGIN + CELL * town.height + 4}`;
    if (extent !== null && extent !== this.element.getAttribute("viewBox")) {
      this.element.setAttribute("viewBox", extent);
    }
  }

  /** @param {any} state @param {import("../../contract.js").BoardNow} now */
  update(state, { viewer, choices, changed, unit }) {
    this.fit(state);
    const town = townOf(this.#play, this.book);
    this.#choices = choices;
    this.#changed = changed;
    if (town === null) {
      return;
    }
    this.element.classList.toggle("cv-asking", choices.size > 0);
    if (town !== this.#town || unit !== this.#unit) {
      this.#unit = unit;
      this.#lay(town);
    }
    this.#standing = Map.groupBy(Object.values(this.#play.pieces), (piece) => piece.cell);
    this.#place(seatOf(viewer));
    this.offered.update(town, this.#play, choices);
    this.#show();
  }

  /** Mark what an option of a list is about. */
  point(option) {
    this.#pointed = option === null ? [] : targets(option);
    if (this.#town !== null) {
      this.#drawOver();
    }
  }

  /** Near what has been chosen, or else whom the decision is for; answers to all else stand at the head of the town. */
  spot({ decision, at }) {
    const town = this.#town;
    const cell = [at, decision.subject].map((target) => this.#play.pieces[target]?.cell ?? target).find(isCell);
    if (town === null) {
      return null;
    }
    if (cell === undefined) {
      return { left: MARGIN, right: MARGIN + CELL * town.width, top: 0, bottom: 0 };
    }
    const { x, y } = cornerOf(town, town.cell(cell));
    return { left: x, right: x + CELL, top: y, bottom: y + CELL };
  }

  destroy() {
    this.unlisten();
    this.element.remove();
  }

  /** Draws the town anew: it has just been set up, or a card has changed it. */
  #lay(town) {
    const { book } = this;
    const sized = this.#town?.size === town.size && this.#town?.width === town.width;
    this.#town = town;
    const nameOf = (letter) => shortName(book.building(this.#play.map, letter));
    this.ground.replaceChildren(...drawTown(town));
    this.signs.replaceChildren(...drawSigns(town, nameOf, this.#unit));
    this.edges.replaceChildren(drawEdges(town));
    if (sized) {
      return;
    }
    this.#roving = Math.floor(town.size / 2 + town.width / 2);
    this.#cells = Array.from({ length: town.size }, (_, cell) => {
      const { x, y } = cornerOf(town, cell);
      const props = { class: "cv-cell", x, y, width: CELL, height: CELL, tabindex: "-1", dataset: { cell: town.id(cell), at: String(cell), about: town.id(cell) } };
      return { element: s("rect", props), said: "" };
    });
    this.grid.replaceChildren(...this.#cells.map(({ element }) => element), this.offered.clear());
  }

  #place(own) {
    const play = this.#play;
    const town = /** @type {Town} */ (this.#town);
    for (const [id, { group }] of this.#figures) {
      if (!play.pieces[id]) {
        group.remove();
        this.#figures.delete(id);
      }
    }
    const taken = new Map();
    for (const piece of Object.values(play.pieces)) {
      const shared = taken.get(piece.cell) ?? 0;
      taken.set(piece.cell, shared + 1);
      const { x, y } = middleOf(town, town.cell(piece.cell));
      const known = this.#figures.get(piece.id) ?? this.#newFigure(piece.id);
      const drawn = JSON.stringify([{ ...piece, cell: null, touched_by: null }, play.colours[piece.controller ?? 0], own]);
      if (known.drawn !== drawn) {
        known.drawn = drawn;
        known.group.replaceChildren(figure(piece, play));
        known.group.classList.toggle("cv-own", own !== null && piece.controller === own);
      }
      known.group.style.setProperty("transform", `translate(${x + 5 * shared}px, ${y - 5 * shared}px)`);
    }
  }

  #newFigure(id) {
    const group = s("g", { class: "cv-piece", dataset: { piece: id } });
    this.pieces.append(group);
    const made = { group, drawn: "" };
    this.#figures.set(id, made);
    return made;
  }

  /** What depends on the moment that is looked at. */
  #show() {
    if (this.#town !== null) {
      this.#label();
      this.#drawOver();
    }
  }

  /** Says of each cell what it holds, and whether it can be chosen. */
  #label() {
    const play = this.#play;
    const town = /** @type {Town} */ (this.#town);
    const few = this.#choices.size <= STOPS;
    this.#cells.forEach((known, cell) => {
      const text = cellText(this.book, play, town, cell, this.#standing.get(town.id(cell)) ?? []);
      const chosen = this.#keyAt(cell) !== null;
      const said = chosen ? t("board.choose", { text }) : text;
      if (known.said !== said) {
        known.said = said;
        known.element.setAttribute("aria-label", said);
      }
      known.element.setAttribute("role", chosen || this.onCell ? "button" : "img");
      known.element.setAttribute("tabindex", (chosen && few) || cell === this.#roving ? "0" : "-1");
    });
  }

  #drawOver() {
    const town = /** @type {Town} */ (this.#town);
    const play = this.#play;
    const then = playAt(play, this.lens.anchor);
    const inspected = this.#inspected === null ? null : this.#standing.get(town.id(this.#inspected))?.[0];
    const subjects = chosenSoFar([...this.#choices.values()].flat()).filter((id) => play.pieces[id] || isCell(id));
    this.under.replaceChildren(...flat(inspected ? inspection(play, town, inspected) : []), ...flat(marks(then, town, this.#targets(), "cv-choice")), ...flat(marks(then, town, subjects, "cv-inspected")), ...flat(marks(then, town, this.#pointed, "cv-pointed")));
    this.ways.replaceChildren(...flat(plannedWays(play, town)));
    this.over.replaceChildren(...flat(planned(play, town, this.lens.anchor)), ...flat(marks(play, town, this.#changed, "cv-changed")));
  }

  /** What is marked as to be chosen: a building by its cells, an edge by itself and not by the cells that lead to it. */
  #targets() {
    const town = /** @type {Town} */ (this.#town);
    const cells = this.#cells.map((_, cell) => cell).filter((cell) => this.#choices.has(buildingTarget(town.buildings[cell])));
    const own = [...this.#choices].filter(([key, entries]) => entries.some(({ option }) => !isCell(key) || !targets(option).some(isEdge)));
    return [...own.map(([key]) => key).filter((key) => !isEdge(key)), ...cells.map((cell) => town.id(cell))];
  }

  /** The target that is chosen on a cell: who stands there, the cell itself, or its building; null: nothing. */
  #keyAt(cell) {
    if (this.#choices.size === 0) {
      return null;
    }
    const town = /** @type {Town} */ (this.#town);
    const id = town.id(cell);
    const { anchor } = this.lens;
    const then = anchor === null ? [] : Object.values(playAt(this.#play, anchor).pieces).filter((piece) => piece.cell === id);
    const pieces = [...then, ...(this.#standing.get(id) ?? [])].map((piece) => piece.id);
    return [...pieces, id, buildingTarget(town.buildings[cell])].find((key) => this.#choices.has(key)) ?? null;
  }

  #pressed(event) {
    const cell = numberOf(event.target);
    const edge = edgeOf(event.target);
    const touch = event.pointerType === "touch";
    if (edge !== null) {
      this.#chooseEdge(edge, touch);
    } else if (cell !== null) {
      const near = touch && this.#keyAt(cell) === null ? this.#nearest(cell) : null;
      this.#activate(near ?? cell, touch);
    }
  }

  /** The one cell round another on which something can be chosen; null: none, or several. */
  #nearest(cell) {
    const town = /** @type {Town} */ (this.#town);
    const round = this.#cells
      .map((_, other) => other)
      .filter((other) => Math.abs(town.x(other) - town.x(cell)) <= NEAR && Math.abs(town.y(other) - town.y(cell)) <= NEAR);
    const found = round.filter((other) => this.#keyAt(other) !== null);
    return found.length === 1 ? found[0] : null;
  }

  #activate(cell, touch = false) {
    const key = this.#keyAt(cell);
    if (key !== null) {
      this.#choose(key, touch);
      return;
    }
    this.#inspect(cell);
    this.onCell?.(/** @type {Town} */ (this.#town).id(cell), "click");
  }

  #chooseEdge(edge, touch = false) {
    if (this.#choices.has(edge)) {
      this.#choose(edge, touch);
    } else {
      this.onCell?.(edge, "click");
    }
  }

  /** A finger covers several cells, so it chooses in two steps: what it met, and that it was meant. */
  #choose(key, touch = false) {
    const entries = this.#choices.get(key) ?? [];
    const [first] = entries;
    const isSure = !touch || first?.option.branch || this.#choices.size === targets(first.option).length;
    if (entries.length === 1 && isSure) {
      first.choose();
    } else {
      first?.narrow(key);
    }
  }

  #inspect(cell) {
    if (cell !== this.#inspected && this.#town !== null) {
      this.#inspected = cell;
      this.#drawOver();
    }
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const cell = numberOf(event.target);
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      const edge = edgeOf(event.target);
      if (cell !== null) {
        this.#activate(cell);
      } else if (edge !== null) {
        this.#chooseEdge(edge);
      }
    } else if (event.key in KEYS && cell !== null) {
      event.preventDefault();
      event.stopPropagation();
      this.#step(cell, KEYS[event.key]);
    }
  }

  #step(cell, [dx, dy]) {
    const town = /** @type {Town} */ (this.#town);
    const [x, y] = [town.x(cell) + dx, town.y(cell) + dy];
    if (x < 0 || y < 0 || x >= town.width || y >= town.height) {
      return;
    }
    if (this.#keyAt(this.#roving) === null || this.#choices.size > STOPS) {
      this.#cells[this.#roving].element.setAttribute("tabindex", "-1");
    }
    this.#roving = y * town.width + x;
    const { element } = this.#cells[this.#roving];
    element.setAttribute("tabindex", "0");
    element.focus();
  }
}

/** What is played; of a game that has not begun, in the town in which it is to be. */
function playOf({ play, options }, book) {
  return play?.map ? play : { ...initialPlay(), map: options?.map ?? book.json.maps[0].id };
}

/** Whom the choices are about: whom the decision is for, and what leads to its options. */
function chosenSoFar(entries) {
  return [...new Set(entries.flatMap(({ decision, option }) => [decision.subject, ...option.id.split(".").slice(0, -1)]))];
}

const flat = (nodes) => nodes.flat(Infinity).filter(Boolean);

/** A building's sign has no room for an article. */
const shortName = (name) => name.replace(/^(the|le|la|les|l’|l')\s*/i, "");

/** The edge that an event met; null: none. */
const edgeOf = (target) => target?.closest?.("[data-edge]")?.dataset.edge ?? null;

/** The number of the cell that an event met. */
function numberOf(target) {
  const at = target?.dataset?.at;
  return at === undefined ? null : Number(at);
}

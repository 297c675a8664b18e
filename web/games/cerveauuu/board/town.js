/** The map with all that cards have changed on it: what a step passes and what sight passes (pure). */

import { cellAt, placeOf } from "./places.js";

const SIGNS = { " ": "open", "|": "wall", "-": "wall", D: "door_open", X: "door_closed", B: "breach" };
/** The order of directions wherever one is needed: N, E, S, W, NE, SE, SW, NW. */
/** @type {Array<[number, number]>} */
const DIRECTIONS = [[0, -1], [1, 0], [0, 1], [-1, 0], [1, -1], [1, 1], [-1, 1], [-1, -1]];
const CROSSED = new Set(["open", "breach", "door_open"]);
const FREE = new Set(["open", "breach"]);

/** @type {{parts: any[], town: Town|null}} */
const latest = { parts: [], town: null };

/**
 * The town of a play; the same object as long as nothing in it has changed.
 *
 * @param {{map: string, edges: Object, cells: Object}|null} play its map is the name of one of the rulebook's, or a text.
 * @param {{has: (part: string, id: string) => boolean, entry: (part: string, id: string) => any}} book
 * @returns {Town|null} null: there is no map yet.
 */
export function townOf(play, book) {
  if (!play?.map) {
    return null;
  }
  const text = book.has("maps", play.map) ? book.entry("maps", play.map).text : play.map;
  const parts = [text, play.edges, play.cells];
  if (!parts.every((part, i) => part === latest.parts[i])) {
    Object.assign(latest, { parts, town: new Town(text, play.edges, play.cells) });
  }
  return latest.town;
}

/** Cells are numbers, row by row; edge 2n lies to the east of cell n, edge 2n + 1 to its south. */
export class Town {
  #neighbours = new Map();

  /**
   * @param {string} map the text of a map.
   * @param {Object<string, Array<[string, string]>>} edges what has become of edges, the latest last.
   * @param {Object<string, Array<[string, string]>>} cells the same of cells.
   */
  constructor(map, edges, cells) {
    const lines = map.split("\n").filter((line) => line !== "");
    this.height = (lines.length - 1) / 2;
    this.width = (lines[0].length - 1) / 2;
    this.size = this.width * this.height;
    const all = Array.from({ length: this.size }, (_, cell) => cell);
    const sign = (cell, right, down) => lines[2 * this.y(cell) + 1 + down][2 * this.x(cell) + 1 + right];
    const grounds = all.map((cell) => sign(cell, 0, 0));
    this.buildings = grounds.map((ground) => (/[a-z]/.test(ground) ? ground : null));
    this.stored = all.flatMap((cell) => [SIGNS[sign(cell, 1, 0)], SIGNS[sign(cell, 0, 1)]]);
    for (const [edge, changes] of Object.entries(edges)) {
      this.stored[2 * this.cell(edge.slice(0, -1)) + (edge.endsWith("s") ? 1 : 0)] = changes.at(-1)?.[0] ?? "wall";
    }
    const flagged = (what) =>
      new Set(Object.entries(cells).filter(([, list]) => list.some(([flag]) => flag === what)).map(([cell]) => this.cell(cell)));
    this.impassable = new Set([...all.filter((cell) => grounds[cell] === "#"), ...flagged("impassable")]);
    this.opaque = flagged("opaque");
    this.states = this.stored.map((state, edge) => (this.#isWalled(edge) ? "wall" : state));
    this.blocks = this.states.map(
      (state, edge) => !CROSSED.has(state) || this.#cellsOf(edge).some((cell) => this.opaque.has(cell)),
    );
  }

  x(cell) {
    return cell % this.width;
  }

  y(cell) {
    return Math.floor(cell / this.width);
  }

  /** The number of a cell by its id. */
  cell(id) {
    const { x, y } = placeOf(id);
    return y * this.width + x;
  }

  /** The id of a cell by its number. */
  id(cell) {
    return cellAt(this.x(cell), this.y(cell));
  }

  /** The cells that are one legal step away, pieces ignored. */
  neighbours(cell) {
    if (!this.#neighbours.has(cell)) {
      this.#neighbours.set(cell, this.#steps(cell, this.states));
    }
    return this.#neighbours.get(cell);
  }

  /** The same for a piece that is to move: out of an impassable cell leads a step by what its sides are in themselves. */
  stepsOut(cell) {
    if (!this.impassable.has(cell)) {
      return this.neighbours(cell);
    }
    const own = new Set(this.#sides(cell));
    const states = this.states.map((state, edge) => (own.has(edge) ? this.stored[edge] : state));
    return this.#steps(cell, states).filter((end) => !this.impassable.has(end));
  }

  adjacent(a, b) {
    return this.neighbours(a).includes(b);
  }

  /** The edge between two orthogonal neighbours. */
  edge(a, b) {
    const [near, far] = a < b ? [a, b] : [b, a];
    return far - near === 1 && far % this.width ? 2 * near : 2 * near + 1;
  }

  /** The number of an edge by its id. */
  edgeNumber(id) {
    return 2 * this.cell(id.slice(0, -1)) + (id.endsWith("s") ? 1 : 0);
  }

  edgeId(number) {
    return `${this.id(Math.floor(number / 2))}${number % 2 === 0 ? "e" : "s"}`;
  }

  /** The ids of all walls, breaches and doors between two cells. */
  get built() {
    return this.stored.flatMap((state, edge) => (state === "open" || this.#cellsOf(edge).length < 2 ? [] : [this.edgeId(edge)]));
  }

  /** What an edge is, by its id: what lies between its cells is stored, whatever they are. */
  stateOf(id) {
    return this.stored[this.edgeNumber(id)];
  }

  #steps(cell, states) {
    const [x, y] = [this.x(cell), this.y(cell)];
    const passes = (a, b, kinds) => kinds.has(states[this.edge(a, b)]);
    const isOpen = ([dx, dy]) => {
      if (x + dx < 0 || x + dx >= this.width || y + dy < 0 || y + dy >= this.height) {
        return false;
      }
      const end = cell + dy * this.width + dx;
      const round = [cell + dx, cell + dy * this.width];
      return dx && dy
        ? round.some((by) => passes(cell, by, FREE) && passes(by, end, FREE))
        : passes(cell, end, CROSSED);
    };
    return DIRECTIONS.filter(isOpen).map(([dx, dy]) => cell + dy * this.width + dx);
  }

  #isWalled(edge) {
    const cells = this.#cellsOf(edge);
    return cells.length < 2 || cells.some((cell) => this.impassable.has(cell));
  }

  /** The cells of an edge on the board: of the perimeter only one. */
  #cellsOf(edge) {
    const cell = Math.floor(edge / 2);
    if (edge % 2 === 0) {
      return this.x(cell) === this.width - 1 ? [cell] : [cell, cell + 1];
    }
    return this.y(cell) === this.height - 1 ? [cell] : [cell, cell + this.width];
  }

  #sides(cell) {
    return [2 * cell, 2 * cell + 1, 2 * (cell - 1), 2 * (cell - this.width) + 1].filter((edge) => edge >= 0);
  }
}

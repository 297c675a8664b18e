/** Shows how a line would move: its tiles, and who stands on them, slide a third of the way, and back when nobody points at it. */

import { GAP, TILE, lineOf } from "./geometry.js";

const THIRD = (TILE + GAP) / 3;
const STEPS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

export class Preview {
  #slid = /** @type {SVGElement[]} */ ([]);
  #shown = "";

  /**
   * @param {SVGElement} board gets the class `b-sliding` while something is shown.
   * @param {(cell: string) => SVGElement[]} standing the tile of a cell, and who stands there.
   */
  constructor(board, standing) {
    this.board = board;
    this.standing = standing;
  }

  /** The arrow whose line is shown; empty: none. */
  get shown() {
    return this.#shown;
  }

  /** Show the line of an arrow, `row1:left`; null, or what is no line: none. */
  show(arrow) {
    const wanted = arrow?.includes(":") ? arrow : "";
    if (wanted === this.#shown) {
      return;
    }
    this.#clear();
    this.#shown = wanted;
    if (wanted === "") {
      return;
    }
    const [line, way] = wanted.split(":");
    const { cells } = lineOf(line);
    const [x, y] = STEPS[way].map((step) => step * THIRD);
    const last = way === "left" || way === "up" ? cells[0] : cells.at(-1);
    this.#slid = cells.flatMap(this.standing);
    for (const each of this.#slid) {
      each.style.setProperty("translate", `${x}px ${y}px`);
      each.classList.add("b-slid");
    }
    // It leaves here, and comes back on the other side.
    this.standing(last ?? "").forEach((each) => each.classList.add("b-leaving"));
    this.board.classList.add("b-sliding");
    this.board.dataset.preview = wanted;
  }

  #clear() {
    for (const each of this.#slid) {
      each.style.removeProperty("translate");
      each.classList.remove("b-leaving", "b-slid");
    }
    this.#slid = [];
    delete this.board.dataset.preview;
    this.board.classList.remove("b-sliding");
  }
}

/** Arrows and circles over a board, in the units of the board's own drawing, so that they lie at the same places on every screen. */

import { clear, h, s } from "../dom.js";

/** @typedef {{shape: "arrow"|"circle", x: number, y: number, to_x: number, to_y: number}} Mark */

/** How long the head of an arrow is, as a part of the drawing's width. */
const HEAD = 0.03;

export class Marks {
  /** @type {"arrow"|"circle"|null} What is drawn next; null: nothing. */
  #tool = null;
  #from = /** @type {DOMPoint|null} */ (null);
  #marks = /** @type {Mark[]} */ ([]);

  /** @param {Element} stage holds the board's drawing. @param {(mark: Mark) => void} onMark somebody has drawn. */
  constructor(stage, onMark) {
    this.stage = stage;
    this.onMark = onMark;
    this.element = s("svg", { class: "tour-marks", "aria-hidden": "true" });
    this.element.addEventListener("pointerdown", (event) => this.#begin(event));
    this.element.addEventListener("pointerup", (event) => this.#end(event));
    this.size = new ResizeObserver(() => this.#fit());
    this.size.observe(stage);
    this.layer = h("div", { class: "tour-layer" }, this.element);
    stage.append(this.layer);
  }

  /** @param {"arrow"|"circle"|null} tool */
  use(tool) {
    this.#tool = tool;
    this.element.classList.toggle("drawing", tool !== null);
  }

  /** @param {Mark[]} marks */
  show(marks) {
    this.#marks = marks;
    this.#fit();
  }

  stop() {
    this.size.disconnect();
    this.layer.remove();
  }

  /** The board's drawing; null: it is no drawing now. @returns {SVGSVGElement|null} */
  get #board() {
    return this.stage.querySelector("svg:not(.tour-marks)");
  }

  /** Lie exactly over the board, and draw in its units. */
  #fit() {
    const board = this.#board;
    const extent = board?.getAttribute("viewBox");
    clear(this.element);
    if (!board || !extent) {
      return;
    }
    const frame = this.stage.getBoundingClientRect();
    const box = board.getBoundingClientRect();
    const place = { left: box.left - frame.left, top: box.top - frame.top, width: box.width, height: box.height };
    Object.entries(place).forEach(([name, px]) => this.element.style.setProperty(name, `${px}px`));
    this.element.setAttribute("viewBox", extent);
    const unit = board.viewBox.baseVal.width;
    this.element.append(...this.#marks.map((mark) => drawn(mark, unit)));
  }

  #point(event) {
    const matrix = this.#board?.getScreenCTM();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : null;
  }

  #begin(event) {
    this.#from = this.#tool === null ? null : this.#point(event);
  }

  #end(event) {
    const [from, to, shape] = [this.#from, this.#point(event), this.#tool];
    this.#from = null;
    if (from !== null && to !== null && shape !== null) {
      const [x, y, toX, toY] = [from.x, from.y, to.x, to.y].map(Math.round);
      this.onMark({ shape, x, y, to_x: toX, to_y: toY });
    }
  }
}

/** @param {Mark} mark @param {number} width of the drawing. */
function drawn({ shape, x, y, to_x: toX, to_y: toY }, width) {
  const length = Math.hypot(toX - x, toY - y);
  if (shape === "circle") {
    return s("circle", { class: "tour-mark", cx: x, cy: y, r: Math.max(length, HEAD * width) });
  }
  const angle = Math.atan2(toY - y, toX - x);
  const tip = (turn) => `${toX - HEAD * width * Math.cos(angle + turn)} ${toY - HEAD * width * Math.sin(angle + turn)}`;
  return s("path", { class: "tour-mark", d: `M${x} ${y}L${toX} ${toY}M${tip(0.5)}L${toX} ${toY}L${tip(-0.5)}` });
}

/** Draws characters and robots, and says where they stand on a tile. */

import { s } from "../../../dom.js";
import { drawBase, drawBust } from "./bust.js";
import { TILE, corner } from "./geometry.js";
import { pictogram } from "./pictograms.js";
import { READABLE } from "./lettering.js";
import { CROWD } from "./tile.js";

/**
 * A character: its colour, the shape of its base, its bust, and the marks that threaten it.
 *
 * @param {{id: string, shape: string, marks: string[]}} figure `marks` as `figureMarks` names them.
 * @returns {SVGElement} 20 units across round 0, 0.
 */
export function drawFigure({ id, shape, marks }) {
  const badge = ["trap", "flood"].find((mark) => marks.includes(mark));
  return s(
    "g",
    {
      class: [
        "b-figure-body",
        `b-is-${id}`,
        marks.includes("hidden") && "b-hidden",
        marks.includes("paranoid") && "b-paranoid",
      ],
    },
    s("g", { class: "b-halo" }, drawBase(shape)),
    s("g", { class: "b-base" }, drawBase(shape)),
    drawBust(id),
    badge &&
      s(
        "g",
        { class: "b-badge", transform: "translate(8.6 -8.6)" },
        s("circle", { r: 6 }),
        pictogram("sign", badge, { x: -4.2, y: -4.4, size: 8.4 }),
      ),
  );
}

/** A robot with its number, 20 units across round 0, 0; `pixel` is how many of the units a pixel of the screen is; 0: whatever is written can be read. */
export function drawRobot(number, pixel) {
  const size = Math.max(12, READABLE * pixel);
  return s(
    "g",
    { class: "b-robot-body" },
    s("path", { class: "b-wire", d: "M0-8v-4M-10.5 0h-2M10.5 0h2" }),
    s("circle", { class: "b-wire-end", cx: 0, cy: -12.4, r: 1.9 }),
    s("rect", { class: "b-robot-head", x: -9.5, y: -8, width: 19, height: 17, rx: 4 }),
    s("text", { class: "b-robot-number", "text-anchor": "middle", y: 0.38 * size, "font-size": size }, String(number)),
  );
}

/**
 * Where those on a tile stand.
 *
 * @param {string} cell
 * @param {number} count how many there are, characters and robots together.
 * @returns {Array<{x: number, y: number, scale: number}>} middles in the drawing's units; scale 1 is 20 units across.
 */
export function standing(cell, count) {
  const { x, y } = corner(cell);
  const crowded = count > CROWD;
  const columns = crowded ? 4 : Math.min(count, 3);
  const rows = Math.ceil(count / columns);
  const [top, height] = crowded ? [21, 76] : [37, 61];
  const [wide, high] = [TILE - 6, height];
  const scale = Math.min(1.85, wide / columns / 23.5, high / rows / 23.5);
  return Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / columns);
    const inRow = Math.min(columns, count - row * columns);
    const across = wide / Math.max(inRow, crowded ? inRow : 1);
    return { x: x + 3 + across * ((i % columns) + 0.5), y: y + top + (high / rows) * (row + 0.5), scale };
  });
}

/** Draws characters and robots, and says where they stand on a tile. */

import { s } from "../../../dom.js";
import { TILE, corner } from "./geometry.js";
import { pictogram } from "./pictograms.js";
import { READABLE } from "./lettering.js";
import { CROWD } from "./tile.js";

/** The largest font in which two letters, or one, stand on a base. */
const LARGEST = { two: 12.5, one: 21 };

/** The outline of each base, 20 across round its middle. */
const BASES = {
  square: () => s("rect", { x: -9.2, y: -9.2, width: 18.4, height: 18.4, rx: 3 }),
  round: () => s("circle", { r: 10 }),
  cross: () => s("path", { d: "M-5.6-10.4h11.2v4.8h4.8v11.2h-4.8v4.8h-11.2v-4.8h-4.8v-11.2h4.8z" }),
};

/**
 * A character: its colour, the shape of its base, its initials, and the marks that threaten it.
 *
 * @param {{id: string, shape: string, short: string, marks: string[], pixel: number}} figure `marks` as `figureMarks` names them; `pixel` is how
 *   many of the 20 units a pixel of the screen is; 0: whatever is drawn can be read.
 * @returns {SVGElement} 20 units across round 0, 0.
 */
export function drawFigure({ id, shape, short, marks, pixel }) {
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
    s("g", { class: "b-halo" }, BASES[shape]()),
    s("g", { class: "b-base" }, BASES[shape]()),
    initials(short, READABLE * pixel),
    badge &&
      s(
        "g",
        { class: "b-badge", transform: "translate(8.6 -8.6)" },
        s("circle", { r: 6 }),
        pictogram("sign", badge, { x: -4.2, y: -4.4, size: 8.4 }),
      ),
  );
}

/** Two letters, or the first of them where both would be too small; none where that would be too large. */
function initials(short, smallest) {
  const both = smallest <= LARGEST.two;
  const size = Math.max(smallest, short.length > 2 ? 8 : 10.4);
  return size <= LARGEST.one && s("text", { class: "b-initials", "text-anchor": "middle", y: 0.346 * size, "font-size": size }, both ? short : short[0]);
}

/** A robot with its number, 20 units across round 0, 0; `pixel` as for a figure. */
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
  const scale = Math.min(1.62, wide / columns / 23.5, high / rows / 23.5);
  return Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / columns);
    const inRow = Math.min(columns, count - row * columns);
    const across = wide / Math.max(inRow, crowded ? inRow : 1);
    return { x: x + 3 + across * ((i % columns) + 0.5), y: y + top + (high / rows) * (row + 0.5), scale };
  });
}

/** The town itself: ground, buildings, walls, doors and breaches. */

import { s } from "../../../dom.js";
import { columnName } from "./places.js";

/** @import { Town } from "./town.js" */

export const CELL = 24;
export const MARGIN = 30;
/** How long a speck of dust is at most. */
const LONGEST = 7;

/** Where the upper left corner of a cell is. */
export function cornerOf(town, cell) {
  return { x: MARGIN + CELL * town.x(cell), y: MARGIN + CELL * town.y(cell) };
}

/** Where the middle of a cell is. */
export function middleOf(town, cell) {
  const { x, y } = cornerOf(town, cell);
  return { x: x + CELL / 2, y: y + CELL / 2 };
}

/** The outline of some cells, as a path of squares. */
export function squares(town, cells) {
  return [...cells]
    .map((cell) => {
      const { x, y } = cornerOf(town, cell);
      return `M${x} ${y}h${CELL}v${CELL}h${-CELL}z`;
    })
    .join("");
}

/** An edge as a line; of the sides of a cell the eastern or the southern one. */
export function lineOf(town, edge) {
  const { x, y } = cornerOf(town, Math.floor(edge / 2));
  return edge % 2 === 0 ? { x1: x + CELL, y1: y, x2: x + CELL, y2: y + CELL } : { x1: x, y1: y + CELL, x2: x + CELL, y2: y + CELL };
}

/**
 * The drawing of a town.
 *
 * @param {Town} town
 * @returns {SVGGElement[]}
 */
export function drawTown(town) {
  const cells = Array.from({ length: town.size }, (_, cell) => cell);
  const indoor = cells.filter((cell) => town.buildings[cell] !== null);
  const { width, height } = town;
  const lines = [
    ...Array.from({ length: width - 1 }, (_, i) => `M${MARGIN + CELL * (i + 1)} ${MARGIN}v${CELL * height}`),
    ...Array.from({ length: height - 1 }, (_, i) => `M${MARGIN} ${MARGIN + CELL * (i + 1)}h${CELL * width}`),
  ];
  return [
    s(
      "g",
      { class: "cv-ground" },
      s("rect", { class: "cv-outdoor", x: MARGIN, y: MARGIN, width: CELL * width, height: CELL * height }),
      s("path", { class: "cv-indoor", d: squares(town, indoor) }),
      s("path", { class: "cv-lines", d: lines.join("") }),
      s("path", { class: "cv-impassable", d: squares(town, town.impassable) }),
      s("path", { class: "cv-opaque", d: squares(town, town.opaque) }),
    ),
    s("g", { class: "cv-coordinates", "aria-hidden": "true" }, coordinates(town)),
    grain(CELL * width, CELL * height),
  ];
}

/** What an old film has over everything: dust, scratches, dark corners. The same on every print. */
function grain(width, height) {
  const dust = Array.from({ length: 46 }, (_, i) => {
    const [x, y] = [MARGIN + ((i * 197) % width), MARGIN + ((i * 331) % (height - LONGEST))];
    return i % 9 === 0 ? `M${x} ${MARGIN}v${height}` : `M${x} ${y}l${(i % 5) - 2} ${(i % LONGEST) + 1}`;
  });
  return s(
    "g",
    { class: "cv-grain", "aria-hidden": "true" },
    s(
      "radialGradient",
      { id: "cv-vignette", r: "0.75" },
      s("stop", { class: "cv-vignette-middle", offset: "0.6" }),
      s("stop", { class: "cv-vignette-edge", offset: "1" }),
    ),
    s("path", { class: "cv-scratches", d: dust.join("") }),
    s("rect", { x: MARGIN, y: MARGIN, width, height, fill: "url(#cv-vignette)" }),
  );
}

function coordinates(town) {
  const columns = Array.from({ length: town.width }, (_, x) =>
    s("text", { x: MARGIN + CELL * (x + 0.5), y: MARGIN - 5, "text-anchor": "middle" }, columnName(x)),
  );
  const rows = Array.from({ length: town.height }, (_, y) =>
    s("text", { x: MARGIN - 3, y: MARGIN + CELL * (y + 0.5) + 3.5, "text-anchor": "end" }, String(y + 1)),
  );
  return [...columns, ...rows];
}

/** Walls, doors and breaches. */
export function drawEdges(town) {
  const drawn = town.states.flatMap((state, edge) => (state === "open" ? [] : [edgeLines(town, edge, state)]));
  const { width, height } = town;
  const frame = s("path", { class: "cv-wall", d: `M${MARGIN} ${MARGIN + CELL * height}V${MARGIN}H${MARGIN + CELL * width}` });
  return s("g", { class: "cv-edges" }, frame, drawn);
}

function edgeLines(town, edge, state) {
  const { x1, y1, x2, y2 } = lineOf(town, edge);
  if (state === "wall") {
    return s("path", { class: "cv-wall", d: `M${x1} ${y1}L${x2} ${y2}` });
  }
  const [dx, dy] = [(x2 - x1) / 4, (y2 - y1) / 4];
  const posts = s("path", { class: "cv-wall", d: `M${x1} ${y1}l${dx} ${dy}M${x2} ${y2}l${-dx} ${-dy}` });
  if (state === "breach") {
    const jag = `M${x1 + dx} ${y1 + dy}l${dy / 2 - dx / 4} ${dx / 2 - dy / 4}M${x2 - dx} ${y2 - dy}l${-dy / 2 + dx / 4} ${-dx / 2 + dy / 4}`;
    return [posts, s("path", { class: "cv-breach", d: jag })];
  }
  const [leafX, leafY] = state === "door_closed" ? [2 * dx, 2 * dy] : [dx + 1.6 * dy, dy + 1.6 * dx];
  return [posts, s("path", { class: `cv-door cv-${state}`, d: `M${x1 + dx} ${y1 + dy}l${leafX} ${leafY}` })];
}

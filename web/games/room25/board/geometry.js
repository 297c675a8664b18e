/** The complex as a plane: cells, lines, exit zones, and where they are drawn (pure). */

import { CELLS, SIDE } from "../fold/grid.js";

/** The drawing's units: a tile's side, the gap between tiles, and the margin that holds the arrows. */
export const TILE = 100;
export const GAP = 8;
export const MARGIN = 42;
/** The side of the whole drawing. */
export const EXTENT = 2 * MARGIN + SIDE * TILE + (SIDE - 1) * GAP;

/** The letters of the columns, from the left. */
export const COLUMNS = ["A", "B", "C", "D", "E"];

/** Opposite directions. */
export const OPPOSITE = { up: "down", down: "up", left: "right", right: "left" };

/** How a direction is drawn in text. */
export const ARROWS = { up: "↑", right: "→", down: "↓", left: "←" };

/** Row and column of a cell, from 0. */
export function place(cell) {
  return { row: Number(cell[1]), column: Number(cell[3]) };
}

/** What a cell is called: `r1c2` is C2. */
export function cellName(cell) {
  const { row, column } = place(cell);
  return `${COLUMNS[column]}${row + 1}`;
}

/** The top left corner of a cell in the drawing's units. */
export function corner(cell) {
  const { row, column } = place(cell);
  return { x: MARGIN + column * (TILE + GAP), y: MARGIN + row * (TILE + GAP) };
}

/** The direction of a step between neighbours, or null. */
export function direction(from, to) {
  const [a, b] = [place(from), place(to)];
  const [down, right] = [b.row - a.row, b.column - a.column];
  const ways = { "-1,0": "up", "0,1": "right", "1,0": "down", "0,-1": "left" };
  return ways[`${down},${right}`] ?? null;
}

/** The cells beside a cell by direction. */
export function neighbours(cell) {
  return new Map(CELLS.filter((other) => direction(cell, other) !== null).map((other) => [direction(cell, other), other]));
}

const MOVABLE = [0, 1, 3, 4];

const cellsOf = (at) => Array.from({ length: SIDE }, (_, i) => at(i));

/**
 * The movable lines: their label, the two directions, and the cells from the first to the last.
 *
 * @type {Map<string, {label: string, ways: string[], cells: string[]}>}
 */
export const LINES = new Map([
  ...MOVABLE.map((row) => line(`row${row}`, { label: `${row + 1}`, ways: ["left", "right"], cells: cellsOf((i) => `r${row}c${i}`) })),
  ...MOVABLE.map((column) =>
    line(`col${column}`, { label: COLUMNS[column], ways: ["up", "down"], cells: cellsOf((i) => `r${i}c${column}`) }),
  ),
]);

/**
 * @template T
 * @param {string} id
 * @param {T} facts
 * @returns {[string, T]}
 */
function line(id, facts) {
  return [id, facts];
}

/**
 * A movable line.
 *
 * @throws {Error} it is none.
 */
export function lineOf(id) {
  const found = LINES.get(id);
  if (found === undefined) {
    throw new Error(`${id} is no movable line`);
  }
  return found;
}

/** The movable lines through a cell. */
export function linesThrough(cell) {
  return [...LINES].filter(([, line]) => line.cells.includes(cell)).map(([id]) => id);
}

/** The middle of the arrow by which a line is pushed that way, in the margin. */
export function arrowPlace(line, way) {
  const { cells } = lineOf(line);
  const first = corner(cells[0]);
  const half = TILE / 2;
  const near = MARGIN / 2 - 3;
  return {
    left: { x: near, y: first.y + half },
    right: { x: EXTENT - near, y: first.y + half },
    up: { x: first.x + half, y: near },
    down: { x: first.x + half, y: EXTENT - near },
  }[way];
}

/** The outlines of the four exit zones, each the points of an L, in the drawing's units. */
export function exitOutlines() {
  const reach = TILE + GAP;
  const pad = 5;
  const [low, high] = [MARGIN, EXTENT - MARGIN];
  return [
    [low, low, 1, 1],
    [high, low, -1, 1],
    [high, high, -1, -1],
    [low, high, 1, -1],
  ].map(([x, y, dx, dy]) => {
    const at = (across, along) => `${x + dx * across},${y + dy * along}`;
    const [far, near] = [reach + TILE + GAP / 2, TILE + GAP / 2];
    return [at(-pad, -pad), at(far, -pad), at(far, near), at(near, near), at(near, far), at(-pad, far)].join(" ");
  });
}

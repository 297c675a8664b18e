/** The cells of the complex of ROOM 25 and how its lines move (pure). */

/** Cells on each side. */
export const SIDE = 5;

/** All cells, row by row from the top left: `r<row>c<column>`. */
export const CELLS = Array.from({ length: SIDE * SIDE }, (_, i) => `r${Math.floor(i / SIDE)}c${i % SIDE}`);

/** The cell in the middle. */
export const CENTRE = "r2c2";

/** Where the tiles of a line go when it moves one step, the last one round to the first place: old cell to new. */
export function shifts(line, way) {
  const number = line.at(-1);
  const cells = CELLS.filter((cell) => (line.startsWith("row") ? cell[1] : cell[3]) === number);
  const step = way === "right" || way === "down" ? 1 : SIDE - 1;
  return Object.fromEntries(cells.map((cell, i) => [cell, cells[(i + step) % SIDE]]));
}

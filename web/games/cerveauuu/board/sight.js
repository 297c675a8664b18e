/**
 * Who sees which cells, exactly and in whole numbers (pure). From the centre of what is looked at, open sectors of directions
 * are carried cell by cell through the edges that stop no sight; whoever they reach sees it.
 */

/** @import { Town } from "./town.js" */

const memo = new WeakMap();

/**
 * The cells that are seen from one.
 *
 * @param {Town} town
 * @param {number} source who looks stands there.
 * @param {number} range the most cells along an axis.
 * @returns {Set<number>}
 */
export function seenFrom(town, source, range = 99) {
  const known = memo.get(town) ?? new Map();
  memo.set(town, known);
  if (!known.has(source)) {
    const all = Array.from({ length: town.size }, (_, cell) => cell);
    known.set(source, all.filter((target) => sees(town, source, target)));
  }
  return new Set(known.get(source).filter((cell) => distance(town, source, cell) <= range));
}

/** How far apart two cells are along the longer axis, walls ignored. */
export function distance(town, a, b) {
  return Math.max(Math.abs(town.x(a) - town.x(b)), Math.abs(town.y(a) - town.y(b)));
}

/** Whether a piece on one cell has line of sight to another cell, at any range. */
export function sees(town, source, target) {
  if (source === target) {
    return true;
  }
  const { blocks, width } = town;
  const dx = town.x(source) - town.x(target);
  const dy = town.y(source) - town.y(target);
  // What to add to twice a cell for the edge that is crossed along each axis.
  const across = dx > 0 ? 0 : -2;
  const along = dy > 0 ? 1 : 1 - 2 * width;
  const [stepX, stepY] = [dx > 0 ? 1 : -1, dy > 0 ? width : -width];
  if (dx === 0 || dy === 0) {
    const [step, crossed] = dx ? [stepX, across] : [stepY, along];
    for (let cell = target; cell !== source; cell += step) {
      if (blocks[2 * cell + crossed]) {
        return false;
      }
    }
    return true;
  }
  return arrives(blocks, target, { i: Math.abs(dx), j: Math.abs(dy), stepX, stepY, across, along });
}

/** Whether a beam comes to the cell (i, j), counted from the target towards the source; `row` has the beams that enter a row. */
function arrives(blocks, target, { i, j, stepX, stepY, across, along }) {
  let row = new Map([[0, [[2 * i + 1, 2 * j - 1, 2 * i - 1, 2 * j + 1]]]]);
  for (let q = 0; q <= j; q += 1) {
    const further = new Map();
    let beside = [];
    for (let p = 0; p <= i; p += 1) {
      const beams = joined(row.get(p) ?? [], beside);
      if (beams.length > 0 && p === i && q === j) {
        return true;
      }
      const cell = 2 * (target + p * stepX + q * stepY);
      const { lower, upper } = split(beams, 2 * p + 1, 2 * q + 1);
      beside = p < i && lower.length > 0 && !blocks[cell + across] ? lower : [];
      if (upper.length > 0 && q < j && !blocks[cell + along]) {
        further.set(p, upper);
      }
    }
    row = further;
  }
  return false;
}

/** Beams in ascending order; two that meet at the corner between them become one. */
function joined(lower, upper) {
  if (lower.length === 0 || upper.length === 0) {
    return lower.length === 0 ? upper : lower;
  }
  const [ax, ay, bx, by] = lower.at(-1) ?? [];
  const [cx, cy, dx, dy] = upper[0];
  return bx * cy === by * cx ? [...lower.slice(0, -1), [ax, ay, dx, dy], ...upper.slice(1)] : [...lower, ...upper];
}

/** What goes below the direction x, y, and what goes above it. */
function split(beams, x, y) {
  const lower = [];
  const upper = [];
  for (const [ax, ay, bx, by] of beams) {
    if (x * by <= y * bx) {
      lower.push([ax, ay, bx, by]);
    } else if (x * ay >= y * ax) {
      upper.push([ax, ay, bx, by]);
    } else {
      lower.push([ax, ay, x, y]);
      upper.push([x, y, bx, by]);
    }
  }
  return { lower, upper };
}

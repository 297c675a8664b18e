/** The names of the buildings, as boards on their walls: nothing lies over them, and they hide no door and no number of a piece. */

import { s } from "../../../dom.js";
import { CELL, MARGIN } from "./ground.js";

/** @import { Town } from "./town.js" */

/** The size of letters: so many pixels of the screen, and no less than this in units of the drawing. */
const PIXELS = 11;
const LEAST = 7.5;
/** About how wide a letter is, and how far its middle lies above its foot, for each unit of its size. */
const LETTER = 0.76;
const FOOT = 0.36;
/** How much of a board is left and right of its name, and how far it may reach over the end of its wall: no door begins there. */
const EDGE = 2.5;
const OVERHANG = 4;
/** How far a sign hangs below its wall: a human to the north of it has a number at its feet. */
const DROP = 1.75;

/**
 * The sign of each building: a board in the colour of the wall that it hangs on.
 *
 * @param {Town} town
 * @param {(letter: string) => string} nameOf what a building is called.
 * @param {number} unit how many of the drawing's units are a pixel of the screen.
 * @returns {SVGGElement[]}
 */
export function drawSigns(town, nameOf, unit) {
  const letters = new Set(town.buildings.filter((letter) => letter !== null));
  const size = Math.max(LEAST, PIXELS * unit);
  return [...letters].map((letter) => {
    const name = nameOf(letter);
    const wanted = name.length * LETTER * size + 2 * EDGE;
    const { x, y: wall, length } = placeOfSign(town, letter, wanted);
    const y = wall + DROP;
    const width = Math.min(wanted, length + 2 * OVERHANG);
    const tight = width < wanted && { textLength: width - 2 * EDGE, lengthAdjust: "spacingAndGlyphs" };
    return s(
      "g",
      { class: "cv-sign", "aria-hidden": "true" },
      s("rect", { x: x - width / 2, y: y - size / 2, width, height: size, rx: 1 }),
      s("text", { x, y: y + FOOT * size, "font-size": size, "text-anchor": "middle", ...tight }, name),
    );
  });
}

/** The northernmost wall on which a sign has room, or the longest one; a building that has none has its sign in its middle. */
function placeOfSign(town, letter, wanted) {
  const walls = outerWalls(town, letter);
  const found = walls.find(({ length }) => length >= wanted) ?? walls.sort((a, b) => b.length - a.length)[0];
  return found ?? middle(town, letter);
}

/** The walls along the rows that part a building from the street, without a door or a breach, northern ones first. */
function outerWalls(town, letter) {
  const runs = [];
  for (let row = 0; row < town.height - 1; row += 1) {
    let run = null;
    for (let column = 0; column < town.width; column += 1) {
      const cell = row * town.width + column;
      const parts = (town.buildings[cell] === letter) !== (town.buildings[cell + town.width] === letter);
      if (parts && town.states[2 * cell + 1] === "wall") {
        if (run === null) {
          run = { from: column, to: column, row };
          runs.push(run);
        }
        run.to = column;
      } else {
        run = null;
      }
    }
  }
  return runs.map(({ from, to, row }) => ({ x: MARGIN + (CELL * (from + to + 1)) / 2, y: MARGIN + CELL * (row + 1), length: CELL * (to - from + 1) }));
}

function middle(town, letter) {
  const cells = town.buildings.flatMap((each, cell) => (each === letter ? [cell] : []));
  const [xs, ys] = [cells.map((cell) => town.x(cell)), cells.map((cell) => town.y(cell))];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  return { x: MARGIN + (CELL * (left + right + 1)) / 2, y: MARGIN + (CELL * (Math.min(...ys) + Math.max(...ys) + 1)) / 2, length: CELL * (right - left + 1) };
}

/** What comes after the board: how it moves, and large drawings of its rooms; until these are here, and if they never come, pictograms stand for them. */

import { late, whenIdle } from "../../../late.js";

/** @type {typeof import("./heroes.js").drawHero|null} */
let draw = null;
/** @type {Promise<void>|null} */
let coming = null;

/** The drawing of a kind of room; null: it has none, or it is not here. @type {typeof import("./heroes.js").drawHero} */
export function heroOf(kind, place) {
  return draw?.(kind, place) ?? null;
}

/** How the complex moves, for whoever shows it. @type {import("../../contract.js").GameBoard["motion"]} */
export const motion = () => late("games/room25/board/motion.js", () => import("./motion.js"));

/** The last scene. @type {import("../../contract.js").GameBoard["finale"]} */
export const finale = () => late("games/room25/board/finale.js", () => import("./finale.js"));

/** Whether they are here. */
export function hasHeroes() {
  return draw !== null;
}

/**
 * Fetch them once the page has nothing better to do.
 *
 * @param {() => void} onHere is called when they have come, unless they are here already.
 */
export function fetchHeroes(onHere) {
  if (draw !== null) {
    return;
  }
  coming ??= new Promise((done) => whenIdle(() => done(null))).then(load);
  coming.then(() => draw !== null && onHere());
}

async function load() {
  try {
    ({ drawHero: draw } = await late("games/room25/board/heroes.js", () => import("./heroes.js")));
  } catch (error) {
    if (!(error instanceof TypeError)) {
      throw error;
    }
    coming = null; // no connection: pictograms stand for them until the next board
  }
}

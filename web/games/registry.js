/** Which games the page knows. Nothing else outside their folders names one; a test of the house holds it. */

import { CERVEAUUU } from "./cerveauuu/game.js";
import { ROOM25 } from "./room25/game.js";
import { STRANGER } from "./stranger.js";

/** @type {Map<string, import("./contract.js").Game>} */
const GAMES = new Map([["room25", ROOM25], ["cerveauuu", CERVEAUUU]]);

/**
 * What a game brings to the page.
 *
 * @param {string} id
 * @returns {import("./contract.js").Game} of a game that is not known here, what can be said of any.
 */
export function gameOf(id) {
  return GAMES.get(id) ?? STRANGER;
}

/** The games that bring words, by id. */
export function wordedGames() {
  return [...GAMES].filter(([, game]) => game.words.files).map(([id]) => id);
}

/** The game that visitors are invited to. */
export function firstGame() {
  return [...GAMES.values()][0];
}

/** How far a game has come, in a few words. */

import { t } from "../words.js";

/**
 * How far a running game has come.
 *
 * @param {{turn: number}} row
 * @param {import("../book.js").Book} book
 */
export function standingText({ turn }, book) {
  return turn === 0 ? t(`lobby.standing.begins.${book.turn}`) : t(`lobby.standing.${book.turn}`, { turn });
}

/** The tables at which this browser's reader is learning: one a game, kept until it has been learnt. */

import { playerId } from "../net/session.js";
import { read, write } from "../net/storage.js";

const KEY = "parlour.lessons";

/** @returns {Object<string, {table: string, player: string}>} by the id of the game. */
function all() {
  try {
    const found = JSON.parse(read(KEY) ?? "{}");
    return typeof found === "object" && found !== null ? found : {};
  } catch {
    return {}; // not written by this page: as good as nothing
  }
}

/**
 * The table at which the reader is learning a game.
 *
 * @param {string} game the id of what is played.
 * @returns {string|null} its id; null: none.
 */
export function lessonOf(game) {
  const kept = all()[game];
  return kept?.player === playerId() && typeof kept?.table === "string" ? kept.table : null;
}

/**
 * Keep where the reader is learning a game, or (null) that it has been learnt.
 *
 * @param {string} game
 * @param {string|null} table
 */
export function keepLesson(game, table) {
  const { [game]: _, ...others } = all();
  write(KEY, JSON.stringify(table === null ? others : { ...others, [game]: { table, player: playerId() } }));
}

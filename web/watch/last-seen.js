/** How far a player has seen each game, as this browser remembers it. */

import { read, write } from "../net/storage.js";

const KEY = "parlour.seen";
const MOST = 50;

/**
 * The newest version that a player has seen of a game.
 *
 * @param {string} player
 * @param {string} game
 * @returns {number|null} null: none, as far as this browser knows.
 */
export function lastSeen(player, game) {
  return kept().get(`${player}/${game}`) ?? null;
}

/** A player has seen a game up to a version. Of many games the ones looked at last are remembered. */
export function saw(player, game, version) {
  const all = kept();
  all.delete(`${player}/${game}`);
  all.set(`${player}/${game}`, version);
  write(KEY, JSON.stringify([...all].slice(-MOST)));
}

/** @returns {Map<string, number>} */
function kept() {
  try {
    const found = JSON.parse(read(KEY) ?? "[]");
    return new Map(found.filter(([name, version]) => typeof name === "string" && Number.isInteger(version)));
  } catch {
    return new Map(); // not written by this page: as good as nothing
  }
}

/**
 * Keep that somebody looks at a version.
 *
 * @returns {{before: number|null, at: number}} `before`: what they had seen until then; null: they have never been here.
 */
export function look(player, game, version) {
  const before = lastSeen(player, game);
  saw(player, game, version);
  return { before, at: version };
}

/** From nothing to a table with house bots, by one click: a name, a table, a seat, the bots. */

import { loadOffer, offerOf } from "../games/registry.js";
import { newKey, post } from "../net/api.js";
import { playerId, register } from "../net/session.js";
import { language } from "../words.js";
import { bookOf } from "./shelf.js";
import { calmest } from "./wish.js";

/** How soon the bots answer: so late that one sees what they do. */
const BOT_PACE_MS = 700;

/** The last name that was tried: the same again is the same attempt, and must not make a second player. */
const attempt = { name: "", key: "" };

/**
 * Sit down at a table for beginners, which begins at once.
 *
 * @param {string} game the id of what is played.
 * @param {string} name what a reader without a session wants to be called.
 * @returns {Promise<string>} the table's id.
 * @throws {Problem} bad-name, too-many-tables, …
 */
export async function playNow(game, name) {
  await arrive(name);
  await loadOffer(game);
  const { opening } = offerOf(game).forms;
  if (opening.beginners === null) {
    throw new Error(`the game ${game} has no table for beginners`);
  }
  const { rulebook, mode, seats, options } = opening.beginners;
  const time = await calmTime(game, rulebook);
  // Nobody else is to take a seat before the bots have theirs.
  const { body } = await post("/v1/games", { game, rulebook, mode, seats, options, time, visibility: "unlisted" });
  const path = `/v1/games/${body.game}/seats`;
  await post(path, {});
  for (let taken = 1; taken < seats; taken += 1) {
    await post(path, { bot: opening.bot });
  }
  return body.game;
}

/** The time control that hurries least; the game's own limits where it has no paces. */
export async function calmTime(game, rulebook) {
  const { json } = await bookOf(game, rulebook, language());
  return { limits_s: calmest(json.paces)?.limits_s ?? {}, bot_pace_ms: BOT_PACE_MS };
}

/** Be somebody: whoever is already needs no name. */
export async function arrive(name) {
  if (playerId() !== null) {
    return;
  }
  if (attempt.name !== name) {
    Object.assign(attempt, { name, key: newKey() });
  }
  await register(name, { key: attempt.key });
}

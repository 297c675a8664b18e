/** From nothing to a table with house bots, by one click: a name, a table, a seat, the bots. */

import { loadOffer, offerOf } from "../games/registry.js";
import { post } from "../net/api.js";
import { AttemptKey } from "../net/attempt-key.js";
import { playerId, register } from "../net/session.js";
import { language } from "../words.js";
import { bookOf } from "./shelf.js";
import { calmest } from "./wish.js";

/** How soon the bots answer: so late that one sees what they do. */
const BOT_PACE_MS = 700;

/** The same name again must not make a second player. */
const registering = new AttemptKey();

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
  return openWithBots({ game, rulebook, mode, seats, options, time }, opening.bot);
}

/**
 * Open a table, sit down there, and seat house bots on all other seats: it begins at once.
 *
 * @param {Object<string, unknown> & {seats: number}} table as `POST /v1/games` takes it, but for who may find it.
 * @param {string|null} bot the kind of house bot.
 * @returns {Promise<string>} the table's id.
 * @throws {Problem} too-many-tables, …
 */
export async function openWithBots(table, bot) {
  // Nobody else is to take a seat before the bots have theirs.
  const { body } = await post("/v1/games", { ...table, visibility: "unlisted" });
  const path = `/v1/games/${body.game}/seats`;
  await post(path, {});
  for (let taken = 1; taken < table.seats; taken += 1) {
    await post(path, { bot });
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
  if (playerId() === null) {
    await register(name, { key: registering.of(name) });
  }
}

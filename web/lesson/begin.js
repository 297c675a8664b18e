/** From nothing to a lesson by one click: a name, a scenario table, a seat. */

import { loadLesson } from "../games/registry.js";
import { post } from "../net/api.js";
import { arrive, calmTime } from "../lobby/play-now.js";
import { keepLesson } from "./kept.js";

/**
 * Open the table of a game's lesson and sit down there; it begins at once, and never counts.
 *
 * @param {string} game the id of what is learnt.
 * @param {string} name what a reader without a session wants to be called.
 * @returns {Promise<string>} the table's id.
 * @throws {Problem} bad-name, too-many-tables, …
 */
export async function beginLesson(game, name) {
  await arrive(name);
  const { table } = await loadLesson(game);
  const { bot, ...wish } = table;
  const time = await calmTime(game, wish.rulebook);
  const { body } = await post("/v1/games", { game, ...wish, time, visibility: "unlisted" });
  const path = `/v1/games/${body.game}/seats`;
  await post(path, {});
  for (let taken = 1; taken < wish.seats; taken += 1) {
    await post(path, { bot });
  }
  keepLesson(game, body.game);
  return body.game;
}

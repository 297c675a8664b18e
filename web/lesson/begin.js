/** From nothing to a lesson by one click: a name, a scenario table, a seat. */

import { loadLesson } from "../games/registry.js";
import { arrive, calmTime, openWithBots } from "../lobby/play-now.js";
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
  const opened = await openWithBots({ game, ...wish, time }, bot);
  keepLesson(game, opened);
  return opened;
}

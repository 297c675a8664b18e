/** The rulebooks, as the lobby needs them: each is fetched once for each language. */

import { loadBook } from "../books.js";
import { coverFrom } from "../games/registry.js";
import { get } from "../net/api.js";
import { rulebooksPath } from "./queries.js";

const promised = new Map();

/**
 * What can be played.
 *
 * @param {string} lang the language of the names.
 * @returns {Promise<{rulebooks: Array<{id: string, game: string, name: string, about: string, modes: string[],
 *   turn: string, mode_names: Object<string, string>, outcomes: Object<string, string>}>, bots: string[]}>}
 */
export function rulebooks(lang) {
  return once(`list ${lang}`, async () => (await get(rulebooksPath(lang))).body);
}

/**
 * A rulebook, with all that its game has to say of it.
 *
 * @param {string} game
 * @param {string} id that of its rulebook.
 * @param {string} lang the language of its texts.
 * @returns {Promise<import("../book.js").Book>}
 */
export function bookOf(game, id, lang) {
  return loadBook(game, id, lang);
}

/** The same as a list of tables needs it: nothing of its game is loaded, and nothing more is asked for. */
export function coverOf(game, id, lang) {
  return once(`cover ${game} ${id} ${lang}`, async () => {
    const { rulebooks: all } = await rulebooks(lang);
    const listed = all.find((each) => each.game === game && each.id === id);
    return listed === undefined ? loadBook(game, id, lang) : coverFrom(listed, lang);
  });
}

/** Keep what was promised under a key; a broken promise is asked for again. */
function once(key, ask) {
  if (!promised.has(key)) {
    const asked = ask();
    promised.set(key, asked);
    asked.catch(() => promised.delete(key));
  }
  return promised.get(key);
}

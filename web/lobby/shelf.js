/** The rulebooks, as the lobby needs them: each is fetched once for each language. */

import { loadBook } from "../books.js";
import { get } from "../net/api.js";

const promised = new Map();

/**
 * What can be played.
 *
 * @param {string} lang the language of the names.
 * @returns {Promise<{rulebooks: Array<{id: string, game: string, name: string, about: string, modes: string[]}>, bots: string[]}>}
 */
export function rulebooks(lang) {
  return once(`list ${lang}`, async () => (await get("/v1/rulebooks", { lang })).body);
}

/**
 * A rulebook.
 *
 * @param {string} game
 * @param {string} id that of its rulebook.
 * @param {string} lang the language of its texts.
 * @returns {Promise<import("../book.js").Book>}
 */
export function bookOf(game, id, lang) {
  return once(`${game} ${id} ${lang}`, () => loadBook(game, id, lang));
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

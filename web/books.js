/** The books of rulebooks, each as its game makes it. */

import { gameOf } from "./games/registry.js";
import { get } from "./net/api.js";

const kept = new Map();

/**
 * The book of a rulebook, fetched once for each language.
 *
 * @param {string} game the game that it is of: two may have rulebooks of one id.
 * @param {string} rulebook its id.
 * @param {string} lang one of the page's languages.
 * @returns {Promise<import("./book.js").Book>}
 * @throws {Problem} there is no such rulebook, or the service is out of reach.
 */
export async function loadBook(game, rulebook, lang) {
  const key = `${game} ${rulebook} ${lang}`;
  if (!kept.has(key)) {
    const { body } = await get(`/v1/rulebooks/${encodeURIComponent(rulebook)}?${new URLSearchParams({ game, lang })}`);
    kept.set(key, bookFrom(body));
  }
  return kept.get(key);
}

/**
 * The book that an answer of `GET /v1/rulebooks/{id}` holds; archives carry such answers.
 *
 * @returns {import("./book.js").Book}
 */
export function bookFrom(json) {
  return gameOf(json.game).words.book(json);
}

/** The books of rulebooks, each as its game makes it. */

import { loadOffer, offerOf } from "./games/registry.js";
import { get } from "./net/api.js";
import { bookPath } from "./net/paths.js";

const asked = new Map();
const books = new Map();

/**
 * The book of a rulebook, with all that its game has to say; fetched once for each language.
 *
 * @param {string} game the game that it is of: two may have rulebooks of one id.
 * @param {string} rulebook its id.
 * @param {string} lang one of the page's languages.
 * @returns {Promise<import("./book.js").Book>}
 * @throws {Problem} there is no such rulebook, or the service is out of reach.
 */
export async function loadBook(game, rulebook, lang) {
  const [json] = await Promise.all([fetchBook(game, rulebook, lang), loadOffer(game)]);
  if (!books.has(json)) {
    books.set(json, bookFrom(json));
  }
  return books.get(json);
}

/**
 * The book that an answer of `GET /v1/rulebooks/{id}` holds; archives carry such answers. Its game has been loaded.
 *
 * @returns {import("./book.js").Book}
 */
export function bookFrom(json) {
  return offerOf(json.game).words.book(json);
}

/** What was asked for is kept; what failed is asked for again. */
function fetchBook(game, rulebook, lang) {
  const path = bookPath(game, rulebook, lang);
  if (!asked.has(path)) {
    const body = get(path).then((answer) => answer.body);
    asked.set(path, body);
    body.catch(() => asked.delete(path));
  }
  return asked.get(path);
}

/** Which names a text has in full (pure). */

/**
 * Finds names in texts. Of names that begin at the same place the longest counts, and none counts within a word. One of several words may begin
 * with a small letter (« la salle 25 »); one of a single word would then be any word.
 *
 * @template T
 */
export class Mentions {
  /** @type {Map<string, T>} */
  #named;
  /** @type {RegExp|null} */
  #pattern;

  /** @param {Array<{name: string, value: T}>} entries of those with the same name the first counts. */
  constructor(entries) {
    this.#named = new Map(entries.toReversed().map(({ name, value }) => [keyOf(name), value]));
    const names = entries.map(({ name }) => name).sort((a, b) => b.length - a.length).map(patternOf);
    this.#pattern = names.length > 0 ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${names.join("|")})(?![\\p{L}\\p{N}])`, "gu") : null;
  }

  /** What a text names, in its order, each once. @param {string} text @returns {T[]} */
  in(text) {
    const found = this.#pattern === null ? [] : (text.match(this.#pattern) ?? []);
    return [...new Set(found.map(keyOf))].map((name) => /** @type {T} */ (this.#named.get(name)));
  }
}

/** A name as it is known: of several words, with a small letter. */
function keyOf(name) {
  return name.includes(" ") ? name.charAt(0).toLowerCase() + name.slice(1) : name;
}

/** How a name may be written, as a pattern. */
function patternOf(name) {
  const first = name.charAt(0);
  const rest = name.slice(1).replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return name.includes(" ") ? `[${first.toLowerCase()}${first.toUpperCase()}]${rest}` : `${first}${rest}`;
}

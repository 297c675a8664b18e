/** Which names a text has, in any of the forms that grammar gives them (pure). */

/**
 * Finds names in texts. Of names that begin at the same place the longest counts, and none counts within a word. What has several words or is
 * written with a small letter may begin with either (« la salle 25 », "Guards"); a single word with a capital would then be any word.
 *
 * @template T
 */
export class Mentions {
  /** What is named, by all that may stand in a text. @type {Map<string, T>} */
  #named;
  /** @type {RegExp|null} */
  #pattern;

  /** @param {Array<{names: string[], value: T}>} entries what each is called; of those with the same name the first counts. */
  constructor(entries) {
    const spelt = entries.flatMap(({ names, value }) => names.flatMap(spellings).map((name) => /** @type {[string, T]} */ ([name, value])));
    this.#named = new Map(spelt.toReversed());
    const longest = [...this.#named.keys()].sort((a, b) => b.length - a.length).map(quoted);
    this.#pattern = longest.length > 0 ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${longest.join("|")})(?![\\p{L}\\p{N}])`, "gu") : null;
  }

  /** What a text names, in its order, each once. @param {string} text @returns {T[]} */
  in(text) {
    const found = this.#pattern === null ? [] : (text.match(this.#pattern) ?? []);
    return [...new Set(found.map((name) => /** @type {T} */ (this.#named.get(name))))];
  }
}

/** How a name may be written. */
function spellings(name) {
  const [first, rest] = [name.charAt(0), name.slice(1)];
  const either = name.includes(" ") || first !== first.toUpperCase();
  return either ? [first.toLowerCase() + rest, first.toUpperCase() + rest] : [name];
}

/** A name as a pattern. */
function quoted(name) {
  return name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

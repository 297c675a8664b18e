/** The words of a rulebook: what its modes, decisions and outcomes are called. A game's own book says more (`words.book`). */

/** A rulebook in one language. What it is asked for and does not hold is an error, never a guess. */
export class Book {
  #parts;

  /** @param {Object} json the body of `GET /v1/rulebooks/{id}`. */
  constructor(json) {
    this.json = json;
    this.id = json.id;
    this.game = json.game;
    this.name = json.name;
    this.language = json.language;
    /** @type {"turn"|"round"} what its rules call a turn of the table: the end of keys such as `watch.chapter.turn`. */
    this.turn = json.turn;
    const lists = Object.entries(json).filter(([, list]) => Array.isArray(list));
    this.#parts = new Map(lists.map(([part, list]) => [part, new Map(list.map((entry) => [entry?.id, entry]))]));
  }

  /** @returns {{id: string, name: string, about: string, seats: number[]}} and all else of a mode. */
  mode(id) {
    return this.entry("modes", id);
  }

  /** Whether the rulebook has such an entry: `has("modes", "solo")`. */
  has(part, id) {
    return this.#parts.get(part)?.has(id) ?? false;
  }

  /**
   * An entry of one of its lists.
   *
   * @param {string} part the list, as `modes`.
   * @param {string} id
   * @throws {Error} there is no such entry.
   */
  entry(part, id) {
    const found = this.#parts.get(part)?.get(id);
    if (found === undefined) {
      throw new Error(`${this.id} has nothing called ${id} among its ${part}`);
    }
    return found;
  }

  /** An id of the page's own that begins with `turn`, in the game's word for it: of `turn-back`, `round-back`. */
  byTurn(id) {
    return id.replace(/^turn\b/, this.turn);
  }

  /** The title of a kind of decision. */
  decision(kind) {
    return this.word(`decision.${kind}.title`);
  }

  /** How a game ended, in words. */
  outcome(id) {
    return this.word(`outcome.${id}`);
  }

  /**
   * A text by its message key without the game, as `answer.keep` or `reason.break`: the game's own, or every table's.
   *
   * @throws {Error} there is neither.
   */
  word(key) {
    const text = this.wordOrNothing(key);
    if (text === undefined) {
      throw new Error(`${this.id} has no text for ${key}`);
    }
    return text;
  }

  /** The same; undefined where there is none. */
  wordOrNothing(key) {
    const { words } = this.json;
    return words[`${this.game}/${key}`] ?? words[key];
  }

  /**
   * What an option of a decision does, in a few words: of a path its last part, for what leads there stands above it.
   *
   * @param {{kind: string}} decision
   * @param {{id: string, meaning?: Object}} option
   * @param {Object|null} [_state] a table's state, for what an option means there.
   * @returns {string}
   * @throws {Error} there is no text for it.
   */
  option(decision, option, _state = null) {
    const last = option.id.split(".").at(-1) ?? option.id;
    return this.wordOrNothing(`answer.${option.id}`) ?? this.word(`answer.${last}`);
  }

  /**
   * What an option does, with all that leads to it: of a tree of options, `favour › seats 1 and 2 › twice`.
   *
   * @param {{kind: string, options: Array}} decision
   * @param {string} id the option's.
   * @param {Object|null} state as for `option`.
   * @returns {string|null} null: the decision has no such option.
   */
  path(decision, id, state = null) {
    const listed = decision.options.find((each) => each.id === id);
    if (listed === undefined && !decision.options.some((each) => each.branch)) {
      return null;
    }
    const steps = listed ? [listed] : prefixes(id).map((each) => ({ id: each }));
    return steps.map((each) => this.option(decision, each, state)).join(" › ");
  }
}

/** The ids of all branches that lead to an option, and its own: `a`, `a.b` and `a.b.c` of `a.b.c`. */
function prefixes(id) {
  const parts = id.split(".");
  return parts.map((_, i) => parts.slice(0, i + 1).join("."));
}

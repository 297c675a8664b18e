/**
 * Sentences of a log: templates of a rulebook's words, filled from events (pure).
 *
 * The language of the templates is described in `games/sentences.py`; a test holds both to the same lines.
 */

import { lasting } from "./words.js";

const NOTHING = "–";
const BETWEEN = ", ";

const SIMPLE = /\{([\w.-]+)(?:, ([a-z]+)(?:, ([\w.*-]+))?)?\}/y;
const BRANCHED = /\{([\w.-]+), (select|each|lines), /y;
const CASE = / ?([\w:-]*) ?\{/y;

/**
 * A place in a template.
 *
 * @typedef {{path: string, kind: string, argument: string, cases: Array<[string, Part[]]>}} Hole
 * @typedef {string|Hole} Part
 */

/**
 * The parts of a template.
 *
 * @param {string} text
 * @returns {Part[]}
 * @throws {SyntaxError} it is no template.
 */
export function parse(text) {
  const reader = new Reader(text);
  const parts = reader.parts();
  if (reader.at < text.length) {
    throw new SyntaxError(`a brace too many at ${reader.at} in ${text}`);
  }
  return parts;
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  /** The parts up to the brace that closes them, or to the end. */
  parts() {
    const found = [];
    while (this.at < this.text.length && this.text[this.at] !== "}") {
      found.push(this.text[this.at] === "{" ? this.#hole() : this.#literal());
    }
    return found;
  }

  #literal() {
    const rest = this.text.slice(this.at);
    const stop = rest.search(/[{}]/);
    const found = stop < 0 ? rest : rest.slice(0, stop);
    this.at += found.length;
    return found;
  }

  #match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    this.at = found === null ? this.at : pattern.lastIndex;
    return found;
  }

  /** @returns {Hole} */
  #hole() {
    const simple = this.#match(SIMPLE);
    if (simple !== null) {
      const [, path, kind = "", argument = ""] = simple;
      return { path, kind, argument, cases: [] };
    }
    const branched = this.#match(BRANCHED);
    if (branched === null) {
      throw new SyntaxError(`no hole at ${this.at} in ${this.text}`);
    }
    const [, path, kind] = branched;
    const cases = [];
    while (this.at < this.text.length && this.text[this.at] !== "}") {
      cases.push(this.#case());
    }
    if (this.at >= this.text.length) {
      throw new SyntaxError(`no end in ${this.text}`);
    }
    this.at += 1;
    const names = cases.map(([name]) => name);
    const most = { each: 2, lines: 1 }[kind];
    const fits = most === undefined ? names.includes("other") : names.length >= 1 && names.length <= most && names.every((name) => name === "");
    if (!fits || (kind === "select" && new Set(names).size < names.length)) {
      throw new SyntaxError(`the cases ${names} in ${this.text}`);
    }
    return { path, kind, argument: "", cases };
  }

  /** @returns {[string, Part[]]} */
  #case() {
    const head = this.#match(CASE);
    if (head === null) {
      throw new SyntaxError(`no case at ${this.at} in ${this.text}`);
    }
    const parts = this.parts();
    this.at += 1;
    return [head[1], parts];
  }
}

/** Tells events in the words of one rulebook. */
export class Sentences {
  #read = new Map();

  /**
   * @param {import("./book.js").Book} book
   * @param {Object<string, (value: any, book: any) => string>} spell the game's own kinds of holes.
   */
  constructor(book, spell) {
    this.book = book;
    this.spell = spell;
  }

  /**
   * The sentence for an event.
   *
   * @param {any} event its fields, without those that the reader may not know.
   * @param {(seat: number) => string} player names the player of a seat.
   * @returns {string|null} null: the rulebook has no words for it.
   */
  tell(event, player) {
    const text = this.book.wordOrNothing(`event.${event.type}`);
    if (text === undefined) {
      return null;
    }
    const told = this.#fill(this.#template(text), event, player);
    const [first = ""] = told;
    return first.toUpperCase() + told.slice(first.length);
  }

  /** @returns {Part[]} */
  #template(text) {
    if (!this.#read.has(text)) {
      this.#read.set(text, parse(text));
    }
    return this.#read.get(text);
  }

  #fill(template, fields, player) {
    return template.map((part) => (typeof part === "string" ? part : this.#told(part, fields, player))).join("");
  }

  #told(hole, fields, player) {
    const value = valueAt(fields, hole.path);
    if (hole.kind === "select") {
      const cases = new Map(hole.cases);
      const name = selects(value);
      return this.#fill(cases.get(cases.has(name) ? name : "other"), fields, player);
    }
    if (hole.kind === "each" || hole.kind === "lines") {
      const [[, each], between] = hole.cases;
      const told = Object.entries(value ?? {}).map(([key, entry]) => this.#fill(each, { key, value: entry }, player));
      if (hole.kind === "lines") {
        return told.map((line) => `\n${line}`).join("");
      }
      return told.join(between === undefined ? BETWEEN : this.#fill(between[1], {}, player));
    }
    if (hole.kind === "after") {
      return lasting(value - fields[hole.argument]);
    }
    if (hole.kind === "count") {
      return String(Object.keys(value ?? {}).length);
    }
    return Array.isArray(value) ? this.#listed(value.map((each) => this.#one(hole, each, player))) : this.#one(hole, value, player);
  }

  #one({ kind, argument }, value, player) {
    if (value === undefined || value === null || value === "") {
      return NOTHING;
    }
    const { book } = this;
    const own = {
      "": () => String(value),
      of: () => (book.has(argument, value) ? book.entry(argument, value).name : String(value)),
      word: () => book.wordOrNothing(argument.replace("*", String(value).trimEnd())) ?? String(value),
      seat: () => player(Number(String(value).replace(/^seat:/, ""))),
      book: () => (value === book.id ? book.name : value),
      nth: () => String(value + 1),
      seconds: () => lasting(value * 1000),
      minutes: () => lasting(value * 60_000),
    }[kind];
    return own?.() ?? this.spell[kind]?.(value, book) ?? String(value);
  }

  #listed(parts) {
    if (parts.length < 2) {
      return parts[0] ?? NOTHING;
    }
    const ends = { before: parts.slice(0, -1).join(BETWEEN), last: parts.at(-1) };
    return this.#fill(this.#template(this.book.wordOrNothing("list.last") ?? "{before}, {last}"), ends, String);
  }
}

/** What lies at a path; undefined: nothing. */
function valueAt(fields, path) {
  return path.split(".").reduce((found, step) => {
    if (Array.isArray(found)) {
      return found.at(Number(step));
    }
    return found !== null && typeof found === "object" ? found[step] : undefined;
  }, fields);
}

/** The name of the case for a value. */
function selects(value) {
  if (value === undefined || value === null || value === false || value === "") {
    return "none";
  }
  if (typeof value === "object") {
    return Object.keys(value).length === 0 ? "blank" : "other";
  }
  return value === true ? "yes" : String(value).trimEnd();
}

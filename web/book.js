/** The words of a rulebook: what rooms, characters, actions, cards and decisions are called, and what they do. */

import { get } from "./net/api.js";
import { LINES, cellName } from "./board/geometry.js";
import { optionText } from "./board/option-text.js";
import { t } from "./words.js";

const kept = new Map();

/**
 * The book of a rulebook, fetched once for each language.
 *
 * @param {string} rulebook its id, as `ultimate`.
 * @param {string} lang one of the page's languages.
 * @returns {Promise<Book>}
 * @throws {Problem} there is no such rulebook, or the service is out of reach.
 */
export async function loadBook(rulebook, lang) {
  const key = `${rulebook} ${lang}`;
  if (!kept.has(key)) {
    const { body } = await get(`/v1/rulebooks/${encodeURIComponent(rulebook)}?lang=${encodeURIComponent(lang)}`);
    kept.set(key, new Book(body));
  }
  return kept.get(key);
}

/** The book that an answer of `GET /v1/rulebooks/{id}` holds; archives carry such answers. */
export function bookFrom(json) {
  return new Book(json);
}

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
    this.#parts = Object.fromEntries(
      ["rooms", "characters", "actions", "roles", "cards", "modes", "options"].map((part) => [
        part,
        new Map((json[part] ?? []).map((entry) => [entry.id, entry])),
      ]),
    );
  }

  /** @returns {{id: string, name: string, color: "blue"|"green"|"yellow"|"red", effect: string, copies: number}} */
  room(kind) {
    return this.#entry("rooms", kind);
  }

  /** @returns {{id: string, name: string, type: string, duo: number, shape: string, abilities: Array}} */
  character(id) {
    return this.#entry("characters", id);
  }

  /** @returns {{id: string, name: string, about: string}} of an action token, adrenaline among them. */
  action(token) {
    return this.#entry("actions", token);
  }

  /** @returns {{id: string, name: string, about: string}} */
  role(id) {
    return this.#entry("roles", id);
  }

  /** @returns {{id: string, kind: string, name: string, effect: string}} */
  card(id) {
    return this.#entry("cards", id);
  }

  /** @returns {{id: string, name: string, about: string, alarm: boolean, needs_key: boolean}} and all else of a mode. */
  mode(id) {
    return this.#entry("modes", id);
  }

  /** @returns {{id: string, name: string, effect: string, passive: boolean}} a special ability, whoever has it. */
  ability(id) {
    const found = this.json.characters.flatMap((each) => each.abilities).find((each) => each.id === id);
    if (found === undefined) {
      throw new Error(`${this.id} has no ability ${id}`);
    }
    return found;
  }

  /** Whether the rulebook has such an entry: `has("cards", "Z01")`. */
  has(part, id) {
    return this.#parts[part]?.has(id) ?? false;
  }

  /** The title of a kind of decision. */
  decision(kind) {
    return this.word(`decision.${kind}.title`);
  }

  /** What kind of event this is, in general words; the log tells it with its facts. */
  eventText(event) {
    return this.word(`event.${event.type}`);
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

  /** A colour class by its word. */
  color(id) {
    return this.word(`color.${id}`);
  }

  /** What a cell is called: its column's letter and its row's number, `C2`. */
  cell(cell) {
    return cellName(cell);
  }

  /** A movable line: `first row`. */
  line(line) {
    return this.word(`line.${line}`);
  }

  /** A direction: `to the left`. */
  way(way) {
    return this.word(`direction.${way}`);
  }

  /** A line and where it moves: `first row (1), to the left`. */
  lineWay(line, way) {
    return t("room25/board.line_way", { line: this.line(line), label: LINES.get(line).label, way: this.way(way) });
  }

  /** A phase of the turn. */
  phase(id) {
    return t(`${this.game}/board.phase.${id}`);
  }

  /**
   * What an option of a decision does, in a few words.
   *
   * @param {{kind: string}} decision
   * @param {{id: string, meaning?: Object}} option
   * @param {Object} [state] a table's state: cells are then told with the room that is known to lie there.
   */
  option(decision, option, state = null) {
    return optionText(this, decision, option, state);
  }

  #entry(part, id) {
    const found = this.#parts[part].get(id);
    if (found === undefined) {
      throw new Error(`${this.id} has nothing called ${id} among its ${part}`);
    }
    return found;
  }
}

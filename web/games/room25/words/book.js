/** The book of a rulebook of Room 25: what rooms, characters, actions, cards, cells and lines are called, and what they do. */

import { Book } from "../../../book.js";
import { Mentions } from "../../../mentions.js";
import { has, language, t } from "../../../words.js";
import { cellName, lineOf } from "../board/geometry.js";
import { optionText } from "./option-text.js";

/** @typedef {[kind: string, id: string]} Named */

/** A rulebook in one language, as `Book` has it, and what is in its box. */
export class ComplexBook extends Book {
  /** What finds names, by the language of the forms: the page may speak another already than the book's. @type {Map<string, Mentions<Named>>} */
  #mentions = new Map();

  /** @returns {{id: string, name: string, color: "blue"|"green"|"yellow"|"red", effect: string, copies: number}} */
  room(kind) {
    return this.entry("rooms", kind);
  }

  /** @returns {{id: string, name: string, type: string, duo: number, shape: string, abilities: Array}} */
  character(id) {
    return this.entry("characters", id);
  }

  /** @returns {{id: string, name: string, about: string}} of an action token, adrenaline among them. */
  action(token) {
    return this.entry("actions", token);
  }

  /** @returns {{id: string, name: string, about: string}} */
  role(id) {
    return this.entry("roles", id);
  }

  /** @returns {{id: string, kind: string, name: string, effect: string}} */
  card(id) {
    return this.entry("cards", id);
  }

  /** @returns {Array<{id: string, name: string, effect: string, passive: boolean}>} the special abilities, whoever has them. */
  get abilities() {
    return this.json.characters.flatMap((each) => each.abilities ?? []);
  }

  /** @returns {{id: string, name: string, effect: string, passive: boolean}} a special ability. */
  ability(id) {
    const found = this.abilities.find((each) => each.id === id);
    if (found === undefined) {
      throw new Error(`${this.id} has no ability ${id}`);
    }
    return found;
  }

  /**
   * The rooms, actions, roles and abilities that a text names in full, in whatever form. Cards are not looked for: one is called as a robot is.
   *
   * @param {string} text
   * @returns {Named[]}
   */
  mentioned(text) {
    const mentions = this.#mentions.get(language()) ?? new Mentions(this.#called());
    this.#mentions.set(language(), mentions);
    return mentions.in(text);
  }

  /** What it explains, each with all that texts call it. @returns {Array<{names: string[], value: Named}>} */
  #called() {
    const { rooms, actions, roles } = this.json;
    const lists = { rooms, actions, roles, abilities: this.abilities };
    return Object.entries(lists).flatMap(([kind, list]) => list.map(({ id, name }) => ({ names: [name, ...formsOf(kind, id)], value: [kind, id] })));
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
    return t("room25/board.line_way", { line: this.line(line), label: lineOf(line).label, way: this.way(way) });
  }

  /** A phase of the turn. */
  phase(id) {
    return this.word(`phase.${id}`);
  }

  /**
   * What an option does; with a state, cells are told with the room that is known to lie there.
   *
   * @override
   */
  option(decision, option, state = null) {
    return optionText(this, decision, option, state);
  }
}

/** Other forms of a name that stand in texts, as plurals and cases: what the language has of them. @returns {string[]} */
function formsOf(kind, id) {
  const key = `room25/forms.${kind}.${id}`;
  return has(key) ? t(key).split(" | ") : [];
}

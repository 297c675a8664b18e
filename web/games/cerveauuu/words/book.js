/** The book of a rulebook of Cerveauuu!: what cards, colours, buildings, pieces and cells are called. */

import { Book } from "../../../book.js";
import { Mentions } from "../../../mentions.js";
import { t } from "../../../words.js";
import { cellName, edgeName, pieceName } from "../board/places.js";
import { optionText } from "./option-text.js";

/** A rulebook in one language, as `Book` has it, and what is in its box. */
export class TownBook extends Book {
  /** @type {Mentions<string>|null} */
  #cards = null;

  /** @returns {{id: string, type: string, name: string, windows: string[], targets: string[], effect: string}} */
  card(id) {
    return this.entry("cards", id);
  }

  /**
   * What a card is called; of one that the reader may not know, that it is hidden.
   *
   * @throws {Error} there is no such card.
   */
  cardName(id) {
    return id === null || id === undefined ? t("cerveauuu/board.card.hidden") : this.card(id).name;
  }

  /** The ids of the cards that a text names in full. @param {string} text @returns {string[]} */
  mentioned(text) {
    this.#cards ??= new Mentions(this.json.cards.map(({ id, name }) => ({ names: [name], value: id })));
    return this.#cards.in(text);
  }

  /**
   * What a colour is called.
   *
   * @throws {Error} there is no such colour.
   */
  colour(id) {
    return this.entry("characters", id).name;
  }

  /** What a building of a map is called by its letter. */
  building(map, letter) {
    const own = this.has("maps", map) ? this.entry("maps", map).buildings.find((each) => each.letter === letter) : null;
    return own?.name ?? t("cerveauuu/board.building", { letter: letter.toUpperCase() });
  }

  /** What a piece is called where its colour is known: `human 4`, `purple zombie 12`. */
  piece(play, id) {
    const seat = play?.pieces?.[id]?.controller ?? null;
    const piece = pieceName(id, this);
    return seat === null ? piece : t("cerveauuu/board.piece.coloured", { piece, colour: this.colour(play.colours[seat]) });
  }

  cell(cell) {
    return cellName(cell);
  }

  edge(edge) {
    return edgeName(edge);
  }

  /**
   * What an option does: of a path its last part.
   *
   * @override
   */
  option(decision, option, state = null) {
    return optionText(this, decision, option, state);
  }
}

/** What Room 25 offers to the lobby, without its board and its fold: a book, a new table, whom to play. */

import { castOf } from "./forms/characters.js";
import { OPENING } from "./forms/opening.js";
import { ComplexBook } from "./words/book.js";
import { chapters } from "./words/chapters.js";
import { characterName } from "./words/names.js";

/** @type {import("../contract.js").GameOffer} */
export const OFFER = {
  words: { book: (json) => new ComplexBook(json), character: characterName, chapters },
  forms: { castOf, opening: OPENING },
};

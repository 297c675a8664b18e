/** What Cerveauuu! offers to the lobby, without its board and its fold: a book, a new table, whom to play. */

import { castOf } from "./forms/colours.js";
import { OPENING } from "./forms/opening.js";
import { TownBook } from "./words/book.js";
import { chapters } from "./words/chapters.js";

/** @type {import("../contract.js").GameOffer} */
export const OFFER = {
  words: { book: (json) => new TownBook(json), character: (book, id) => book.colour(id), chapters },
  forms: { castOf, opening: OPENING },
};

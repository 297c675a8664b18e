/** Edges in words (pure). */

import { sidesOf } from "../board/places.js";
import { townOf } from "../board/town.js";
import { t } from "../../../words.js";

/** An edge with what it is and its two cells: `open door between D6 and E6`. */
export function edgeText(book, play, edge) {
  const [a, b] = sidesOf(edge).map((cell) => book.cell(cell));
  const what = book.wordOrNothing(`term.${townOf(play, book)?.stateOf(edge)}`);
  return what === undefined ? t("cerveauuu/board.option.edge", { a, b }) : t("cerveauuu/board.option.edge_of", { what, a, b });
}

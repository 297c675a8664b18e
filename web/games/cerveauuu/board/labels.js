/** The board in words: what there is to say of a piece, and of a cell (pure). */

import { isHuman, isReady } from "./reach.js";
import { apart, t } from "../../../words.js";

/** @import { TownBook } from "../words/book.js" */

/**
 * A piece with all that is public of it: `purple zombie 12 (blocked)`.
 *
 * @param {TownBook} book
 * @param {Told.CerveauuuState} play
 * @param {Told.CerveauuuPiece} piece
 */
export function pieceText(book, play, piece) {
  const marks = [
    !isHuman(piece) && isReady(piece) && "ready",
    piece.blocked && "blocked",
    piece.doomed && "doomed",
    isHuman(piece) && piece.moved && "moved",
    piece.attacked && "attacked",
    !piece.attacked && piece.activated && "activated",
    piece.must_leave && "must_leave",
    (piece.protections ?? []).length > 0 && "protected",
  ].filter(Boolean);
  const name = book.piece(play, piece.id);
  return marks.length > 0 ? `${name} (${marks.map((mark) => t(`cerveauuu/board.mark.${mark}`)).join(", ")})` : name;
}

/**
 * A cell as one sentence: `D6, the mall: human 4; purple zombie 12 (ready)`.
 *
 * @param {TownBook} book
 * @param {Told.CerveauuuState} play
 * @param {any} town
 * @param {number} cell
 * @param {Told.CerveauuuPiece[]} pieces who stands there.
 */
export function cellText(book, play, town, cell, pieces) {
  const ground = [
    town.impassable.has(cell) && t("cerveauuu/board.mark.impassable"),
    town.opaque.has(cell) && t("cerveauuu/board.mark.opaque"),
  ].filter(Boolean);
  const said = [...ground, ...pieces.map((piece) => pieceText(book, play, piece))];
  const letter = town.buildings[cell];
  const place = [book.cell(town.id(cell)), letter && book.building(play.map, letter)].filter(Boolean).join(", ");
  return said.length > 0 ? t("cerveauuu/board.cell_says", { cell: place, text: apart(said) }) : place;
}

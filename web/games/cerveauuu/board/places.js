/** Cells, edges, pieces and moments by their ids, and what they are called (pure). A cell is `r<y>c<x>`, an edge a cell and `e` or `s`, a moment a number. */

const CELL = /^r(\d+)c(\d+)$/;
const EDGE = /^r(\d+)c(\d+)([es])$/;
const PIECE = /^([hz])(\d+)$/;
const ANCHOR = /^\d+$/;

/** Column and row of a cell, from 0. */
export function placeOf(cell) {
  const [, y, x] = CELL.exec(cell) ?? [];
  return { x: Number(x), y: Number(y) };
}

/** The id of the cell in a column and a row. */
export const cellAt = (x, y) => `r${y}c${x}`;

/** What a cell is called on the page: its column's letter and its row's number from 1, `D6`. */
export function cellName(cell) {
  const { x, y } = placeOf(cell);
  return `${columnName(x)}${y + 1}`;
}

/** The letter of a column. */
export const columnName = (x) => (x < 26 ? String.fromCharCode(65 + x) : columnName(Math.floor(x / 26) - 1) + columnName(x % 26));

/** The two cells of an edge. */
export function sidesOf(edge) {
  const [, y, x, side] = EDGE.exec(edge) ?? [];
  const [left, top] = [Number(x), Number(y)];
  return [cellAt(left, top), side === "e" ? cellAt(left + 1, top) : cellAt(left, top + 1)];
}

/** What an edge is called: its two cells, `D6/E6`. */
export const edgeName = (edge) => sidesOf(edge).map(cellName).join("/");

/**
 * What a piece is called wherever it is spoken of: its kind, and its number as the board shows it, `zombie 12`.
 *
 * @param {string} id
 * @param {{word: (key: string) => string}} book
 */
export function pieceName(id, book) {
  const [, kind, number] = PIECE.exec(id) ?? [];
  return kind === undefined ? id : `${book.word(kind === "h" ? "term.human" : "term.zombie")} ${Number(number)}`;
}

export const isCell = (text) => CELL.test(text);
export const isEdge = (text) => EDGE.test(text);
export const isPiece = (text) => PIECE.test(text);
export const isAnchor = (text) => ANCHOR.test(text);

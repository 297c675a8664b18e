/** The board in words: one sentence for each cell, for the drawing's labels and the board as a table (pure). */

import { cellName } from "./geometry.js";
import { figureMarks } from "./scene.js";
import { apart, listing, t } from "../../../words.js";

/** @import { ComplexBook } from "../words/book.js" */
/** @import { Square } from "./scene.js" */

/**
 * All that there is to say of a square, in parts.
 *
 * @param {Square} square see `scene.js`.
 * @param {Object} play the game's state.
 * @param {ComplexBook} book
 * @returns {string[]} its room first.
 */
export function squareParts(square, play, book) {
  return [
    roomText(square, book),
    square.seal && t("room25/board.seal"),
    square.lock && t("room25/board.lock"),
    square.axis && t(`room25/board.axis.${square.axis}`),
    square.reminders.length > 0 && t("room25/board.reminders", { seats: listing(square.reminders.map(String)) }),
    square.looked.length > 0 && t("room25/board.looked", { seats: listing(square.looked.map(String)) }),
    ...square.claims.map((claim) => t("room25/board.claim", { seat: claim.seat, color: book.color(claim.color) })),
    ...square.figures.map((id) => figureText(play, book, id)),
    ...square.robots.map((number) => t("room25/board.robot", { number })),
  ].filter(Boolean);
}

/** A square as one sentence, its cell first: `C2: Dark Chamber (yellow), face-up; Emmett`. */
export function squareText(square, play, book) {
  return t("room25/board.cell_says", { cell: cellName(square.cell), text: apart(squareParts(square, play, book)) });
}

/** What room lies there, as far as it is known. */
function roomText(square, book) {
  if (square.face === "hidden") {
    return t("room25/board.face.hidden");
  }
  const room = book.room(square.kind);
  return t(`room25/board.face.${square.face}`, { room: room.name, color: book.color(room.color) });
}

/** A figure with its marks: `Emmett (must be off this room)`. */
export function figureText(play, book, id) {
  const marks = figureMarks(play, play.characters[id]).map(([key, params]) => t(`room25/board.mark.${key}`, params));
  const acts = play.actor === id ? [t("room25/board.mark.acts")] : [];
  const all = [...acts, ...marks];
  const { name } = book.character(id);
  return all.length ? `${name} (${all.join(", ")})` : name;
}

/** What stands on the buttons of options that are cards or cells. */

import { h } from "../../../dom.js";
import { cardFace } from "../board/card-face.js";
import { isCell } from "../board/places.js";

const CARD = /^(?:(?:play|swap)\.)?k(\d+)$/;

/** @type {import("../../contract.js").GameForms["face"]} */
export function faceOf(decision, option, book, state) {
  const part = option.id.split(".").at(-1) ?? "";
  return isCell(part) ? cellFace(part, book.option(decision, option, state), book) : cardFaceOf(decision, option, book, state);
}

/** A card of the hand, with all that it does. */
function cardFaceOf(decision, option, book, state) {
  const number = CARD.exec(option.id)?.[1];
  const card = number && state?.play?.hands?.[decision.seat]?.[number];
  return card && book.has("cards", card) ? [h("span", { class: "cv-card-option" }, cardFace(card, book))] : null;
}

/** The name of a cell; the building round it is said, and seen on the board. */
function cellFace(cell, text, book) {
  const name = book.cell(cell);
  const rest = text.slice(name.length);
  return [h("span", { class: "p-brief" }, name, rest !== "" && h("span", { class: "unseen" }, rest))];
}

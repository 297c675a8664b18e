/** What a place of the town is, and who stands there; and what a card of the hand does. */

import { h } from "../../../dom.js";
import { cellText } from "../board/labels.js";
import { townOf } from "../board/town.js";
import { cardOf } from "../board/targets.js";
import { aboutCard, pieceAbout } from "./about.js";

/** @type {import("../../contract.js").GameHelp["about"]} */
export function about({ play }, target, { book }) {
  const card = cardOf(target);
  if (card !== null) {
    return book.has("cards", card) ? { title: book.cardName(card), content: [aboutCard(book, card)] } : null;
  }
  const town = play?.map ? townOf(play, book) : null;
  const cell = town?.cell(target);
  if (!town || cell === undefined || town.id(cell) !== target) {
    return null;
  }
  const pieces = Object.values(play.pieces).filter((each) => each.cell === target);
  const kinds = new Set(pieces.map(pieceAbout));
  return { title: book.cell(target), content: [h("p", {}, cellText(book, play, town, cell, pieces)), ...[...kinds].map((text) => h("p", {}, text))] };
}

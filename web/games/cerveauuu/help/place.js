/** What a place of the town is, and who stands there; and what a card of the hand, or a player, is. */

import { h } from "../../../dom.js";
import { cellText } from "../board/labels.js";
import { isEdge } from "../board/places.js";
import { pointsText } from "../board/seat.js";
import { cardOf, seatIn } from "../board/targets.js";
import { townOf } from "../board/town.js";
import { edgeText } from "../words/edge-text.js";
import { aboutCard, pieceAbout } from "./about.js";
import { capitalised } from "../../../words.js";

/** @type {import("../../contract.js").GameHelp["about"]} */
export function about({ play }, target, { book, names }) {
  const card = cardOf(target);
  if (card !== null) {
    return book.has("cards", card) ? { title: book.cardName(card), content: [aboutCard(book, card)] } : null;
  }
  const seat = seatIn(target);
  if (seat !== null) {
    return { title: names.player(seat), content: [h("p", {}, `${book.colour(play.colours[seat])}, ${pointsText(play, seat)}`)] };
  }
  if (isEdge(target)) {
    return { title: capitalised(edgeText(book, play, target)), content: [] };
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

/** What a place of the town is, and who stands there. */

import { h } from "../../../dom.js";
import { cellText } from "../board/labels.js";
import { townOf } from "../board/town.js";
import { pieceAbout } from "./about.js";

/** @type {import("../../contract.js").GameHelp["about"]} */
export function about({ play }, target, { book }) {
  const town = play?.map ? townOf(play, book) : null;
  const cell = town?.cell(target);
  if (!town || cell === undefined || town.id(cell) !== target) {
    return null;
  }
  const pieces = Object.values(play.pieces).filter((each) => each.cell === target);
  const kinds = new Set(pieces.map(pieceAbout));
  return { title: book.cell(target), content: [h("p", {}, cellText(book, play, town, cell, pieces)), ...[...kinds].map((text) => h("p", {}, text))] };
}

/**
 * What an option touches on the board, by which the board finds it (pure). An edge is found from its cells too: it is thin, and
 * there may be hundreds.
 */

import { isCell, isEdge, isPiece, sidesOf } from "./places.js";
import { edgeText } from "../words/edge-text.js";
import { t } from "../../../words.js";

const BUILDING = "building:";
const CARD = "card:";
const SEAT = "seat:";
const NUMBER = /^k\d+$/;
const CHOOSES_SEAT = /\.s(\d+)$/;

/** @type {import("../../contract.js").GameBoard["targets"]} */
export function targets({ id }) {
  const part = id.split(".").at(-1) ?? "";
  const members = part.replace(/^attack-/, "").split("-");
  const found = members.filter((each) => isPiece(each) || isCell(each) || isEdge(each));
  const sides = found.filter(isEdge).flatMap(sidesOf);
  const cards = members.filter((each) => NUMBER.test(each)).map((each) => numberTarget(each));
  return found.length === 0 && /^[a-z]$/.test(part) ? [BUILDING + part] : [...found, ...sides, ...cards];
}

/** @type {import("../../contract.js").GameBoard["targetText"]} */
export function targetText(target, book, state) {
  if (target.startsWith(BUILDING)) {
    return book.building(state?.play?.map, target.slice(BUILDING.length));
  }
  if (target.startsWith(CARD)) {
    return t("cerveauuu/board.player.card", { number: target.slice(CARD.length + 1) });
  }
  if (isPiece(target)) {
    return book.piece(state?.play, target);
  }
  return isEdge(target) ? edgeText(book, state?.play, target) : book.cell(target);
}

/** The target that a building is. */
export const buildingTarget = (letter) => BUILDING + letter;

/** The target that a card in a hand is, for what is to be told of it. */
export const cardTarget = (id) => CARD + id;

/** The target that it is to be chosen by: its number as options have it, `k3`. */
export const numberTarget = (number) => CARD + number;

/** The target that a player's part of the page is. */
export const seatTarget = (seat) => `${SEAT}${seat}`;

/** The seat that an option of a level chooses, which has buttons and no place on the board; null: none. */
export function seatChosen({ id }) {
  const [, seat] = CHOOSES_SEAT.exec(id) ?? [];
  return seat === undefined ? null : Number(seat);
}

/** The seat that a target is; null: it is none. */
export const seatIn = (target) => (target.startsWith(SEAT) ? Number(target.slice(SEAT.length)) : null);

/** The card that a target is; null: it is none. */
export const cardOf = (target) => (target.startsWith(CARD) ? target.slice(CARD.length) : null);

/** @type {import("../../contract.js").GameBoard["touched"]} */
export function touched(event) {
  const { piece, zombie, human, target, principal, cell, edge, path, cells, paths, to } = event;
  const named = [piece, zombie, human, target, principal, cell, edge, path?.at(-1)];
  const moved = event.type === "steps-taken" && to !== undefined ? Object.keys(cells ?? {}) : [];
  const wandered = event.type === "batch-judged" ? Object.keys(paths ?? {}) : [];
  return [...named, ...moved, ...wandered].filter((each) => typeof each === "string");
}

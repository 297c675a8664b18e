/** What an option does, in a few words, from its id (pure): the parts of a path say what they are by their form. */

import { isAnchor, isCell, isEdge, isPiece } from "../board/places.js";
import { edgeText } from "./edge-text.js";
import { listing, t } from "../../../words.js";

/** @import { TownBook } from "./book.js" */

const NUMBER = /^k(\d+)$/;
const SEAT = /^s(\d+)$/;
const ATTACK = "attack-";
const DEEP = "-deep";
/** Of a zombie that neither moves nor attacks. */
const PASSED = /^z\d+\.end$/;

/**
 * The text of an option; see `Book.option`.
 *
 * @param {TownBook} book
 * @param {{kind: string, seat?: number, subject?: string}} decision
 * @param {{id: string, meaning?: any}} option
 * @param {any} state a table's state.
 * @returns {string}
 */
export function optionText(book, decision, option, state) {
  const play = state?.play ?? null;
  const part = option.id.split(".").at(-1) ?? option.id;
  if (decision.kind === "yield") {
    const order = orderText(book, part.replace(DEEP, ""), play);
    return part.endsWith(DEEP) ? `${order}, ${book.word("yield.deep")}` : order;
  }
  if (PASSED.test(option.id)) {
    return t("cerveauuu/board.option.pass");
  }
  const answer = book.wordOrNothing(`answer.${part}`);
  if (answer !== undefined && part !== "attack") {
    return answer;
  }
  if (part.startsWith(ATTACK)) {
    return t("cerveauuu/board.option.attack", { target: book.piece(play, part.slice(ATTACK.length)) });
  }
  if (isAnchor(part)) {
    return anchorText(book, play, Number(part));
  }
  const members = part.split("-");
  if (members.length === 2 && members[0].startsWith("h") && members.every(isPiece)) {
    return t("cerveauuu/board.option.share", { human: book.piece(play, members[0]), zombie: book.piece(play, members[1]) });
  }
  return listing(members.map((each) => memberText(book, decision, each, play)));
}

/** A standing pass. Where nobody has a go, one for a go ends with the window. */
function orderText(book, order, play) {
  return order === "go" && play?.window && (play.go ?? null) === null ? t("cerveauuu/board.option.window") : book.word(`yield.${order}`);
}

/**
 * A moment of a timeline: before everything, or after a step.
 *
 * @param {TownBook} book
 * @param {Told.CerveauuuState} play
 * @param {number} anchor how many steps have happened.
 */
export function anchorText(book, play, anchor) {
  const step = play?.window?.timeline?.[anchor - 1];
  if (anchor === 0 || step === undefined) {
    return anchor === 0 ? t("cerveauuu/board.anchor.first") : t("cerveauuu/board.anchor.step", { step: anchor });
  }
  const [piece, cell] = step;
  return t("cerveauuu/board.anchor.after", { step: anchor, piece: book.piece(play, piece), cell: placeText(book, cell, play) });
}

/** A cell, and the building in which it lies: `D6, the mall`. */
export function placeText(book, cell, play) {
  return book.cell(cell) + (play ? buildingSuffix(book, cell, play) : "");
}

function buildingSuffix(book, cell, play) {
  const letter = letterAt(book, cell, play);
  return letter === null ? "" : `, ${book.building(play.map, letter)}`;
}

/** The letter of the building in which a cell lies; null: outdoors, or unknown. */
function letterAt(book, cell, play) {
  const text = book.has("maps", play.map) ? book.entry("maps", play.map).text : play.map;
  const [, y, x] = /^r(\d+)c(\d+)$/.exec(cell) ?? [];
  const sign = text.split("\n").filter((line) => line !== "")[2 * Number(y) + 1]?.[2 * Number(x) + 1];
  return /[a-z]/.test(sign ?? "") ? sign : null;
}

/** @param {TownBook} book @param {{seat?: number}} decision @param {string} part @param {Told.CerveauuuState} play */
function memberText(book, { seat }, part, play) {
  const number = NUMBER.exec(part)?.[1];
  if (number !== undefined) {
    return book.cardName(play?.hands?.[seat ?? 0]?.[number]);
  }
  const other = SEAT.exec(part)?.[1];
  if (other !== undefined) {
    return t("board.seat", { seat: other });
  }
  if (isPiece(part)) {
    return book.piece(play, part);
  }
  if (isEdge(part)) {
    return edgeText(book, play, part);
  }
  if (isCell(part)) {
    return placeText(book, part, play);
  }
  return /^[a-z]$/.test(part) ? book.building(play?.map, part) : book.word(`answer.${part}`);
}

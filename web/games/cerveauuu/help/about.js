/** What there is to know of cards, phases, windows and pieces, one step from where they are named. */

import { h } from "../../../dom.js";
import { isHuman } from "../board/reach.js";
import { cardFace } from "../board/card-face.js";
import { term } from "../../../term.js";
import { typeText } from "../words/chapters.js";
import { t } from "../../../words.js";

/** @import { TownBook } from "../words/book.js" */

const CARD = /^c\d{3}$/;

/** What a piece of its kind can do. */
export const pieceAbout = (piece) => t(`cerveauuu/about.piece.${isHuman(piece) ? "human" : "zombie"}`);

/** A card, and what its type means. */
export function aboutCard(book, id) {
  return h("div", { class: "cv-about" }, h("div", { class: `cv-card cv-type-${book.card(id).type}` }, cardFace(id, book)), h("p", {}, typeText(book.card(id).type)));
}

/**
 * The name of a card, as a button that shows the card.
 *
 * @param {TownBook} book
 * @param {string|null|undefined} id
 * @param {string} place where it stands, in which it stands once.
 * @returns {HTMLElement|string} a text where nobody knows more.
 */
export function cardTerm(book, id, place) {
  const name = book.cardName(id);
  return id === null || id === undefined ? name : term(`${place}-${id}`, name, () => [aboutCard(book, id)]);
}

/** The name of a phase, as a button. */
export function phaseTerm(book, phase, text) {
  return term(`phase-${phase}`, text, () => [h("p", {}, t(`cerveauuu/board.help.${phase}_text`))], book.word(`phase.${phase}`));
}

/** The name of a kind of window, as a button. */
export function windowTerm(book, kind) {
  const content = () => [h("p", {}, t(`cerveauuu/about.window.${kind}`)), h("p", {}, t("cerveauuu/board.help.windows_text"))];
  return term(`window-${kind}`, book.word(`window.${kind}`), content);
}

/** @type {import("../../contract.js").GameHelp["named"]} */
export function named(event, book, text) {
  const held = textsOf(event).filter((each) => CARD.test(each) && book.has("cards", each));
  const cards = [...new Set([...held, ...book.mentioned(text)])];
  if (cards.length === 0) {
    return null;
  }
  return { title: cards.map((id) => book.cardName(id)).join(", "), content: cards.map((id) => aboutCard(book, id)) };
}

/** Every text in an event. */
function textsOf(value) {
  if (typeof value === "string") {
    return [value];
  }
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(textsOf) : [];
}

/** What stands on the buttons of options that are cards. */

import { h } from "../../../dom.js";
import { cardFace } from "../board/hand-panel.js";

const CARD = /^(?:play|swap)\.k(\d+)$/;

/** @type {import("../../contract.js").GameForms["face"]} */
export function cardOption(decision, option, book, state) {
  const number = CARD.exec(option.id)?.[1];
  const card = number && state?.play?.hands?.[decision.seat]?.[number];
  return card && book.has("cards", card) ? [h("span", { class: "cv-card-option" }, cardFace(card, book))] : null;
}

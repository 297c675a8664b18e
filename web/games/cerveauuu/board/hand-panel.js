/**
 * The hand of whoever looks: each card with what it does and when it may be played. A card that can be chosen is, when it is pressed; another tells
 * more, and why it cannot be played now.
 */

import { h } from "../../../dom.js";
import { patch } from "../../../patch.js";
import { cardFace } from "./card-face.js";
import { cardTarget, numberTarget } from "./targets.js";
import { seatOf } from "../../../viewer.js";
import { t } from "../../../words.js";

/** @import { TownBook } from "../words/book.js" */

/**
 * @param {{book: TownBook, onCell?: (target: string, how: "hover"|"click") => void}} options
 * @returns {import("../../contract.js").Part}
 */
export function createHand({ book, onCell }) {
  const element = h("section", { class: "cv-hand", "aria-label": t("cerveauuu/board.hand.label"), hidden: true });
  const update = ({ play }, { viewer, choices }) => {
    const seat = seatOf(viewer);
    const hand = Object.entries(play?.hands?.[seat ?? 0] ?? {});
    element.hidden = seat === null || hand.length === 0;
    patch(element, h("h2", {}, t("cerveauuu/board.hand.label")), h("ul", {}, hand.map(([number, card]) => item(number, card, { play, book, choices, onCell }))));
  };
  return { element, update, destroy: () => element.remove() };
}

function item(number, id, { play, book, choices, onCell }) {
  const numbered = t("cerveauuu/board.player.card", { number });
  if (id === null || !book.has("cards", id)) {
    return h("li", { class: "cv-card" }, numbered);
  }
  const fits = play.window !== null && book.card(id).windows.includes(play.window.kind);
  const about = cardTarget(id);
  const target = numberTarget(`k${number}`);
  const entries = choices.get(target);
  const choose = () => (entries.length === 1 ? entries[0].choose() : entries[0].narrow(target));
  const props = entries ? { onclick: choose } : { "aria-haspopup": "dialog", onclick: () => onCell?.(about, "click") };
  const pressed = h("button", { type: "button", class: "cv-card-press", dataset: { about }, ...props }, cardFace(id, book, numbered));
  const classes = ["cv-card", `cv-type-${book.card(id).type}`, fits && "cv-fits", entries && "cv-choosable"];
  return h("li", { class: classes, dataset: { card: id } }, pressed);
}

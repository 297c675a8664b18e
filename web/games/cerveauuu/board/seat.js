/** What there is to say of a seat: its colour and outline, points, cards, zombies and standing pass. */

import { h } from "../../../dom.js";
import { tag } from "../../../tag.js";
import { chip } from "./figures.js";
import { isReady } from "./reach.js";
import { seatChosen, seatTarget } from "./targets.js";
import { cardTerm } from "../help/about.js";
import { around } from "../../../around.js";
import { t } from "../../../words.js";

export const pointsText = ({ scores }, seat) => t("cerveauuu/board.player.points", { points: scores[seat] ?? 0 });

/** The outline of a seat's zombies, in its colour. */
export function seatChip(play, seat, size = 22) {
  return play.colours[seat] === undefined ? null : chip({ id: "z", cell: "", controller: seat }, play, size);
}

/** @type {import("../../contract.js").GameBoard["seat"]} */
export function seatParts(seat, place, { state, book, answers, onCell }) {
  const { play } = state;
  if (!play || play.colours[seat] === undefined) {
    const wish = (place.characters ?? []).map((id) => book.colour(id));
    return { tags: [], body: wish.length > 0 ? h("p", { class: "b-chosen" }, wish.join(", ")) : null };
  }
  const zombies = Object.values(play.pieces).filter((piece) => piece.controller === seat);
  const order = play.yields[seat];
  const tells = isPassedOver(seat, answers);
  const tell = { onclick: (event) => isOfItself(event.target) || onCell(seatTarget(seat), "click") };
  return {
    tags: [
      play.chief === seat && play.round > 0 && tag(book.word("term.chief"), "b-tag-now"),
      play.go === seat && tag(t("cerveauuu/board.player.go"), "b-tag-now"),
    ],
    body: h(
      "div",
      { class: ["cv-seat", tells && "cv-telling"], dataset: { about: seatTarget(seat) }, ...(tells && tell) },
      h(
        tells ? "button" : "p",
        { class: "cv-score", ...(tells && { type: "button", "aria-haspopup": "dialog" }) },
        seatChip(play, seat, 28),
        h("span", {}, book.colour(play.colours[seat])),
        h("b", {}, pointsText(play, seat)),
        h("span", {}, t("cerveauuu/board.player.played", { cards: play.played[seat] ?? 0 })),
        h("span", {}, t("cerveauuu/board.player.zombies", { zombies: zombies.length, ready: zombies.filter(isReady).length })),
      ),
      h("p", { class: "cv-cards" }, around("cerveauuu/board.player.hand", "cards", handTerms(seat, play.hands[seat] ?? {}, book))),
      order && h("p", { class: "cv-yield" }, tag(orderText(order, book))),
    ),
  };
}

/** Whether seats can be chosen, and not this one, which then tells why where it is pressed. */
function isPassedOver(seat, answers) {
  const seats = answers.flatMap(({ options }) => options.map(seatChosen)).filter((each) => each !== null);
  return seats.length > 0 && !seats.includes(seat);
}

/** Whether something in a seat's part does something else, as the names of cards do. */
const isOfItself = (target) => target.closest("button:not(.cv-score)") !== null;

/** The cards of a hand by their numbers, with the names of those that are known: `no. 2, no. 5 Rifle`. */
function handTerms(seat, hand, book) {
  const numbered = (number) => t("cerveauuu/board.player.card", { number });
  const cards = Object.entries(hand).map(([number, card], i) => [i > 0 && ", ", numbered(number), card !== null && [" ", cardTerm(book, card, `seat${seat}`)]]);
  return cards.length > 0 ? cards : t("cerveauuu/board.player.no_cards");
}

function orderText({ kind, deep, window }, book) {
  return [window ? t("cerveauuu/board.option.window") : book.word(`yield.${kind}`), deep && book.word("yield.deep")].filter(Boolean).join(", ");
}

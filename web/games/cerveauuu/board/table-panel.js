/** What lies beside the board for all: end credits, weather, what is forbidden, the deck. */

import { clear, h } from "../../../dom.js";
import { t } from "../../../words.js";

/** @import { TownBook } from "../words/book.js" */

/**
 * @param {{book: TownBook}} options
 * @returns {import("../../contract.js").Part}
 */
export function createTable({ book }) {
  const element = h("section", { class: "cv-table", "aria-label": t("cerveauuu/board.round.label") });
  const update = ({ play }) => {
    clear(element);
    if (play && play.round > 0) {
      element.append(h("h2", {}, t("cerveauuu/board.round.round", { round: play.round, phase: book.word(`phase.${play.phase}`) })), facts(play, book));
    }
  };
  return { element, update, destroy: () => element.remove() };
}

function facts(play, book) {
  const named = (card) => h("span", { title: book.has("cards", card) ? book.card(card).effect : "" }, book.cardName(card));
  const rows = [
    [t("cerveauuu/board.round.credits"), [t("cerveauuu/board.round.credits_of", { count: play.credits.length, need: play.credits_need }), ...play.credits.map((card) => [" · ", named(card)])]],
    [book.word("term.weather"), play.weather ? named(play.weather.card) : t("cerveauuu/board.round.no_weather")],
    play.media_lock && [book.word("card_type.media"), t("cerveauuu/board.round.media_used")],
    ...play.bans.map((ban) => [book.word(`card_type.${ban.type}`), t("cerveauuu/board.round.banned", { card: book.cardName(ban.card) })]),
    [book.word("term.deck"), String(play.deck_size)],
  ].filter(Boolean);
  return h("dl", { class: "cv-facts" }, rows.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

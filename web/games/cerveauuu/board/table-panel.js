/** What lies beside the board for all: end credits, weather, what is forbidden, the deck. */

import { h } from "../../../dom.js";
import { patch } from "../../../patch.js";
import { cardTerm, phaseTerm } from "../help/about.js";
import { around } from "../../../around.js";
import { capitalised, t } from "../../../words.js";

/** @import { TownBook } from "../words/book.js" */

/**
 * @param {{book: TownBook}} options
 * @returns {import("../../contract.js").Part}
 */
export function createTable({ book }) {
  const element = h("section", { class: "cv-table", "aria-label": t("cerveauuu/board.round.label") });
  const update = ({ play }) => {
    patch(element, play && play.round > 0 ? [heading(play, book), facts(play, book)] : []);
  };
  return { element, update, destroy: () => element.remove() };
}

function heading(play, book) {
  const title = t("cerveauuu/board.round.round", { round: play.round, phase: book.word(`phase.${play.phase}`) });
  return h("h2", {}, phaseTerm(book, play.phase, title));
}

function facts(play, book) {
  const rows = [
    [t("cerveauuu/board.round.credits"), [t("cerveauuu/board.round.credits_of", { count: play.credits.length, need: play.credits_need }), ...play.credits.map((card) => [" · ", cardTerm(book, card, "credits")])]],
    [book.word("term.weather"), play.weather ? cardTerm(book, play.weather.card, "weather") : t("cerveauuu/board.round.no_weather")],
    play.media_lock && [book.word("card_type.media"), t("cerveauuu/board.round.media_used")],
    ...play.bans.map((ban) => [book.word(`card_type.${ban.type}`), around("cerveauuu/board.round.banned", "card", cardTerm(book, ban.card, `ban-${ban.type}`))]),
    [book.word("term.deck"), String(play.deck_size)],
  ].filter(Boolean);
  return h("dl", { class: "cv-facts" }, rows.map(([name, value]) => [h("dt", {}, capitalised(name)), h("dd", {}, value)]));
}

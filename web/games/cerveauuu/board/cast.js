/** Who has come to what, once the game is over. */

import { h } from "../../../dom.js";
import { seatChip } from "./seat.js";
import { t } from "../../../words.js";

/**
 * The seats from first to last: whoever has won, then by points and by cards played. A player who has resigned may have most points and has not won.
 *
 * @param {any} state of a table whose game is over.
 * @returns {number[]}
 */
export function ranking({ play, result }) {
  const wins = (seat) => Number(result?.winners?.includes(seat) ?? false);
  const points = (seat) => play.scores[seat] ?? 0;
  const cards = (seat) => play.played[seat] ?? 0;
  return [...play.seats].sort((a, b) => wins(b) - wins(a) || points(b) - points(a) || cards(b) - cards(a));
}

/** @type {import("../../contract.js").GameBoard["cast"]} */
export function castTable(state, { names, fortune }) {
  const { play } = state;
  if (!play?.end) {
    return null;
  }
  const head = ["player", "points", "cards", "result"].map((name) => h("th", { scope: "col" }, t(`cerveauuu/board.cast.${name}`)));
  return h(
    "table",
    { class: "cv-cast" },
    h("thead", {}, h("tr", {}, head)),
    h(
      "tbody",
      {},
      ranking(state).map((seat) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, h("span", {}, seatChip(play, seat), h("span", { dir: "auto" }, names.player(seat)))),
          h("td", {}, String(play.scores[seat] ?? 0)),
          h("td", {}, String(play.played[seat] ?? 0)),
          h("td", {}, t(`watch.result.${fortune(seat)}`)),
        ),
      ),
    ),
  );
}

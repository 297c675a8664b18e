/** Who has come to what, once the game is over. */

import { h } from "../../../dom.js";
import { seatChip } from "./seat.js";
import { t } from "../../../words.js";

/** @type {import("../../contract.js").GameBoard["cast"]} */
export function castTable(state, { names, fortune }) {
  const { play } = state;
  if (!play?.end) {
    return null;
  }
  const seats = [...play.seats].sort((a, b) => play.scores[b] - play.scores[a] || play.played[b] - play.played[a]);
  const head = ["player", "points", "cards", "result"].map((name) => h("th", { scope: "col" }, t(`cerveauuu/board.cast.${name}`)));
  return h(
    "table",
    { class: "cv-cast" },
    h("thead", {}, h("tr", {}, head)),
    h(
      "tbody",
      {},
      seats.map((seat) =>
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

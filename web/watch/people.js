/** Who sits at the table: seats and names, what is public about them, and what the game says of each. */

import { called } from "../called.js";
import { h } from "../dom.js";
import { gameOf } from "../games/registry.js";
import { connectionOf } from "../net/connections.js";
import { patch } from "../patch.js";
import { nameLink } from "../profile-link.js";
import { tables } from "../tables.js";
import { tag } from "../tag.js";
import { seatOf } from "../viewer.js";
import { t, tn } from "../words.js";

/**
 * The list of people.
 *
 * @param {{book: import("../book.js").Book, onCell: (target: string, how: "click") => void}} options see `SeatGiven`.
 * @returns {import("../games/contract.js").Part}
 */
export function createPeople({ book, onCell }) {
  const element = h("section", { class: "b-people", "aria-label": t("board.people") });
  return {
    element,
    update(state, { viewer = "public", history = null, running, answers }) {
      const seats = Object.entries(state.seats ?? {});
      patch(
        element,
        h("h2", {}, t("board.people")),
        h(
          "ol",
          { class: "b-seats" },
          seats.map(([seat, place]) => person(Number(seat), place, { state, book, viewer, history, running, answers, onCell })),
        ),
      );
    },
    destroy: () => element.remove(),
  };
}

function person(seat, place, given) {
  const { state, viewer, book } = given;
  const mine = seatOf(viewer) === seat;
  const end = tables.end(state);
  const won = end?.winners?.includes(seat);
  const own = gameOf(book.game).board.seat(seat, place, given);
  return h(
    "li",
    { class: ["b-person", mine && "b-you", place.resigned && "b-gone"], dataset: { seat: String(seat) } },
    h(
      "div",
      { class: "b-person-head" },
      h(
        "span",
        { class: "b-seat", title: t("board.seat", { seat }) },
        h("span", { class: "b-unseen" }, t("board.seat", { seat })),
        h("span", { "aria-hidden": "true" }, String(seat)),
      ),
      h("strong", { class: "b-person-name", dir: "auto" }, nameLink(called(seat, place), place, { apart: true })),
      tags(seat, place, state, { mine, won, drawn: end?.outcome === "draw", turn: book.turn }),
      own.tags,
    ),
    own.body,
  );
}

function tags(seat, place, state, { mine, won, drawn, turn }) {
  return [
    mine && tag(t("board.tag.you"), "b-tag-you"),
    won && tag(t(drawn ? "board.tag.drew" : "board.tag.winner"), "b-tag-good"),
    place.bot && tag(t("board.tag.bot")),
    state.phase === "open" && place.ready && tag(t("board.tag.ready"), "b-tag-good"),
    !mine && connectionTag(connectionOf(seat)),
    place.absent && tag(t("board.tag.absent"), "b-tag-bad"),
    place.strikes > 0 && tag(tn(`board.tag.strikes.${turn}`, place.strikes), "b-tag-bad"),
    place.resigned && tag(t("board.tag.resigned"), "b-tag-bad"),
  ];
}

/** What one wonders about while nothing happens: whether the others are there. */
function connectionTag(connection) {
  if (connection === "disconnected") {
    return tag(t("board.tag.disconnected"), "b-tag-bad");
  }
  return connection === "away" && tag(t("board.tag.away"));
}

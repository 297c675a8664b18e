/** What there is to say of a seat: its characters, their roles as far as they are known, programmes, and all that is public. */

import { around } from "../../../around.js";
import { h } from "../../../dom.js";
import { chip } from "./chip.js";
import { cellName } from "./geometry.js";
import { namedTerm } from "../help/terms.js";
import { isSealed } from "./role-card.js";
import { pictogram } from "./pictograms.js";
import { figureMarks } from "./scene.js";
import { slotList } from "./slots.js";
import { tag } from "../../../tag.js";
import { t, tn } from "../../../words.js";

/**
 * A seat's characters; `history` is what `programmeHistory` made of the current turn's events (or of more).
 *
 * @type {import("../../contract.js").GameBoard["seat"]}
 */
export function seatParts(seat, place, { state, book, viewer, running, history = null }) {
  const characters = Object.values(state.play?.characters ?? {}).filter((c) => c.seat === seat);
  const programmes = history?.get(state.play?.turn) ?? null;
  const body =
    characters.length > 0
      ? h(
          "ul",
          { class: "b-characters" },
          characters.map((c) => characterRow(c, { state, book, programmes, sealed: isSealed(c, { viewer, running }) })),
        )
      : h("p", { class: "b-chosen" }, (place.characters ?? []).map((id) => book.character(id).name).join(", "));
  return { tags: [state.phase === "live" && state.play?.phase === "starting_clue" && clue(seat, state.play)], body };
}

/** Whether the room of the starting clue is chosen; which one it is stays secret until all are. */
function clue(seat, play) {
  const chosen = seat in (play.clues ?? {});
  return tag(t(chosen ? "room25/board.slot.locked" : "room25/board.slot.choosing"), chosen ? "b-tag-good" : "");
}

function characterRow(c, { state, book, programmes, sealed }) {
  const { play } = state;
  const dead = c.alive === false;
  const programme = programmes?.get(c.id) ?? null;
  return h(
    "li",
    { class: ["b-character", dead && "b-dead", play.actor === c.id && "b-acting"], dataset: { character: c.id } },
    chip(c.id, { book, play, size: 30 }),
    h(
      "div",
      { class: "b-character-text" },
      h(
        "div",
        { class: "b-character-line" },
        h("b", {}, namedTerm(book, "characters", c.id, `seat${c.seat}`)),
        h(
          "span",
          { class: "b-where" },
          dead ? t("room25/board.dead", { place: play.dead.indexOf(c.id) + 1 }) : c.cell ? cellName(c.cell) : "",
        ),
        sealed ? tag(t("room25/board.role.sealed"), "b-role-unknown") : role(c, state, book),
        play.actor === c.id && !dead && tag(t("room25/board.mark.acts"), "b-tag-now"),
      ),
      slotList(c, { state, book, programme }),
      h("div", { class: "b-facts" }, facts(c, play, book)),
    ),
  );
}

/** The role as it is known; nothing in modes without roles. */
function role(c, state, book) {
  const dealt = Object.keys(book.mode(state.mode).roles ?? {}).length > 0;
  if (!c.role) {
    return dealt && tag(t("room25/board.role.unknown"), "b-role-unknown");
  }
  const name = book.has("roles", c.role) ? namedTerm(book, "roles", c.role, `role-${c.id}`) : t(`room25/board.role.${c.role}`);
  const guard = c.role !== "prisoner";
  return h(
    "span",
    {
      class: ["b-tag", guard ? "b-role-guard" : "b-role-prisoner"],
      title: t(c.role_public ? "room25/board.role.public" : "room25/board.role.secret"),
    },
    pictogram("sign", c.role_public ? "eye" : "hidden", { size: 13 }),
    name,
    h("span", { class: "b-unseen" }, ` (${t(c.role_public ? "room25/board.role.public" : "room25/board.role.secret")})`),
  );
}

function facts(c, play, book) {
  const team = c.team && c.team !== "all" && c.team !== `seat${c.seat}` ? c.team : null;
  const adrenaline = c.adrenaline && c.adrenaline !== "none";
  return [
    team && tag(t("room25/board.team", { team: team.replace(/^team/, "") })),
    ...figureMarks(play, c).map(([mark, params]) =>
      tag(t(`room25/board.mark.${mark}`, params), ["trap", "flood"].includes(mark) ? "b-tag-bad" : ""),
    ),
    c.paranoid && c.stacked > 0 && tag(tn("room25/board.stacked", c.stacked)),
    adrenaline &&
      h(
        "span",
        { class: ["b-tag", `b-adrenaline-${c.adrenaline}`] },
        pictogram("action", "adrenaline", { size: 13 }),
        namedTerm(book, "actions", "adrenaline", `boost-${c.id}`, t(`room25/board.adrenaline.${c.adrenaline}`)),
      ),
    (c.lost ?? []).length > 0 &&
      h("span", { class: "b-tag b-tag-bad" }, h("span", {}, around("room25/board.lost_tokens", "actions", lostActions(c, book)))),
    c.spares > 0 && tag(tn("room25/board.spares", c.spares)),
    c.powered && tag(t("room25/board.powered")),
  ].filter(Boolean);
}

/** The actions that a character has lost for good, as a list. */
function lostActions({ id, lost }, book) {
  return lost.flatMap((token, i) => [i > 0 && ", ", namedTerm(book, "actions", token, `lost-${id}`)]);
}

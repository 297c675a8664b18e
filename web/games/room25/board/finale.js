/** The last scene of a game in the complex: Room 25 slides out of it, or its gate stays shut, and the roles are turned up in a row. */

import { s } from "../../../dom.js";
import { chip } from "./chip.js";
import { namedTerm } from "../help/terms.js";
import { staysShut } from "../words/ending.js";
import { t } from "../../../words.js";

const CELL = 22;
const SIDE = 5;

/** @type {import("../../contract.js").GameFinale} */
export function finale({ play, result }, { names, book, seat, won }) {
  const people = Object.values(play?.characters ?? {});
  if (people.length === 0 || !play.end) {
    return null;
  }
  const guard = people.some((c) => c.seat === seat && c.role === "guard");
  const shut = staysShut(play);
  const word = guard ? (won ? "held" : "slipped") : won ? (shut ? "survived" : "escaped") : "failed";
  return {
    title: won === null ? names.word(`outcome.${result.outcome}`) : t(`room25/finale.${word}`),
    drawing: complex(shut),
    people: people.map((c) => ({
      face: chip(c.id, { book, play, size: 56 }),
      name: names.character(c.id),
      said: c.role ? roleTerm(c, book, names) : c.alive === false ? t("room25/watch.result.dead") : t("room25/watch.result.alive"),
      against: c.role === "guard",
    })),
  };
}

/** What a role is called here, also one that this rulebook does not have. */
function roleTerm({ id, role }, book, names) {
  return book.has("roles", role) ? namedTerm(book, "roles", role, `finale-${id}`) : names.role(role);
}

/** The complex from above, and Room 25 on its way out of it; or behind its gate. */
function complex(shut) {
  const cells = Array.from({ length: SIDE * SIDE }, (_, i) => ({ x: (i % SIDE) * CELL, y: Math.floor(i / SIDE) * CELL })).filter(({ x, y }) => x < (SIDE - 1) * CELL || y !== 2 * CELL);
  const room = [
    s("rect", { class: "b-room b-blue", x: 1, y: 1, width: CELL - 2, height: CELL - 2, rx: 2 }),
    s("path", { class: "b-finale-light", d: "M8 4h6l5 16H3z" }),
    s("path", { class: "b-finale-arrow", d: "M6 8h5V4l7 7-7 7v-4H6z" }),
  ];
  return s(
    "svg",
    { class: "b-finale", viewBox: "-4 -4 160 118", "aria-hidden": "true" },
    s("rect", { class: "b-plate", x: -3, y: -3, width: SIDE * CELL + 6, height: SIDE * CELL + 6, rx: 4 }),
    cells.map(({ x, y }) => s("rect", { class: "b-back", x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 2 })),
    s("g", { transform: `translate(${(SIDE - 1) * CELL} ${2 * CELL})` }, s("g", { class: shut ? "b-finale-kept" : "b-finale-out" }, room)),
    shut && s("path", { class: "b-finale-gate", d: `M${SIDE * CELL + 3} ${2 * CELL}v${CELL}M${SIDE * CELL + 8} ${2 * CELL}v${CELL}M${SIDE * CELL} ${2.3 * CELL}h12M${SIDE * CELL} ${2.7 * CELL}h12` }),
  );
}

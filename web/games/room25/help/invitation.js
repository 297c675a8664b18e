/** What Room 25 is, for a visitor: in words, and the complex in small. */

import { s } from "../../../dom.js";
import { t } from "../../../words.js";

/** The colour classes of an imagined complex, row by row; `.` is a room that nobody knows yet. */
const ROOMS = ["..g.x", ".yg.r", "gybg.", ".r.gy", "...r."];
const KINDS = { ".": "unknown", g: "green", y: "yellow", r: "red", b: "blue", x: "exit" };
/** The row that moves while one looks. */
const MOVING_ROW = 3;

/** @type {import("../../contract.js").GameHelp["invitation"]} */
export function invitation() {
  const [title, text] = [t("room25/lobby.hero.title"), t("room25/lobby.hero.text")];
  return { name: "Room 25", title, text, drawing: complex() };
}

function complex() {
  const rows = ROOMS.map((row, y) =>
    s("g", { class: y === MOVING_ROW ? "moving" : "still" }, ...[...row].map((kind, x) => room(KINDS[kind], x, y))),
  );
  return s(
    "svg",
    { class: "hero-complex", viewBox: "-6 -2 64 54", "aria-hidden": "true", focusable: "false" },
    ...rows,
  );
}

function room(kind, x, y) {
  return s("rect", { class: `hero-room hero-${kind}`, x: x * 10 + 0.5, y: y * 10 + 0.5, width: 9, height: 9, rx: 0.4 });
}

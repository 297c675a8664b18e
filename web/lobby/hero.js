/** What a visitor sees first: what this is, and the complex in small. */

import { h, s } from "../dom.js";
import { t } from "../words.js";

/** The colour classes of an imagined complex, row by row; `.` is a room that nobody knows yet. */
const ROOMS = ["..g.x", ".yg.r", "gybg.", ".r.gy", "...r."];
const KINDS = { ".": "unknown", g: "green", y: "yellow", r: "red", b: "blue", x: "exit" };
/** The row that moves while one looks. */
const MOVING_ROW = 3;

/**
 * The lobby's head.
 *
 * @param {boolean} known whether the reader is signed in: then it is short.
 * @returns {HTMLElement}
 */
export function drawHero(known) {
  const words = [h("h1", { tabindex: "-1" }, t(known ? "lobby.title" : "room25/lobby.hero.title"))];
  if (!known) {
    words.push(h("p", { class: "lead" }, t("room25/lobby.hero.text")));
  }
  words.push(
    h(
      "p",
      { class: "row" },
      h("a", { class: "button primary", href: "/?page=new" }, t("nav.new")),
      !known && h("a", { class: "button", href: "#tables-live" }, t("lobby.hero.watch")),
    ),
  );
  return h(
    "header",
    { class: ["hero", known && "short"] },
    h("div", { class: "hero-words" }, ...words),
    !known && complex(),
  );
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

/** One table on the wall: its board in small, and in sentences where it is, whom it waits for, how long still, and what is the matter. */

import { calledInRow } from "../called.js";
import { h, present } from "../dom.js";
import { kindOfEnd } from "../ends.js";
import { standingText } from "../lobby/standing.js";
import { duration, capitalised, listing, t, tn } from "../words.js";
import { addressOf } from "./choice.js";
import { isDueSoon, mattersOf, urgencyOf } from "./matters.js";

/** @import { Book } from "../book.js" */
/** @import { Matter } from "./matters.js" */

/**
 * Draw a table.
 *
 * @param {any} table one of `GET /v1/wall`.
 * @param {{book: Book, screen: HTMLElement|null, now: number, tournaments?: boolean}} around `tournaments`: whether it says which one it is played for.
 * @returns {HTMLLIElement}
 */
export function drawEntry(table, { book, screen, now, tournaments = false }) {
  const matters = mattersOf(table);
  const element = h(
    "li",
    { class: ["card wall-table", table.status], dataset: { game: table.id, status: table.status, urgency: urgencyOf(table, now) } },
    h("div", { class: "table-head" }, h("h2", {}, h("a", { href: `/watch/${table.id}`, dataset: { action: "open" } }, nameOfTable(table, book))), h("span", { class: "muted" }, book.name)),
    screen,
    h(
      "div",
      { class: "wall-facts" },
      h("p", { class: "wall-where" }, whereText(table, book)),
      ...whoText(table).map((text) => h("p", { class: "wall-who" }, text)),
      clockOf(table),
      marks(table, matters, book, tournaments),
    ),
  );
  tickEntry(element, table, now);
  return element;
}

/** Everything that a drawn table depends on, but for the passing of time. */
export function signEntry(table, { book }) {
  return JSON.stringify([table, book.id, book.language]);
}

/**
 * Say what is left of the time, and how urgent that is.
 *
 * @param {HTMLElement} element as `drawEntry` has made it.
 * @param {any} table
 * @param {number} now by the service's clock.
 */
export function tickEntry(element, table, now) {
  element.dataset.urgency = urgencyOf(table, now);
  const clock = element.querySelector(".wall-clock");
  const text = clockText(table, now);
  clock?.classList.toggle("soon", isDueSoon(table, now));
  if (clock !== null && clock.textContent !== text) {
    clock.textContent = text;
  }
}

/** What a table is called: how it is played, and by whom. */
export function nameOfTable(table, book) {
  const mode = book.mode(table.mode).name;
  const names = listing(table.seats.map(calledInRow));
  return names === "" ? mode : t("lobby.table_of", { mode, names });
}

/**
 * What is the matter, in a sentence.
 *
 * @param {Matter} matter
 * @param {any} table
 * @param {Book} book
 */
export function matterText({ kind, seat, count }, table, book) {
  const place = table.seats.find((each) => each.seat === seat);
  const name = place === undefined ? "" : calledInRow(place);
  return kind === "missed" ? tn(`wall.missed.${book.turn}`, count, { name }) : t(`wall.matter.${kind}`, { name });
}

function whereText({ status, turn, wait, result, seats, seat_count: all }, book) {
  if (status === "finished") {
    return result === null ? t("lobby.standing.over") : book.outcome(result.outcome);
  }
  if (status === "open") {
    return all > seats.length ? tn("lobby.standing.free", all - seats.length) : t("lobby.standing.full");
  }
  const where = standingText({ turn }, book);
  const what = wait === null ? undefined : book.wordOrNothing(`wait.${wait}`);
  return what === undefined ? where : t("wall.where", { where, what: capitalised(what) });
}

/** Whom the table waits for, or who has won; nothing of one that has not begun, or at which nobody has played for anything. */
function whoText({ status, seats, result }) {
  if (status === "live") {
    const asked = seats.filter((seat) => seat.asked !== undefined && seat.asked !== null);
    return [asked.length === 0 ? t("wall.waits.nobody") : t("wall.waits", { names: listing(asked.map(calledInRow)) })];
  }
  const kind = result === null ? null : kindOfEnd(result);
  const first = seats.filter(({ seat }) => result?.winners.includes(seat));
  return kind === null ? [] : [t(`wall.result.${kind}`, { names: listing(first.map(calledInRow)) })];
}

function clockOf({ status }) {
  return status === "live" && h("p", { class: "wall-clock", role: "timer", "aria-live": "off" });
}

/** While a game is paused its clock stands still: what was left is left. */
function clockText({ due, paused, paused_at: since }, now) {
  if (due === null) {
    return paused === null ? t("board.clock.none") : t("board.clock.paused");
  }
  const left = due - (since ?? now);
  if (paused !== null) {
    return t("board.clock.paused_with", { time: duration(left) });
  }
  return left <= 0 ? t("board.clock.over") : t("board.clock.left", { time: duration(left) });
}

function marks(table, matters, book, shows) {
  const mark = (text, kind) => h("li", { class: ["tag", kind] }, text);
  const found = present([
    ...matters.map((matter) => h("li", { class: ["tag", matter.calls && "signal"], dataset: { matter: matter.kind } }, matterText(matter, table, book))),
    table.visibility === "unlisted" && mark(t("lobby.mark.unlisted"), ""),
    table.scenario && mark(t("lobby.mark.scenario"), ""),
    table.delay && mark(t("wall.late"), ""),
    shows && table.tournament && h("li", { class: "tag" }, h("a", { href: addressOf({ tournament: table.tournament }), dataset: { action: "tournament" } }, t("wall.mark.tournament", { code: table.tournament }))),
  ]);
  return found.length > 0 && h("ul", { class: "marks", "aria-label": t("lobby.marks") }, ...found);
}

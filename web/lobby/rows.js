/** One table in a list. */

import { calledInRow } from "../called.js";
import { h } from "../dom.js";
import { neverBegan } from "../ends.js";
import { nameLink } from "../profile-link.js";
import { ago, listing, moment, t, tn } from "../words.js";
import { standingText } from "./standing.js";

/**
 * What of a table the list needs to know beside its row.
 *
 * @typedef {object} Around
 * @property {string|null} me the reader's player id.
 * @property {import("../book.js").Book} book the table's rulebook.
 * @property {number} calls how many decisions wait for the reader there.
 * @property {number} now by the service's clock.
 * @property {(row: object) => void} sit take a seat at once.
 * @property {HTMLElement|null} panel the seats of an open table.
 * @property {HTMLElement|null} screen the board of a live table, in small.
 */

/**
 * Draw a table.
 *
 * @param {object} row one of `GET /v1/games`.
 * @param {Around} around
 * @returns {HTMLLIElement}
 */
export function drawRow(row, around) {
  const place = `/watch/${row.id}`;
  const mode = around.book.mode(row.mode).name;
  return h(
    "li",
    { class: ["card table", row.status, around.calls > 0 && "calling"], dataset: { game: row.id, status: row.status } },
    h(
      "div",
      { class: "table-head" },
      h("h3", {}, h("a", { href: place, dataset: { action: "open" } }, mode)),
      h("span", { class: "muted" }, around.book.name),
    ),
    h(
      "div",
      { class: "table-body" },
      around.screen,
      h("div", {}, marks(row, around), seats(row, around.me), h("p", { class: "meta" }, standing(row, around.book), " · ", time(row, around.now))),
    ),
    h("div", { class: "row actions" }, ...actions(row, around, place, mode)),
    around.panel,
  );
}

/** Everything that a drawn row depends on, but for the passing of time. */
export function signRow(row, { me, calls, book }) {
  return JSON.stringify([row, me, calls, book.id, book.language]);
}

/** Say anew how long ago things were, wherever a row shows it. */
export function refreshTimes(root, now) {
  for (const element of root.querySelectorAll("time[data-at]")) {
    element.textContent = ago(Number(element.dataset.at), now);
  }
}

/** Whether somebody sits at a table. */
function sitsAt(row, player) {
  return player !== null && row.seats.some((seat) => seat.player === player);
}

/** Whether a table is somebody's: as a player, as its host, or by invitation. */
export function isOwn(row, player) {
  return player !== null && (sitsAt(row, player) || row.host === player || row.invited.includes(player));
}

function marks(row, { me, calls, book }) {
  const mark = (on, text, kind = "") => on && h("li", { class: ["tag", kind] }, text);
  const found = [
    mark(calls > 0, tn("lobby.mark.calls", calls), "signal"),
    mark(row.host === me, t("lobby.mark.host"), "block"),
    mark(isInvited(row, me), t("lobby.mark.invited"), "signal"),
    mark(row.paused, t("lobby.mark.paused")),
    mark(row.scenario, t("lobby.mark.scenario")),
    mark(row.visibility === "private", t("lobby.mark.private")),
    mark(row.programs === false, t("lobby.mark.people")),
    mark(row.visibility === "unlisted", t("lobby.mark.unlisted")),
    mark(row.delay, delayText(row.delay, book)),
  ].filter(Boolean);
  return found.length > 0 && h("ul", { class: "marks", "aria-label": t("lobby.marks") }, ...found);
}

function isInvited(row, me) {
  return row.status === "open" && me !== null && row.invited.includes(me) && !sitsAt(row, me);
}

/**
 * How far behind spectators are kept.
 *
 * @param {{turns?: number, seconds?: number}|null|undefined} delay one of the two
 * @param {import("../book.js").Book} book
 * @returns {string} empty without a delay.
 */
function delayText(delay, { turn }) {
  if (!delay) {
    return "";
  }
  return delay.turns ? tn(`lobby.delay.${turn}`, delay.turns) : tn("lobby.delay.second", delay.seconds ?? 0);
}

function seats(row, me) {
  const taken = new Map(row.seats.map((seat) => [seat.seat, seat]));
  const numbers = Array.from({ length: row.seat_count }, (_, index) => index + 1);
  // At a table that was closed before its game began a seat may have nobody, and is free no more.
  const chips = numbers.filter((number) => row.result === null || taken.has(number)).map((number) => chip(taken.get(number), me, row.result));
  return h("ul", { class: "chips", "aria-label": t("lobby.seats") }, ...chips);
}

function chip(seat, me, result) {
  if (seat === undefined) {
    return h("li", { class: "chip free" }, t("lobby.seat.free"));
  }
  const won = result?.outcome !== "draw" && result?.winners.includes(seat.seat);
  return h(
    "li",
    { class: ["chip", seat.player === me && "mine", won && "won"] },
    h("span", { class: "name" }, nameLink(calledInRow(seat), seat)),
    seat.bot && h("span", { class: "kind" }, t("lobby.seat.bot")),
    seat.player === me && h("span", { class: "kind" }, t("lobby.seat.you")),
    won && h("span", { class: "kind" }, t("lobby.seat.won")),
  );
}

function standing(row, book) {
  if (row.status === "finished") {
    return row.result ? book.outcome(row.result.outcome) : t("lobby.standing.over");
  }
  const free = row.seat_count - row.seats.length;
  if (row.status === "live") {
    return standingText(row, book);
  }
  return free > 0 ? tn("lobby.standing.free", free) : t("lobby.standing.full");
}

function time(row, now) {
  const at = row.status === "open" ? row.created_at : row.updated_at;
  return h("time", { datetime: new Date(at).toISOString(), title: moment(at), dataset: { at } }, ago(at, now));
}

function actions(row, { me, calls, sit }, place, mode) {
  const names = listing(row.seats.map(calledInRow));
  const what = names === "" ? mode : t("lobby.table_of", { mode, names });
  const go = (key, primary) =>
    h(
      "a",
      {
        class: ["button", primary && "primary"],
        href: place,
        dataset: { action: "go" },
        "aria-label": t("lobby.action.for", { action: t(key), table: what }),
      },
      t(key),
    );
  if (row.status === "finished") {
    return [go(neverBegan(row) ? "lobby.action.table" : "lobby.action.replay", false)];
  }
  if (sitsAt(row, me)) {
    return [go(row.status === "live" ? "lobby.action.play" : "lobby.action.table", calls > 0)];
  }
  if (row.status === "live") {
    return [go("lobby.action.watch", false)];
  }
  const button = h(
    "button",
    {
      type: "button",
      class: "primary",
      dataset: { action: "sit" },
      "aria-label": t("lobby.action.for", { action: t("lobby.action.sit"), table: what }),
      onclick: () => sit(row),
    },
    t("lobby.action.sit"),
  );
  return [row.seats.length < row.seat_count && button, go("lobby.action.table", false)].filter(Boolean);
}

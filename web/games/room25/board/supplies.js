/** What lies beside the complex: key and exit, cards, robots, locks, what players have said, and the rooms that are in it. */

import { around } from "../../../around.js";
import { h, present, s } from "../../../dom.js";
import { patch } from "../../../patch.js";
import { aboutSign } from "../../../term.js";
import { CELLS } from "../fold/grid.js";
import { cellName } from "./geometry.js";
import { named, namedTerm } from "../help/terms.js";
import { colorShape } from "./tile.js";
import { t, tn } from "../../../words.js";

/** @import { ComplexBook } from "../words/book.js" */

/** Longer lists of claims are folded up. */
const FEW = 5;
const COLORS = ["blue", "green", "yellow", "red"];

/**
 * The facts of the table.
 *
 * @param {{book: ComplexBook}} options
 * @returns {{element: HTMLElement, update: (state: Object, now?: Object) => void, destroy: () => void}}
 */
export function createSupplies({ book }) {
  const element = h("section", { class: "b-supplies", "aria-label": t("room25/board.supplies") });
  const open = new Set();
  let drawn = "";
  return {
    element,
    update(state) {
      const seen = JSON.stringify(relevant(state));
      if (seen === drawn) {
        return;
      }
      drawn = seen;
      patch(element, state.play?.grid ? parts(state, book, open) : []);
    },
    destroy: () => element.remove(),
  };
}

/** The sign of a colour class for use in text. */
export function swatch(color) {
  return s(
    "svg",
    { class: "b-mini", viewBox: "-9 -9 18 18", width: 16, height: 16, "aria-hidden": "true" },
    colorShape(color, 0, 0),
  );
}

/** All that is read here: most events change none of it. */
function relevant({ mode, play }) {
  const { grid, characters, composition, robots, locks, deck_size: deck, shown, discard, claims, undealt } = play ?? {};
  const standing = Object.values(characters ?? {}).map((c) => c.cell);
  return [
    mode,
    play?.room25_revealed,
    play?.key_activated,
    grid,
    standing,
    composition,
    robots,
    locks,
    deck,
    shown,
    discard,
    claims,
    undealt,
  ];
}

function parts(state, book, open) {
  const { play } = state;
  return present([
    h("h2", {}, t("room25/board.supplies")),
    h(
      "ul",
      { class: "b-facts-list" },
      facts(state, book).map((fact) => h("li", {}, fact, " ", typeof fact === "string" && aboutSign(named(null, book, fact)))),
    ),
    cards(play, book, open),
    claims(play, book, open),
    rooms(play, book, open),
  ]);
}

function facts({ play, mode }, book) {
  const kinds = play.composition ?? {};
  return [
    t(play.room25_revealed ? "room25/board.fact.room25_found" : "room25/board.fact.room25_hidden"),
    book.mode(mode).needs_key && kinds.key && t(play.key_activated ? "room25/board.fact.key_on" : "room25/board.fact.key_off"),
    ...(play.robots ?? []).map((where, i) =>
      where
        ? t("room25/board.fact.robot", { number: i + 1, cell: cellName(where) })
        : t("room25/board.fact.robot_away", { number: i + 1 }),
    ),
    book.json.locks > 0 && tn("room25/board.fact.locks", play.locks ?? 0),
    play.undealt?.length > 0 &&
      around("room25/board.fact.undealt", "roles", play.undealt.flatMap((id, i) => [i > 0 && ", ", namedTerm(book, "roles", id, `undealt${i}`)])),
    blocked(play) && t("room25/board.fact.no_talk"),
  ].filter(Boolean);
}

/** Whether nobody may talk: somebody stands on a jamming room, or such a card lies there. */
function blocked(play) {
  const where = CELLS.find((cell) => play.grid[cell]?.up && play.grid[cell].kind === "jamming");
  const jammed = where && Object.values(play.characters).some((c) => c.cell === where);
  return jammed || (play.shown ?? []).some((card) => card === "Z02" || card === "Z03");
}

function cards(play, book, open) {
  const [shown, discard] = [play.shown ?? [], play.discard ?? []];
  if (!play.deck_size && !shown.length && !discard.length) {
    return null;
  }
  return h(
    "div",
    { class: "b-cards" },
    h("h3", {}, t("room25/board.cards")),
    h("p", {}, tn("room25/board.deck", play.deck_size)),
    shown.length > 0 && [
      h("h4", {}, t("room25/board.shown")),
      h(
        "ul",
        {},
        shown.map((id) => card(id, book)),
      ),
    ],
    discard.length > 0 &&
      fold(
        "discard",
        open,
        tn("room25/board.discard", discard.length),
        h(
          "ul",
          {},
          discard.toReversed().map((id) => card(id, book)),
        ),
      ),
  );
}

function card(id, book) {
  const { name, effect } = book.card(id);
  return h("li", { class: "b-card-line", dataset: { card: id } }, h("b", {}, name), h("span", {}, effect));
}

/** The last thing that each seat has said of each room; a long list is folded up. */
function claims(play, book, open) {
  const all = Object.entries(play.claims ?? {}).flatMap(([seat, said]) =>
    said
      .filter((claim, i) => said.findLastIndex(({ tile }) => tile === claim.tile) === i)
      .map((claim) => ({ seat, ...claim })),
  );
  if (all.length === 0) {
    return null;
  }
  const list = h(
    "ul",
    {},
    all.map((claim) => claimLine(claim, play, book)),
  );
  const title = tn("room25/board.claims", all.length);
  return h(
    "div",
    { class: "b-claims" },
    all.length > FEW ? fold("claims", open, title, list) : [h("h3", {}, title), list],
  );
}

function claimLine({ seat, tile, color }, play, book) {
  const cell = CELLS.find((each) => play.grid[each]?.id === tile);
  const now = cell ? play.grid[cell] : null;
  const truth = now?.up ? book.room(now.kind).color : null;
  const key = truth === null ? "room25/board.said" : truth === color ? "room25/board.said_true" : "room25/board.said_false";
  const params = {
    seat,
    cell: cell ? cellName(cell) : "–",
    color: book.color(color),
    ...(truth && { truth: book.color(truth) }),
  };
  return h("li", {}, swatch(color), h("span", {}, t(key, params)));
}

function rooms(play, book, open) {
  const kinds = Object.entries(play.composition ?? {}).filter(([, count]) => count > 0);
  if (kinds.length === 0) {
    return null;
  }
  const known = (kind) => Object.values(play.grid).filter((tile) => tile.kind === kind).length;
  const sorted = kinds
    .map(([kind, count]) => ({ ...book.room(kind), count }))
    .sort((a, b) => COLORS.indexOf(a.color) - COLORS.indexOf(b.color) || a.name.localeCompare(b.name));
  const line = (room) =>
    h(
      "li",
      { class: "b-room-line" },
      swatch(room.color),
      h(
        "div",
        {},
        h("b", {}, room.name),
        " ",
        h(
          "small",
          {},
          t("room25/board.room_count", {
            count: room.count,
            known: Math.min(room.count, known(room.id)),
            color: book.color(room.color),
          }),
        ),
        h("p", {}, room.effect),
      ),
    );
  return fold("rooms", open, t("room25/board.rooms"), h("ul", { class: "b-room-list" }, sorted.map(line)));
}

function fold(name, open, title, ...content) {
  return h(
    "details",
    { open: open.has(name), ontoggle: (event) => open[event.target.open ? "add" : "delete"](name) },
    h("summary", { id: `supplies-${name}` }, title),
    content,
  );
}

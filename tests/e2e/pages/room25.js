/** What the tests of Room 25 on the page do inside the browser: each function answers with data for Python to judge. */

import { everything } from "./all.js";
import { bookFrom } from "/web/books.js";
import { gameOf } from "/web/games/registry.js";
import { CELLS } from "/web/games/room25/fold/grid.js";
import { newCharacter, newTile } from "/web/games/room25/fold/state.js";

const CELL = "r0c0";

/** What a press on a word shows: title and text of its window. */
function pressed(button) {
  button.click();
  const dialog = document.querySelector("dialog[open]");
  const text = dialog.textContent;
  dialog.close();
  return text;
}

/** What the words of an element tell that can be asked, by their names. */
function asked(element) {
  document.body.replaceChildren(element);
  return Object.fromEntries([...element.querySelectorAll(".term")].map((button) => [button.textContent, pressed(button)]));
}

const text = (about) => (about === null ? "" : [about.title, ...about.content.map((node) => node.textContent)].join(" "));

/** What there is to know of everything that a rulebook names, wherever the page names it: place, kind, id, text. */
export async function help(language, json, mode) {
  await everything(language);
  const book = bookFrom(json);
  const { board, fold, help: own } = gameOf("room25");
  const start = { ...fold.initial(), turn: 1, phase: "programming" };
  const state = (play) => ({ mode, phase: "live", seat_count: 4, play: { ...start, ...play } });
  const standing = (id, facts = {}) => ({ [id]: newCharacter({ id, seat: 1, cell: CELL, tokens: ["special"], ...facts }) });
  const seat = (characters) => {
    const { body } = board.seat(1, {}, { state: state({ characters }), book, viewer: "public", running: true });
    return Object.values(asked(body));
  };
  const [someone] = json.characters;
  const list = asked(own.legend(book));
  const log = (field, id) => text(own.named({ type: "", [field]: id }, book, ""));
  const about = (play, target) => text(own.about(state(play), target, { book, names: { player: String } }));
  const slots = (token) => seat(standing(someone.id, { program: { tokens: [token], adrenaline: false } })).at(-1);
  const supplies = (play) => {
    const { below } = board.panels({ book });
    below[0].update(state(play), null);
    return below[0].element;
  };
  const places = {
    actions: { log: (id) => log("token", id), slot: slots, lost: (id) => seat(standing(someone.id, { lost: [id] })).at(-1), card: (id) => about({}, `action:${id}`) },
    rooms: { log: (id) => log("kind", id), board: (id) => about({ grid: { [CELL]: newTile({ id: 1, kind: id, up: true }) } }, CELL) },
    roles: {
      log: (id) => log("role", id),
      seat: (id) => seat(standing(someone.id, { role: id, role_public: true })).find((each) => each.startsWith(book.role(id).name)),
      undealt: (id) => Object.values(asked(supplies({ undealt: [id] }))).at(0),
    },
    characters: { board: (id) => about({ characters: standing(id) }, id), seat: (id) => seat(standing(id)).at(0) },
    cards: { log: (id) => log("card", id), supplies: (id) => supplies({ shown: [id], deck_size: 1 }).querySelector(`[data-card="${id}"]`).textContent },
  };
  const used = json.characters.flatMap((each) => each.abilities ?? []).map(({ id }) => ["log", "abilities", id, text(own.named({ type: "special-used", option: `${id}:${CELL}` }, book, ""))]);
  const listed = Object.entries(places).flatMap(([kind, where]) =>
    (json[kind] ?? []).flatMap((entry) => [
      ["list", kind, entry.id, list[entry.name] ?? ""],
      ...Object.entries(where).map(([place, tells]) => [place, kind, entry.id, tells(entry.id) ?? ""]),
    ]),
  );
  return [...listed, ...used];
}

/** A board with one room, face-down; `pressed` is what is clicked on it, `open()` turns the room up, which is drawn anew. */
export async function board(json) {
  await everything("en");
  const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/web/games/room25/style.css" });
  const loaded = new Promise((done) => style.addEventListener("load", done));
  document.head.append(style);
  await loaded;
  const book = bookFrom(json);
  const { board: own, fold } = gameOf("room25");
  const made = own.create({ book, onCell: (target, how) => how === "click" && globalThis.pressed.push(target) });
  const state = (tile) => ({ phase: "live", play: { ...fold.initial(), grid: { [CELL]: newTile({ id: 1, ...tile }) } } });
  const draw = (tile) => made.update(state(tile), {});
  draw({});
  document.body.replaceChildren(made.element);
  Object.assign(globalThis, { pressed: [], open: () => draw({ kind: "vision", up: true }) });
}

/**
 * The rooms of a board as somebody reads them who goes by the tree, before and after lines have been moved: each by its cell. Whoever had the
 * focus keeps it, and each room its element.
 *
 * @param {any} json
 * @param {string[][]} moves each line as its cells, of which the room of each goes to the next and that of the last to the first.
 * @param {string} focused the cell whose room has the focus.
 */
export async function readingOrder(json, moves, focused) {
  await everything("en");
  const { board: own, fold } = gameOf("room25");
  const made = own.create({ book: bookFrom(json), onCell: () => {} });
  document.body.replaceChildren(made.element);
  const tiles = () => [...made.element.querySelectorAll(".b-tile")];
  const cells = () => tiles().map((tile) => tile.dataset.cell);
  let grid = Object.fromEntries(CELLS.map((cell, i) => [cell, newTile({ id: i + 1 })]));
  const draw = () => made.update({ phase: "live", play: { ...fold.initial(), grid } }, {});
  draw();
  const found = [cells()];
  const before = new Set(tiles());
  const held = tiles().find((tile) => tile.dataset.cell === focused);
  held.focus();
  for (const line of moves) {
    grid = { ...grid, ...Object.fromEntries(line.map((cell, i) => [line[(i + 1) % line.length], grid[cell]])) };
    draw();
    found.push(cells());
  }
  return { found, kept: tiles().every((tile) => before.has(tile)) && document.activeElement === held };
}

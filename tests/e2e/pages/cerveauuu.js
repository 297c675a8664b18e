/** What the tests of Cerveauuu! on the page do inside the browser: each function answers with data for Python to judge. */

import { games } from "./all.js";
import { Book } from "/web/book.js";
import { bookFrom } from "/web/books.js";
import { canonical } from "/web/fold/chain.js";
import { blank } from "/web/games/cerveauuu/board/aim.js";
import { ranking } from "/web/games/cerveauuu/board/cast.js";
import { figure } from "/web/games/cerveauuu/board/figures.js";
import { sees } from "/web/games/cerveauuu/board/sight.js";
import { reachOf, stat } from "/web/games/cerveauuu/board/reach.js";
import { textBoard } from "/web/games/cerveauuu/board/text-board.js";
import { Town, townOf } from "/web/games/cerveauuu/board/town.js";
import { EVENTS } from "/web/games/cerveauuu/fold/events.js";
import { moment } from "/web/games/cerveauuu/forms/slots.js";
import { gameOf } from "/web/games/registry.js";
import { replanning } from "/web/games/cerveauuu/words/prospect.js";
import { serverNow } from "/web/net/clock.js";
import { KeptDrafts, KeptStanding } from "/web/play/kept.js";
import { createPlay } from "/web/play/play.js";
import { useWords } from "/web/words.js";

await games();

/** The play after the last of the events and after each so many of them, as canonical text; types in `but` are passed over. */
export function plays(events, but, every) {
  const { fold } = gameOf("cerveauuu");
  const play = fold.initial();
  return events.flatMap((event, i) => {
    if (!but.includes(event.type)) {
      fold.events.get(event.type)(play, event);
    }
    return i % every === 0 || i === events.length - 1 ? [canonical(fold.toView(play))] : [];
  });
}

/** What stands beside what is asked in a play. */
export function besideAsked(json, words, kind, play) {
  useWords(json.language, { words });
  return gameOf("cerveauuu").words.limit({ kind }, bookFrom(json), { play });
}

/** Who is asked after each of the events how its zombie goes on, where anybody is. */
export function replans(events) {
  const { fold } = gameOf("cerveauuu");
  const play = fold.initial();
  return events.map((event) => {
    fold.events.get(event.type)(play, event);
    return replanning(play);
  });
}

/** In which order the seats of a game that is over are listed. */
export const ranked = (play, winners) => ranking({ play, result: { winners } });

/** Whether anything is said of each target while a level has options and reasons of these meanings. */
export function blanks(targets, meanings, play) {
  useWords("en", { words: { "cerveauuu/board.nobody_here": "nobody" } });
  return targets.filter((target) => blank(target, meanings, { play }, {}) !== null);
}

/** The types of events that the fold knows. */
export const types = () => [...EVENTS.keys()];

const bookOf = (map) => ({ has: (part, id) => part === "maps" && id === "default20", entry: () => ({ text: map }) });

/** What each piece of a play is called: in the log, as an option, in the text board, and by the number in its figure. */
export function named(json, play, words) {
  useWords(json.language, { words });
  const book = bookFrom(json);
  const rows = [...textBoard({ play }, book).querySelectorAll("tr[data-piece]")];
  const option = (id) => book.option({ kind: "respond" }, { id: `play.k1.${id}` }, { play });
  return Object.values(play.pieces).map((piece) => [
    gameOf("cerveauuu").log.spell.piece(piece.id, book),
    option(piece.id),
    rows.find((row) => row.dataset.piece === piece.id).querySelector("th").textContent,
    figure(piece, play).querySelector("text").textContent,
  ]);
}

/** What is said of things that a rulebook does not have, or that the reader may not know; an error where nothing is. */
export function unnamed(json, words) {
  useWords(json.language, { words });
  const book = bookFrom(json);
  const option = (id) => book.option({ kind: "respond", seat: 1 }, { id }, { play: { hands: {}, map: "default20", pieces: {} } });
  const asked = {
    hidden: () => book.cardName(null),
    held: () => option("play.k1"),
    card: () => book.cardName("c999"),
    colour: () => book.colour("mauve"),
    answer: () => option("play.c999"),
    plain: () => new Book(json).option({ kind: "respond" }, { id: "play.c999" }),
  };
  return Object.fromEntries(Object.entries(asked).map(([name, ask]) => [name, saidOf(ask)]));
}

function saidOf(ask) {
  try {
    return ask();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

/** What every piece of some plays can do: its stats, and where it may go. */
export function reaches(plays_, map) {
  return plays_.map((play) => {
    const town = townOf(play, bookOf(map));
    return Object.values(play.pieces).map((piece) => [piece.id, stat(play, town, piece, "move"), reachOf(play, town, piece)]);
  });
}

/** Which cells are seen from some cells of a town, as rows of 0 and 1. */
export function sights(map, edges, cells, sources) {
  const town = new Town(map, edges, cells);
  const all = Array.from({ length: town.size }, (_, cell) => cell);
  return sources.map((source) => all.map((target) => (sees(town, source, target) ? "1" : "0")).join(""));
}

/** When answers are sent that are given at some times. */
export const sendings = (decision, clock, nows) => nows.map((now) => moment(decision, { clock, time: TIME }, now));

/** The limits of the tables of these tests. */
const TIME = { limits_s: { response: 12 } };

/** The same of a page that lets whoever has nothing to play pass at once. */
export const hasty = (decision, clock, nows) =>
  nows.map((now) => (decision.options.length === 1 ? now : moment(decision, { clock, time: TIME }, now)));

/** Pass in the panel of a table as soon as a window has opened; the list that comes back fills with the times of what is sent. */
export async function passes(decision, clock, words, book) {
  useWords("en", { words });
  const sent = [];
  const post = async (_, { option }) => {
    sent.push([option, serverNow() - clock.since]);
    return { body: { version: 2 } };
  };
  const panel = createPlay({ game: "g", book: bookFrom(book), api: { get: post, post }, ranOut: () => false });
  const orders = { id: "yield-s1", kind: "yield", seat: 1, options: [{ id: "none" }, { id: "round" }], optional: true };
  panel.update({ version: 1, decisions: [decision, orders] }, { state: { clock, time: TIME, play: null } });
  document.body.replaceChildren(panel.element);
  panel.element.querySelector("[data-option=pass]").click();
  globalThis.sent = sent;
  globalThis.panel = panel;
  return panel.element.querySelector(".p-held")?.textContent ?? null;
}

/** Take a standing pass beside the window, while an answer to it is held. */
export function yields() {
  document.querySelector("[data-shortcut=round]").click();
  return globalThis.sent.length;
}

/** Look at the table through another seat of the same player, which is asked nothing. */
export function looksElsewhere(id) {
  panel.update({ version: 1, decisions: [], others: [id] });
}

/** What has been sent so far. */
export const sentSoFar = () => globalThis.sent;

/**
 * Switch on that windows are passed, then open some, each as the service does; `fault` plants that whoever has nothing to play
 * passes at once. The panel is `globalThis.panel`, what is sent `sent`: what is answered, and how long after its window opened.
 */
export function standing(words, book, fault) {
  useWords("en", { words });
  const { forms } = gameOf("cerveauuu");
  if (fault) {
    forms.moment = (decision, state, now) => (decision.options.length === 1 ? now : moment(decision, state, now));
  }
  globalThis.sent = [];
  const post = async (path, { option }) => {
    globalThis.sent.push([path.split("/").at(-1), option, serverNow() - globalThis.opened]);
    return { body: { version: 2 } };
  };
  const kept = { drafts: new KeptDrafts("g"), standing: new KeptStanding("g") };
  globalThis.loads = () => createPlay({ game: "g", book: bookFrom(book), api: { get: post, post }, ranOut: () => false, kept });
  reloads();
}

/** The panel as a page makes it that has just been loaded, before it has heard of any state. */
export function reloads() {
  globalThis.panel?.destroy();
  globalThis.panel = loads();
  const said = document.createElement("div");
  said.id = "live";
  document.body.replaceChildren(panel.element, said);
}

/** What this tab keeps of answers that are left to the page. */
export const keptStanding = () => Object.entries(sessionStorage).filter(([key]) => key.includes("standing")).map(([, value]) => JSON.parse(value));

/** A window opens in some phase of a round for a seat that has these options; `late`, if given: the page hears of its state later. */
export function windowOpens(phase, number, options, late) {
  globalThis.opened = serverNow();
  const due = opened + 12_000;
  const id = `r1-w${number}-v1-s1`;
  const decision = { id, kind: "respond", seat: 1, options, deadline: due, secret: true, answered: false, optional: false };
  const play = { ...gameOf("cerveauuu").fold.initial(), round: 1, phase, window: { number, version: 1, kind: phase } };
  const state = { clock: { key: "w", since: opened, due }, time: TIME, play };
  const before = { ...state, play: { ...play, window: null } };
  panel.update({ version: 1, decisions: [decision] }, { state: late ? before : state });
  globalThis.later = state;
}

/** The page hears of the state that it lacked. */
export const hears = () => panel.look(globalThis.later);

/** The seat has given up: it is asked nothing, and may do nothing. */
export const givesUp = () => panel.update({ version: 2, decisions: [] }, { state: globalThis.later });

/** What the only button in an element shows: title and text of its window. */
function asked(element) {
  document.body.replaceChildren(element);
  const buttons = element.querySelectorAll(".term");
  if (buttons.length !== 1) {
    return `${buttons.length} buttons`;
  }
  buttons[0].click();
  const dialog = document.querySelector("dialog[open]");
  const text = dialog.textContent;
  dialog.close();
  return text;
}

/** What there is to know, one step from where it is named: of each card, phase, window and kind of piece. */
export function help(language, words, json) {
  useWords(language, { words });
  const book = bookFrom(json);
  const { board, fold, help: own } = gameOf("cerveauuu");
  const play = { ...fold.initial(), map: "default20", seats: [1], colours: { 1: "green" }, round: 1, phase: "zombies" };
  const beside = { viewer: "seat:1", called: () => "Ada", history: null };
  const panel = (part, changes) => {
    const { above, below } = board.panels({ book });
    const shown = { window: above[0], table: below[0] }[part];
    shown.update({ play: { ...play, ...changes } }, beside);
    const text = asked(shown.element);
    [...above, ...below].forEach((each) => each.destroy());
    return text;
  };
  const table = (changes) => panel("table", changes).replace(/^2 buttons$/, "");
  const seat = (id) => {
    const { body } = board.seat(1, {}, { state: { play: { ...play, hands: { 1: { 1: id } } } }, book, answers: [] });
    return asked(body);
  };
  const log = (id) => own.named({ type: "card-played", card: id }, book, "");
  const lying = (id) => {
    const { below } = board.panels({ book });
    below[0].update({ play: { ...play, weather: { card: id, seat: 1 }, credits: [id] } }, beside);
    const found = [...below[0].element.querySelectorAll(".term")].slice(1).map((button) => {
      document.body.replaceChildren(below[0].element);
      button.click();
      const text = document.querySelector("dialog[open]").textContent;
      document.querySelector("dialog[open]").close();
      return text;
    });
    return found.length === 2 && found[0] === found[1] ? found[0] : "";
  };
  const story = (piece) => own.story({ play: { ...play, pieces: { [piece.id]: { ...piece, cell: "r1c1" } } } }, "r1c1", { cell: (cell) => cell, piece: (_, id) => id }).text;
  const told = (kinds, of) => Object.fromEntries(kinds.map((kind) => [kind, of(kind)]));
  const ids = json.cards.map(({ id }) => id);
  return {
    seats: told(ids, seat),
    log: told(ids, (id) => [log(id).title, ...log(id).content.map((node) => node.textContent)].join(" ")),
    table: told(ids, lying),
    phases: told(["setup", "draw", "panic", "wandering", "zombies", "end"], (phase) => table({ phase })),
    windows: told(["panic", "pre_zombies", "open", "movement", "combat", "end_round"], (kind) => panel("window", { window: { number: 1, version: 1, kind, order: [1] } })),
    pieces: { human: story({ id: "h01" }), zombie: story({ id: "z01", controller: 1 }) },
    legend: own.legend(book).textContent,
  };
}

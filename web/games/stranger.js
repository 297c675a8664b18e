/** A game that the page does not know: who sits there, what types of events there are, and how it ended. */

import { Book } from "../book.js";
import { h } from "../dom.js";
import { t } from "../words.js";

/** What a book does not name is called by its id: nobody here knows what to ask for. */
class StrangersBook extends Book {
  /** @override */
  word(key) {
    return this.wordOrNothing(key) ?? key.split(".")[1] ?? key;
  }
}

const fold = {
  initial: () => null,
  events: new Map(),
  fromView: (json) => json,
  toView: (play) => play,
  turn: () => null,
  lastTurn: () => null,
  end: () => null,
};

function excuse(book) {
  return h("p", { class: "stranger" }, t("watch.stranger", { game: book.game }));
}

const board = {
  create({ book }) {
    const element = excuse(book);
    return { element, fit: () => {}, update: () => {}, point: () => {}, spared: ":not(*)", spot: () => null, destroy: () => element.remove() };
  },
  text: (_, book) => excuse(book),
  panels: () => ({ above: [], below: [], over: [] }),
  seat: (_, place, { book }) => {
    const characters = (place.characters ?? []).map((id) => words.character(book, id));
    return { tags: [], body: characters.length > 0 ? h("p", { class: "b-chosen" }, characters.join(", ")) : null };
  },
  history: () => null,
  targets: () => [],
  aim: null,
  blank: () => null,
  targetText: (target) => target,
  places: () => [],
  speakers: () => [],
  touched: () => [],
  motion: null,
  finale: null,
  chip: () => null,
  cast: () => null,
};

const words = {
  name: (book) => book.game,
  book: (json) => new StrangersBook(json),
  names: (_, names) => names,
  character: (_, id) => id,
  subject: (_, id) => id,
  title: (decision, book) => book.decision(decision.kind),
  ending: () => null,
  limit: () => null,
  inForce: () => [],
  chapters: () => [],
};

const forms = {
  drawn: {},
  confirmed: new Set(),
  divided: new Set(),
  face: () => null,
  sign: () => null,
  asForm: () => false,
  level: () => null,
  shortcuts: () => [],
  moment: () => null,
  standing: null,
  handedIn: () => null,
  isOpen: () => false,
  castOf: () => null,
  opening: {
    rulebook: null,
    bot: null,
    beginners: null,
    facts: () => [],
    values: ({ values }) => values,
    valueText: () => null,
    extra: () => null,
    extraFields: () => h("div", {}),
    extraOptions: () => ({}),
  },
};

const log = {
  spell: {},
  beside: () => ({}),
  kinds: { action: [] },
  otherwise: "action",
  marks: {},
  markShapes: {},
  headlines: [],
  repeated: () => false,
  echoed: () => false,
  weight: () => 0,
  chapter: () => null,
  characters: () => [],
};

const help = {
  legend: () => null,
  invitation: () => ({ name: "", title: t("lobby.title"), text: "", drawing: h("span", {}) }),
  named: () => null,
  about: () => null,
  story: () => null,
  knowledge: () => [],
};

/** @type {import("./contract.js").Game} */
export const STRANGER = { fold, board, words, forms, log, help };

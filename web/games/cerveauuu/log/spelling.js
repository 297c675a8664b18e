/** How sentences of the log spell pieces, cells, edges and plays, and what they need beside their event. */

import { cellName, edgeName, isCell, isEdge, pieceName } from "../board/places.js";

const MINUS = "\u2212";
const STAY = "stay";
const BUILDING = /^[a-z]$/;
/** A building as `placed` tells it. */
const ON_MAP = /^(\w+):([a-z])$/;

/** @type {import("../../contract.js").GameLog["spell"]} */
export const SPELL = {
  place: (place) => (isCell(place) ? cellName(place) : String(place)),
  cell: (cell) => (isCell(cell) ? cellName(cell) : String(cell)),
  piece: (piece, book) => pieceName(String(piece), book),
  edge: edgeName,
  signed: (value) => (value > 0 ? `+${value}` : String(value).replace("-", MINUS)),
  aims: (choice, book) =>
    choice
      .split(".")
      .slice(1)
      .filter((part) => !/^\d+$/.test(part))
      .map((part) => aim(part, book))
      .join(", "),
};

/** A part of a play: a place, a seat, a building, or pieces and numbers of cards. */
function aim(part, book) {
  if (isCell(part)) {
    return cellName(part);
  }
  if (isEdge(part)) {
    return edgeName(part);
  }
  if (/^s\d+$/.test(part)) {
    return `${book.word("term.seat")} ${part.slice(1)}`;
  }
  if (/^k\d+(-k\d+)*$/.test(part)) {
    return part.replaceAll("k", "").split("-").map((number) => `${book.word("term.card_number")} ${number}`).join(", ");
  }
  const [, map, letter] = ON_MAP.exec(part) ?? [];
  if (letter !== undefined) {
    return book.building(map, letter);
  }
  return BUILDING.test(part) ? `${book.word("term.building")} ${part.toUpperCase()}` : part.split("-").map((each) => pieceName(each, book)).join(", ");
}

/** What a sealed choice means to who may know it, and how a batch of wandering looks by seats. */
export function beside(event, { version, timeline }) {
  return { ...meant(event, { version, timeline }), ...placed(event, timeline) };
}

/** The path of a play of which each building is told with its map. */
function placed({ type, choice }, timeline) {
  if ((type !== "card-played" && type !== "answer-given") || typeof choice !== "string") {
    return {};
  }
  const map = timeline.at(timeline.last).play?.map ?? "";
  const parts = choice.split(".");
  return /^\w+$/.test(map) && parts.some((part) => BUILDING.test(part)) ? { choice: parts.map((part) => (BUILDING.test(part) ? `${map}:${part}` : part)).join(".") } : {};
}

function meant(event, { version, timeline }) {
  if (event.type === "batch-dealt") {
    return { dealt: bySeat(event.humans) };
  }
  if (event.type === "batch-judged") {
    const dealt = version > timeline.first ? timeline.at(version - 1).play?.wandering?.batch : undefined;
    const own = ([seat, humans]) => [seat, Object.fromEntries(humans.map((human) => [human, decided(event, human)]))];
    return dealt ? { decided: Object.fromEntries(Object.entries(bySeat(dealt)).map(own)) } : {};
  }
  if (event.type === "consent-given" && event.accepts !== undefined) {
    return { answer: event.accepts ? "accept" : "decline" };
  }
  const number = /\.k(\d+)/.exec(event.choice ?? "")?.[1];
  const isAnswer = event.type === "answer-given" && number !== undefined;
  const isDiscard = event.type === "discard-chosen" && event.numbers !== undefined;
  if ((!isAnswer && !isDiscard) || version <= timeline.first) {
    return {};
  }
  const hand = timeline.at(version - 1).play?.hands?.[event.seat] ?? {};
  return isAnswer ? { card: hand[number] ?? null } : { cards: event.numbers.map((each) => hand[each] ?? null) };
}

/** The humans of each seat, in the order in which they were dealt. */
function bySeat(batch) {
  return Object.groupBy(Object.keys(batch), (human) => batch[human]);
}

/** Where a human went, `to`; or if it stays, where else it was `wanted`, if anywhere. */
function decided({ paths, choices }, human) {
  if (paths[human]) {
    return { to: paths[human].at(-1) };
  }
  const choice = choices[human] ?? STAY;
  return choice === STAY ? {} : { wanted: choice };
}

/** How sentences of the log spell pieces, cells, edges and plays, and what they need beside their event. */

import { cellName, edgeName, isAnchor, isCell, isEdge, pieceName } from "../board/places.js";

const MINUS = "\u2212";
const STAY = "stay";
const BUILDING = /^[a-z]$/;
const CARDS = /^k\d+(-k\d+)*$/;
/** A building as `placed` tells it. */
const ON_MAP = /^(\w+):([a-z])$/;

/** @type {import("../../contract.js").GameLog["spell"]} */
export const SPELL = {
  place: (place) => (isCell(place) ? cellName(place) : String(place)),
  cell: (cell) => (isCell(cell) ? cellName(cell) : String(cell)),
  piece: (piece, book) => pieceName(String(piece), book),
  edge: edgeName,
  signed: (value) => (value > 0 ? `+${value}` : String(value).replace("-", MINUS)),
  aim: aimName,
};

/** A part of a play: a place, a seat, a building or a piece. */
function aimName(part, book) {
  if (isCell(part)) {
    return cellName(part);
  }
  if (isEdge(part)) {
    return edgeName(part);
  }
  if (/^s\d+$/.test(part)) {
    return `${book.word("term.seat")} ${part.slice(1)}`;
  }
  const [, map, letter] = ON_MAP.exec(part) ?? [];
  if (letter !== undefined) {
    return book.building(map, letter);
  }
  return BUILDING.test(part) ? `${book.word("term.building")} ${part.toUpperCase()}` : pieceName(part, book);
}

/** What a sealed choice means to who may know it, and how a batch of wandering looks by seats. */
export function beside(event, { version, timeline }) {
  return { ...meant(event, { version, timeline }), ...played(event, timeline) };
}

/** What the path of a play says, but for its anchor, which has a field of its own: each building is told with its map. */
function played({ type, choice }, timeline) {
  if ((type !== "card-played" && type !== "answer-given") || !choice?.includes(".")) {
    return {};
  }
  const map = timeline.at(timeline.last).play?.map ?? "";
  const placed = (part) => (/^\w+$/.test(map) && BUILDING.test(part) ? `${map}:${part}` : part);
  const [, number, ...said] = choice.split(".");
  return {
    number: numberOf(number),
    on: said.filter((part) => !isAnchor(part) && !CARDS.test(part)).map(placed),
    dropped: said.filter((part) => CARDS.test(part)).flatMap((part) => part.split("-")).map(numberOf),
  };
}

/** The number in `k5`. */
const numberOf = (card) => Number(card.slice(1));

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

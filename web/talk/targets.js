/** What a phrase can be aimed at: the players and the places of a table. */

import { called } from "../called.js";
import { gameOf } from "../games/registry.js";

/**
 * @typedef {{place?: string, to?: number}} Target what is sent beside the phrase; nothing: it is said to all.
 */

/**
 * All targets of a phrase, as `value` of a field and as text, players first.
 *
 * @param {{aims: string[]}} phrase
 * @param {Told.TableState} state
 * @param {import("../book.js").Book} book
 * @returns {Array<{value: string, text: string, target: Target}>}
 */
export function targetsOf(phrase, state, book) {
  const { board } = gameOf(book.game);
  const seats = phrase.aims.includes("seat") ? Object.entries(state.seats) : [];
  const places = phrase.aims.includes("place") ? board.places(state, book) : [];
  return [
    ...seats.map(([seat, place]) => ({ value: `seat:${seat}`, text: called(seat, place), target: { to: Number(seat) } })),
    ...places.map((place) => ({ value: place, text: board.targetText(place, book, state), target: { place } })),
  ];
}

/** The elements of the board that stand for a seat. */
export function figuresOf(seat, state, game, within) {
  const selector = gameOf(game).board.speakers(seat, state).join(",");
  return selector === "" ? [] : [...within.querySelectorAll(selector)];
}

/**
 * What of the targets lies under a click on the board.
 *
 * @param {Element} clicked
 * @param {Array<{value: string, target: Target}>} targets
 * @param {{state: Told.TableState, game: string, within: Element}} given
 */
export function targetAt(clicked, targets, { state, game, within }) {
  const hit = targets.find(({ target }) => target.to !== undefined && figuresOf(target.to, state, game, within).some((figure) => figure.contains(clicked)));
  const cell = clicked.closest("[data-cell]")?.getAttribute("data-cell");
  return hit ?? targets.find(({ target }) => target.place !== undefined && target.place === cell) ?? null;
}

/** A phrase with its target, in the reader's language. */
export function phraseText({ phrase, place = null, to = null }, state, book) {
  const name = book.has("phrases", phrase) ? book.entry("phrases", phrase).name : phrase;
  const aim = to !== null ? called(to, state.seats[to]) : place !== null ? gameOf(book.game).board.targetText(place, book, state) : null;
  return aim === null ? name : `${name} → ${aim}`;
}

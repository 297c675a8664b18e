/** Where on the page something is that a decision does not offer. */

import { lensOf } from "./lens.js";
import { isCell, sidesOf } from "./places.js";
import { playAt } from "./plan.js";
import { cardTarget, seatTarget } from "./targets.js";
import { townOf } from "./town.js";
import { t } from "../../../words.js";

/** By what a meaning names pieces, and places. */
const PIECES = ["piece", "attack", "invited", "eater"];
const PLACES = ["cell", "edge", "building"];

/**
 * Where one presses for what cannot be chosen: a piece on the cell on which it stands, now and at the moment that is looked at, an edge on itself
 * and, by keys, on its cells, and a building on any of its cells.
 *
 * @type {NonNullable<import("../../contract.js").GameBoard["aim"]>}
 */
export function aim({ cell, edge, building, seat, card, dropped, piece, attack, invited, eater }, { play }, book) {
  const name = piece ?? attack ?? invited?.[0] ?? eater;
  const cells = moments(play, book).map(({ pieces }) => pieces[name]?.cell);
  const cards = [card, ...(dropped ?? []).flatMap((number) => heldAs(number, play))];
  const places = [cell, ...cells, ...(edge ? [edge, ...sidesOf(edge)] : []), ...(building ? cellsOf(building, play, book) : [])];
  const found = [...places, ...cards.map((each) => each && cardTarget(each)), seat && seatTarget(seat)];
  return [...new Set(found.filter(Boolean))];
}

/**
 * Says of a cell that nobody stands there, while pieces are asked for and no places. The rules give no reason: anybody can see it, and there are hundreds.
 *
 * @type {import("../../contract.js").GameBoard["blank"]}
 */
export function blank(target, meanings, { play }, book) {
  const asked = new Set(meanings.flatMap((meaning) => Object.keys(meaning)));
  const isEmpty = moments(play, book).every(({ pieces }) => Object.values(pieces).every(({ cell }) => cell !== target));
  return isCell(target) && isEmpty && PIECES.some((field) => asked.has(field)) && !PLACES.some((field) => asked.has(field)) ? t("cerveauuu/board.nobody_here") : null;
}

/** The town as it is, and as it is at the moment that is looked at. */
const moments = (play, book) => [play, playAt(play, lensOf(book).anchor)];

/** The cards that somebody holds under a number, `k3`, as far as one sees them: those of one's own hand. */
const heldAs = (number, { hands }) => Object.values(hands).map((hand) => hand[number.slice(1)]);

/** The cells of a building. */
function cellsOf(letter, play, book) {
  const town = townOf(play, book);
  return town === null ? [] : town.buildings.flatMap((each, cell) => (each === letter ? [town.id(cell)] : []));
}

/** Where on the page something is that a decision does not offer. */

import { lensOf } from "./lens.js";
import { sidesOf } from "./places.js";
import { playAt } from "./plan.js";
import { cardTarget } from "./targets.js";

/**
 * Where one presses for what cannot be chosen: a piece on the cell on which it stands, now and at the moment that is looked at.
 *
 * @type {NonNullable<import("../../contract.js").GameBoard["aim"]>}
 */
export function aim({ cell, edge, card, piece, attack, invited }, { play }, book) {
  const name = piece ?? attack ?? invited?.[0];
  const { anchor } = lensOf(book);
  const cells = [play, playAt(play, anchor)].map(({ pieces }) => pieces[name]?.cell);
  const found = [cell, card && cardTarget(card), ...cells, ...(edge ? sidesOf(edge) : [])];
  return [...new Set(found.filter((each) => each !== undefined))];
}

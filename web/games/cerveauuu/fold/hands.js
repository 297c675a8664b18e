/** Cards that come into hands, leave them and lie on piles (pure). */

import { without } from "./state.js";

/** Put a card into a hand, under its next number; null if the reader may not know it. */
export function give(play, seat, number, card) {
  play.hands = { ...play.hands, [seat]: { ...play.hands[seat], [number]: card ?? null } };
  play.next_numbers = { ...play.next_numbers, [seat]: Math.max(number, play.next_numbers[seat] ?? 0) };
}

/** Take cards out of a hand. */
export function takeAway(play, seat, numbers) {
  play.hands = { ...play.hands, [seat]: without(play.hands[seat], ...numbers) };
}

/** Put cards onto a seat's pile. */
export function pileUp(play, seat, cards) {
  play.piles = { ...play.piles, [seat]: [...(play.piles[seat] ?? []), ...cards] };
}

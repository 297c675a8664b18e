/** Who has won and who has not, once a game is over (pure). */

import { kindOfEnd, VOID } from "../ends.js";
import { t } from "../words.js";

/**
 * The end in a sentence: who won, who shares a draw, or that the game is lost.
 *
 * @param {{outcome: string, winners: number[]}} result
 * @param {object} names see `namesOf`.
 * @returns {string} empty where there is nothing to add to the outcome.
 */
export function verdict(result, names) {
  const kind = kindOfEnd(result);
  return kind === null ? "" : t(`watch.result.${kind}`, { players: names.players(result.winners) });
}

/** What a seat has come to: a word of `watch.result.*`. */
export function fortune({ outcome, winners }, seat) {
  if (outcome in VOID) {
    return VOID[outcome];
  }
  const among = winners.includes(seat);
  if (outcome === "draw") {
    return among || winners.length === 0 ? "drew" : "lost";
  }
  return among ? "won" : "lost";
}

/** Who has won and who has not, once a game is over (pure). */

import { t } from "../words.js";

/** Ends of a table at which nobody has played for anything. */
const VOID = { annulled: "annulled", abandoned: "abandoned", cancelled: "cancelled" };

/** Whether nobody has played for anything. */
export function isVoid({ outcome }) {
  return outcome in VOID;
}

/**
 * The end in a sentence: who won, who shares a draw, or that the game is lost.
 *
 * @param {{outcome: string, winners: number[]}} result
 * @param {object} names see `namesOf`.
 * @returns {string} empty where the outcome itself says all that there is to say.
 */
export function verdict({ outcome, winners }, names) {
  if (outcome in VOID) {
    return "";
  }
  if (outcome === "draw") {
    return winners.length ? t("watch.result.drawn", { players: names.players(winners) }) : t("watch.result.nobody");
  }
  return winners.length ? t("watch.result.winners", { players: names.players(winners) }) : t("watch.result.lost_by_all");
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

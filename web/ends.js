/** What kind of end a game has come to (pure). */

/** Ends of a table at which nobody has played for anything. */
export const VOID = { annulled: "annulled", abandoned: "abandoned", cancelled: "cancelled" };

/** Whether nobody has played for anything. */
export function isVoid({ outcome }) {
  return outcome in VOID;
}

/**
 * What kind of end it is: some have won, or share a draw, or nobody has won anything.
 *
 * @param {{outcome: string, winners: number[]}} result
 * @returns {"winners"|"drawn"|"nobody"|"lost_by_all"|null} null where the outcome itself says all that there is to say.
 */
export function kindOfEnd({ outcome, winners }) {
  if (outcome in VOID) {
    return null;
  }
  if (outcome === "draw") {
    return winners.length > 0 ? "drawn" : "nobody";
  }
  return winners.length > 0 ? "winners" : "lost_by_all";
}

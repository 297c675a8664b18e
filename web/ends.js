/** What kind of end a game has come to (pure). */

/** Ends of a table at which nobody has played for anything. */
export const VOID = { annulled: "annulled", abandoned: "abandoned", cancelled: "cancelled" };

/** Whether nobody has played for anything. */
export function isVoid({ outcome }) {
  return outcome in VOID;
}

/**
 * Whether a table was closed before its game began, so that there is nothing to look back at.
 *
 * @param {{unbegun?: boolean}|null} table a row of a list or a table's state; null: it is not here yet.
 */
export function neverBegan(table) {
  return table?.unbegun === true;
}

/** Whether a game is over that had begun, so that there is something to look back at. @param {any} state a table's; null: it is not here yet. */
export function wasPlayed(state) {
  return state?.phase === "finished" && !neverBegan(state);
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

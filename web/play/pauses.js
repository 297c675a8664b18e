/** What a table's pauses ask of a seat (pure). */

/**
 * Whether whoever sits there decides about pauses: programs and those who are gone do not.
 *
 * @param {any} place the seat in the table's state; undefined: there is none.
 */
export function hasASay(place) {
  return place !== undefined && !place.program && !place.absent && !place.resigned;
}

/**
 * The pause that somebody would like, as long as that may be answered.
 *
 * @param {any} state the table's.
 * @param {number} now by the service's clock.
 * @returns {{seat: number, minutes: number, until: number, agreed: number[]}|null}
 */
export function proposalOf(state, now) {
  const proposal = state.pauses?.proposal ?? null;
  return proposal !== null && now < proposal.until ? proposal : null;
}

/** What becomes of a plan when one of its cards is pressed, dragged or let go (pure, but for where it was let go). */

import { ADRENALINE } from "./cards.js";
import { laid, withToken, without } from "./plan.js";

/** @import { Card } from "./cards.js" */
/** @import { Plan } from "./plan.js" */

/**
 * The plan once a card has been pressed: put down, or taken back.
 *
 * @param {Plan} plan
 * @param {Pick<Card, "token"|"slot"|"why">} card
 * @returns {Plan}
 */
export function turned(plan, { token, slot, why }) {
  if (why !== null) {
    return plan;
  }
  if (token === ADRENALINE) {
    return { ...plan, adrenaline: slot === null };
  }
  return slot === null ? laid(plan, token) : without(plan, token);
}

/**
 * The plan once a card has been dragged to a slot.
 *
 * @param {Plan} plan
 * @param {Pick<Card, "token"|"why"|"full">} card
 * @param {number|null} place from 0; null: out of them all.
 * @returns {Plan}
 */
export function dropped(plan, { token, why, full }, place) {
  if (why !== null && !full) {
    return plan;
  }
  if (token === ADRENALINE) {
    return { ...plan, adrenaline: place !== null };
  }
  if (place === null) {
    return without(plan, token);
  }
  return place < plan.tokens.length ? withToken(plan, place, token) : plan;
}

/**
 * The slot that a card was let go over, from 0, in the panel or on the board; null: none of this decision's.
 *
 * @param {{id: string}} decision
 * @param {HTMLElement|SVGElement|null} place
 */
export function slotOf({ id }, place) {
  const own = place?.closest("[data-decision]")?.getAttribute("data-decision") === id;
  return own ? Number(place?.dataset.place) - 1 : null;
}

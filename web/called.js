/** A player's name in the reader's language, also where there is none. */

import { nameOf } from "./net/names.js";
import { t } from "./words.js";

/**
 * What a seat is called.
 *
 * @param {number|string} number the seat's.
 * @param {{bot?: string|null, name_seal?: string}} seat as a state or an event has it.
 * @returns {string}
 */
export function called(number, seat) {
  const name = nameOf(number, seat);
  return name === null ? t("player.deleted") : (name ?? t("player.nameless", { seat: number }));
}

/**
 * What a seat in a row of the lists is called.
 *
 * @param {{seat: number, name?: string, deleted?: boolean}} seat
 * @returns {string}
 */
export function calledInRow({ seat, name, deleted }) {
  return deleted ? t("player.deleted") : (name ?? t("player.nameless", { seat }));
}

/** A player's name in the reader's language, also where there is none. */

import { nameOf } from "./net/names.js";
import { has, t } from "./words.js";

/**
 * What a seat is called.
 *
 * @param {number|string} number the seat's.
 * @param {{bot?: string|null, name_seal?: string}} seat as a state or an event has it.
 * @returns {string}
 */
export function called(number, seat) {
  if (seat.bot) {
    return botCalled(seat.bot, number);
  }
  const name = nameOf(number, seat);
  return name === null ? t("player.deleted") : (name ?? t("player.nameless", { seat: number }));
}

/**
 * What a seat in a row of the lists is called.
 *
 * @param {{seat: number, name?: string, bot?: string|null, deleted?: boolean}} seat
 * @returns {string}
 */
export function calledInRow({ seat, name, bot, deleted }) {
  if (bot) {
    return botCalled(bot, seat);
  }
  return deleted ? t("player.deleted") : (name ?? t("player.nameless", { seat }));
}

/** What a house bot is called; as the service calls it, if the page has no words for its kind. */
function botCalled(bot, seat) {
  return has(`bot.${bot}`) ? t("player.bot", { bot: t(`bot.${bot}`), seat }) : `${bot} ${seat}`;
}

/**
 * The kinds of house bots, to choose from.
 *
 * @param {string[]} bots their ids.
 * @returns {Array<{value: string, text: string}>}
 */
export function botChoices(bots) {
  return bots.map((bot) => ({ value: bot, text: has(`bot.choice.${bot}`) ? t(`bot.choice.${bot}`) : bot }));
}

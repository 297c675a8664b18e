/** A player's name in the reader's language, also where there is none. */

import { nameOf } from "./net/names.js";
import { has, t } from "./words.js";

/** Scripts that are written from the right: Hebrew, Arabic and their neighbours. */
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name in a sentence. One from the right would take the numbers that follow to its other side, did it not keep to itself (isolates, UAX #9). */
function inSentence(name) {
  return FROM_THE_RIGHT.test(name) ? `\u2068${name}\u2069` : name;
}

/**
 * What a seat is called.
 *
 * @param {number|string} number the seat's.
 * @param {{bot?: string|null, name_seal?: string}} seat as a state or an event has it.
 * @returns {string}
 */
export function called(number, seat) {
  return seat.bot ? botCalled(seat.bot, number) : playerCalled(number, nameOf(number, seat));
}

/**
 * What a seat in a row of the lists is called.
 *
 * @param {{seat: number, name?: string, bot?: string|null, deleted?: boolean}} seat
 * @returns {string}
 */
export function calledInRow({ seat, name, bot, deleted }) {
  return bot ? botCalled(bot, seat) : playerCalled(seat, deleted ? null : (name ?? undefined));
}

/** What a player is called, as `nameOf` tells the name. */
function playerCalled(seat, name) {
  if (name === null) {
    return t("player.deleted");
  }
  return name === undefined ? t("player.nameless", { seat }) : inSentence(name);
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

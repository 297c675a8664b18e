/** Why something cannot be chosen that one might expect to be: the service is asked when somebody wants to know. */

import { get } from "../net/api.js";
import { isRefusal } from "../net/problem.js";
import { sentenceOf } from "../refusal.js";
import { language, t } from "../words.js";

/**
 * The reasons, in sentences: none where one of the decisions offers the target, or nobody says why it does not.
 *
 * @param {string} target of the board, or one that a form of the game names.
 * @param {{game: string, decisions: Array<{id: string}>, aim: (meaning: any) => string|null}} asked `aim` as in `GameBoard`.
 * @returns {Promise<string[]>}
 */
export async function whyNot(target, { game, decisions, aim }) {
  try {
    const each = await Promise.all(decisions.map(({ id }) => reasons(`/v1/games/${encodeURIComponent(game)}/decisions/${encodeURIComponent(id)}`)));
    const found = each.map((told) => told.filter(({ meaning }) => aim(meaning) === target).map(({ text }) => text));
    return found.every((texts) => texts.length > 0) ? [...new Set(found.flat())] : [];
  } catch (problem) {
    return isRefusal(problem) ? [] : [t("watch.failed", { why: sentenceOf(problem) })]; // it is refused if the game has moved on
  }
}

/** @returns {Promise<Told.UnavailableOption[]>} */
async function reasons(path) {
  const { body } = await get(`${path}/unavailable`, { lang: language() });
  return body.unavailable;
}

/** Why something cannot be chosen that one might expect to be: the service is asked when somebody wants to know. */

import { get } from "../net/api.js";
import { isRefusal } from "../net/problem.js";
import { sentenceOf } from "../refusal.js";
import { language, t } from "../words.js";

/**
 * The reasons, in sentences: none where one of the decisions offers the target, or nobody says why it does not.
 *
 * @param {string} target of the board, or one that a form of the game names.
 * @param {{game: string, decisions: Array<{id: string, branch: string|null}>, aims: (meaning: any) => string[], blank: (id: string, meanings: any[]) => string|null}} asked
 *   `branch`: the one that is open, of which the reasons are those below it; `aims`: the targets that something of this meaning is about; `blank`: what to say
 *   where no reason is about the target, by a decision and the meanings of all that it does not offer.
 * @returns {Promise<string[]>}
 */
export async function whyNot(target, { game, decisions, aims, blank }) {
  try {
    const told = await Promise.all(decisions.map((decision) => reasons(`/v1/games/${encodeURIComponent(game)}`, decision)));
    const found = told.map((each, i) => {
      const texts = each.filter(({ meaning }) => aims(meaning).includes(target)).map(({ text }) => text);
      const other = texts.length > 0 ? null : blank(decisions[i].id, each.map(({ meaning }) => meaning));
      return other === null ? texts : [other];
    });
    return found.every((texts) => texts.length > 0) ? [...new Set(found.flat())] : [];
  } catch (problem) {
    return isRefusal(problem) ? [] : [t("watch.failed", { why: sentenceOf(problem) })]; // it is refused if the game has moved on
  }
}

/** @returns {Promise<Told.UnavailableOption[]>} */
async function reasons(path, { id, branch }) {
  const below = branch === null ? "" : `/options/${encodeURIComponent(branch)}`;
  const { body } = await get(`${path}/decisions/${encodeURIComponent(id)}${below}/unavailable`, { lang: language() });
  return body.unavailable;
}

/** What a player has begun to choose, decision by decision, and what is known to be handed in (pure). */

import { narrowed } from "./grouping.js";
import { optionsAt } from "./walk.js";

/** A decision that nothing has been begun of. */
export function emptyDraft() {
  return { begun: null, walk: [], keys: [], search: "", chosen: null, problem: null, confirming: false, changing: false };
}

/**
 * The option that has been handed in, as far as it can be known: the view tells some, the rest is remembered from this
 * page.
 *
 * @param {Object} decision
 * @param {Object} draft
 * @param {string|null} told what the view tells, see `GameForms.handedIn`.
 * @returns {string|null} an option's id.
 */
export function handedIn(decision, draft, told) {
  return decision.answered ? (told ?? draft.chosen) : null;
}

/** Decisions in the order in which they are shown: what is asked first, what may be done last. */
export function sorted(decisions) {
  const rank = (decision) => (decision.kind === "return" ? 0 : decision.optional ? 3 : decision.answered ? 2 : 1);
  return [...decisions].sort((a, b) => rank(a) - rank(b));
}

/**
 * What can be chosen on the board: the options of the level that each decision shows.
 *
 * @param {Array} decisions those that may be answered there.
 * @param {(id: string) => Object} draftOf
 * @param {(decision: Object, option: Object) => Object} entryOf makes the entry of an option.
 * @param {(option: Object) => string[]} targets see `GameBoard.targets`.
 * @returns {Map<string, Array>} entries by key.
 */
export function onBoard(decisions, draftOf, entryOf, targets) {
  const choices = new Map();
  for (const decision of decisions) {
    const { keys, walk } = draftOf(decision.id);
    for (const option of narrowed(optionsAt(decision, walk), keys, targets)) {
      for (const key of targets(option)) {
        choices.set(key, [...(choices.get(key) ?? []), entryOf(decision, option)]);
      }
    }
  }
  return choices;
}

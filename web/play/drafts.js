/** What a player has begun to choose, decision by decision, and what is known to be handed in (pure). */

import { touches, narrowed } from "./grouping.js";

/** A decision that nothing has been begun of. */
export function emptyDraft() {
  return { plan: null, keys: [], search: "", chosen: null, problem: null, confirming: false, changing: false };
}

/**
 * The option that has been handed in, as far as it can be known: the view tells programmes and clues, the rest is
 * remembered from this page.
 *
 * @param {Object} decision
 * @param {Object} draft
 * @param {Object|null} state a table's state as the player sees it.
 * @returns {string|null} an option's id.
 */
export function handedIn(decision, draft, state) {
  if (!decision.answered) {
    return null;
  }
  const play = state?.play;
  if (decision.kind === "starting_clue") {
    return play?.clues?.[decision.seat] ?? draft.chosen;
  }
  if (decision.kind === "program") {
    return programOption(decision, play?.characters?.[decision.subject]?.program) ?? draft.chosen;
  }
  return draft.chosen;
}

/** Decisions in the order in which they are shown: what is asked first, what may be done last. */
export function sorted(decisions) {
  const rank = (decision) => (decision.kind === "return" ? 0 : decision.optional ? 3 : decision.answered ? 2 : 1);
  return [...decisions].sort((a, b) => rank(a) - rank(b));
}

/**
 * What can be chosen on the board.
 *
 * @param {Array} decisions those that may be answered there.
 * @param {(id: string) => Object} draftOf
 * @param {(decision: Object, option: Object) => Object} entryOf makes the entry of an option.
 * @returns {Map<string, Array>} entries by key.
 */
export function onBoard(decisions, draftOf, entryOf) {
  const choices = new Map();
  for (const decision of decisions.filter(({ kind }) => kind !== "program")) {
    for (const option of narrowed(decision.options, draftOf(decision.id).keys)) {
      for (const key of touches(option)) {
        choices.set(key, [...(choices.get(key) ?? []), entryOf(decision, option)]);
      }
    }
  }
  return choices;
}

function programOption(decision, program) {
  if (!program?.tokens) {
    return null;
  }
  const same = ({ meaning }) =>
    Boolean(meaning.adrenaline) === Boolean(program.adrenaline) &&
    meaning.tokens.join("+") === program.tokens.join("+");
  return decision.options.find(same)?.id ?? null;
}

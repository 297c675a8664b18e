/** What a player has handed in, as far as the view tells it (pure). */

/** @type {import("../../contract.js").GameForms["handedIn"]} */
export function handedIn(decision, state) {
  const play = state?.play;
  if (decision.kind === "starting_clue") {
    return play?.clues?.[decision.seat] ?? null;
  }
  return decision.kind === "program" ? programOption(decision, play?.characters?.[decision.subject ?? ""]?.program) : null;
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

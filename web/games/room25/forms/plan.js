/** A programme put together slot by slot, held to the options that there are (pure). */

/** An empty slot. */
export const NONE = "";

/**
 * The slots of a programme decision.
 *
 * @param {Told.DecisionOption[]} options
 * @returns {{slots: number, tokens: string[], adrenaline: boolean}} how many slots there are at most, which tokens may
 *   be in one, and whether adrenaline may be added.
 */
export function shapeOf(options) {
  const plans = options.map((option) => option.meaning ?? { tokens: [] });
  return {
    slots: Math.max(0, ...plans.map((plan) => plan.tokens.length)),
    tokens: [...new Set(plans.flatMap((plan) => plan.tokens))],
    adrenaline: plans.some((plan) => plan.adrenaline),
  };
}

/** The plan of an option: its tokens by slot, empty ones filled up, and its adrenaline. */
export function planOf(option, slots) {
  const { tokens, adrenaline = false } = option.meaning;
  return { tokens: Array.from({ length: slots }, (_, i) => tokens[i] ?? NONE), adrenaline: Boolean(adrenaline) };
}

/** The option that a plan is, or undefined if there is none: two alike, a gap, nothing at all. */
export function optionOf(options, plan) {
  const tokens = plan.tokens.filter((token) => token !== NONE);
  return options.find(
    ({ meaning }) =>
      Boolean(meaning.adrenaline) === plan.adrenaline &&
      meaning.tokens.length === tokens.length &&
      meaning.tokens.every((token, i) => token === tokens[i]),
  );
}

/**
 * Put a token into a slot. A token that lay in the other slot changes places with it.
 *
 * @param {{tokens: string[], adrenaline: boolean}} plan
 * @param {number} slot from 0.
 * @param {string} token or `NONE`.
 */
export function withToken(plan, slot, token) {
  const tokens = [...plan.tokens];
  const other = token === NONE ? -1 : tokens.indexOf(token);
  if (other >= 0 && other !== slot) {
    tokens[other] = tokens[slot];
  }
  tokens[slot] = token;
  // A single action lies in the first slot: there is nothing before it.
  const packed = tokens.filter((each) => each !== NONE);
  return { ...plan, tokens: tokens.map((_, i) => packed[i] ?? NONE) };
}

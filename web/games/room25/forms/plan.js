/** A programme put together slot by slot, held to the options that there are (pure). */

/**
 * @typedef {Object} Plan
 * @property {string[]} tokens by slot; `NONE` is an empty one.
 * @property {boolean} adrenaline
 * @property {boolean} [listed] whether the same is shown as a list too.
 */

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

/**
 * A plan in which nothing has been chosen.
 *
 * @param {number} slots
 * @returns {Plan}
 */
export function emptyPlan(slots) {
  return { tokens: Array(slots).fill(NONE), adrenaline: false };
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
  return packed(plan, tokens);
}

/** A single action lies in the first slot: there is nothing before it. */
function packed(plan, tokens) {
  const laid = tokens.filter((each) => each !== NONE);
  return { ...plan, tokens: tokens.map((_, i) => laid[i] ?? NONE) };
}

/** Put a token into the first empty slot; the same plan if there is none. */
export function laid(plan, token) {
  const slot = plan.tokens.indexOf(NONE);
  return slot < 0 || plan.tokens.includes(token) ? plan : withToken(plan, slot, token);
}

/** Take a token back. */
export function without(plan, token) {
  return packed(plan, plan.tokens.map((each) => (each === token ? NONE : each)));
}

/** Take back what was put down last: adrenaline, or the action in the last slot; the same plan if nothing was. */
export function withoutLast(plan) {
  const last = plan.tokens.findLast((token) => token !== NONE);
  return plan.adrenaline ? { ...plan, adrenaline: false } : last === undefined ? plan : without(plan, last);
}

/**
 * A plan that was kept elsewhere, held to what the options allow now.
 *
 * @param {Told.DecisionOption[]} options
 * @param {unknown} kept anything.
 * @returns {Plan|null} null: it is no plan, or not one of this decision.
 */
export function planKept(options, kept) {
  const { slots, tokens, adrenaline } = shapeOf(options);
  const { tokens: chosen, adrenaline: boosted, listed } = /** @type {any} */ (kept) ?? {};
  const known = (token) => token === NONE || tokens.includes(token);
  if (!Array.isArray(chosen) || chosen.length !== slots || !chosen.every(known)) {
    return null;
  }
  const once = chosen.filter((token, i) => token !== NONE && chosen.indexOf(token) === i);
  return { ...packed(emptyPlan(slots), chosen.map((_, i) => once[i] ?? NONE)), adrenaline: adrenaline && boosted === true, listed: listed === true };
}

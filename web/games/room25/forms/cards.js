/** The action cards of a programme: which there are, where each lies, and why one cannot be put down (pure, but for the words). */

import { NONE } from "./plan.js";
import { limitOf } from "../words/titles.js";
import { t } from "../../../words.js";

/** @import { Plan } from "./plan.js" */

export const ADRENALINE = "adrenaline";

/**
 * One card.
 *
 * @typedef {Object} Card
 * @property {string} token of an action, or `ADRENALINE`.
 * @property {number|null} slot where it lies, from 0, adrenaline behind all others; null: in the hand.
 * @property {string|null} why it cannot be put down; null: it can, or it lies there.
 * @property {boolean} full whether that is only because every slot is taken: it may still lie in the place of another.
 */

/**
 * The cards of a character: those that may be programmed, and those that it has lost, in the order of the rulebook.
 *
 * @param {{decision: Told.Decision, book: any, state: Told.TableState|null, shape: {slots: number, tokens: string[], adrenaline: boolean}, plan: Plan}} given
 * @returns {Card[]}
 */
export function cardsOf(given) {
  const { decision, book, state, shape } = given;
  const character = state?.play?.characters?.[decision.subject ?? ""];
  const owned = new Set([...shape.tokens, ...(character?.tokens ?? []), ...(character?.lost ?? [])]);
  const boost = shape.adrenaline || !["none", undefined].includes(character?.adrenaline);
  return book.json.actions
    .map(({ id }) => id)
    .filter((token) => (token === ADRENALINE ? boost : owned.has(token)))
    .map((token) => (token === ADRENALINE ? boostCard(given, character) : actionCard(token, given, character)));
}

function actionCard(token, { decision, book, state, shape, plan }, character) {
  const slot = plan.tokens.indexOf(token);
  if (slot >= 0) {
    return { token, slot, why: null, full: false };
  }
  if (!shape.tokens.includes(token)) {
    const lost = character?.lost?.includes(token);
    const why = lost ? t("room25/play.card.lost") : (limitOf(decision, book, state) ?? t("room25/play.card.not_now"));
    return { token, slot: null, why, full: false };
  }
  const full = !plan.tokens.includes(NONE);
  return { token, slot: null, why: full ? t("room25/play.card.full") : null, full };
}

function boostCard({ shape, plan }, character) {
  const why = shape.adrenaline ? null : t(character?.adrenaline === "spent" ? "room25/play.card.spent" : "room25/play.card.not_now");
  return { token: ADRENALINE, slot: shape.adrenaline && plan.adrenaline ? shape.slots : null, why, full: false };
}

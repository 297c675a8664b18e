/** What a decision is called, and why it is smaller than usual (pure). */

import { shapeOf } from "../forms/plan.js";
import { t } from "../../../words.js";

/** @import { ComplexBook } from "./book.js" */

/**
 * What is asked. A programme says how many actions it may have now.
 *
 * @param {Object} decision
 * @param {ComplexBook} book
 */
export function titleOf(decision, book) {
  if (decision.kind !== "program") {
    return book.decision(decision.kind);
  }
  const { slots } = shapeOf(decision.options);
  const few = ["room25/play.program.title.none", "room25/play.program.title.one"][slots];
  return few === undefined ? book.decision(decision.kind) : t(few);
}

/**
 * Why a programme has fewer actions than two.
 *
 * @param {Object} decision
 * @param {ComplexBook} book
 * @param {Object|null} state the table's, as the player sees it.
 * @returns {string|null} null where nothing is less than usual.
 */
export function limitOf(decision, book, state) {
  if (decision.kind !== "program" || shapeOf(decision.options).slots > 1) {
    return null;
  }
  const character = state?.play?.characters?.[decision.subject];
  if (character?.stacked > 0) {
    return t("room25/play.program.why.paranoia");
  }
  return character?.limited ? t("room25/play.program.why.cold", { room: book.room("cold").name }) : t("room25/play.program.why.tokens");
}

/** What a decision is called, and why it offers less than usual (pure). */

import { shapeOf } from "../forms/plan.js";
import { listing, t } from "../../../words.js";

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
 * Why a programme has fewer actions than two, and what somebody who acts without one cannot do any more.
 *
 * @param {Object} decision
 * @param {ComplexBook} book
 * @param {Object|null} state the table's, as the player sees it.
 * @returns {string|null} null where nothing is less than usual.
 */
export function limitOf(decision, book, state) {
  if (decision.kind === "free_action") {
    return freeLimit(decision, book, state?.play?.characters?.[decision.subject]);
  }
  if (decision.kind !== "program" || shapeOf(decision.options).slots > 1) {
    return null;
  }
  const character = state?.play?.characters?.[decision.subject];
  if (character?.stacked > 0) {
    return t("room25/play.program.why.paranoia");
  }
  return character?.limited ? t("room25/play.program.why.cold", { room: book.room("cold").name }) : t("room25/play.program.why.tokens");
}

/** Each action is done once a turn, and one may be passed. */
function freeLimit({ options }, book, character) {
  const offered = new Set(options.map(({ id }) => id));
  const missing = (tokens = []) => tokens.filter((token) => !offered.has(token)).map((token) => book.action(token).name);
  const told = (key, actions) => (actions.length > 0 ? [t(key, { actions: listing(actions) })] : []);
  const said = [
    ...told("room25/play.free.done", missing(character?.used)),
    ...told("room25/play.free.lost", missing(character?.lost)),
    ...(character?.passed ? [t("room25/play.free.passed")] : []),
  ];
  return said.length > 0 ? said.join(" ") : null;
}

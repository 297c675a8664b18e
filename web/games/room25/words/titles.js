/** What a decision is called, and why it offers less than usual (pure). */

import { shapeOf } from "../forms/plan.js";
import { listing, t } from "../../../words.js";

/** @import { ComplexBook } from "./book.js" */

/** What adrenaline cannot be used for. */
const NOT_BASIC = new Set(["special", "adrenaline"]);

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
 * Why a programme has fewer actions than two, what somebody who acts without one cannot do any more, and what adrenaline has no target for.
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
  if (decision.kind === "adrenaline_action") {
    return boostLimit(decision, book);
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
  const said = [
    ...missing("room25/play.free.done", character?.used, options, book),
    ...missing("room25/play.free.lost", character?.lost, options, book),
    ...(character?.passed ? [t("room25/play.free.passed")] : []),
  ];
  return said.length > 0 ? said.join(" ") : null;
}

/** Adrenaline is for any basic action that has a target. */
function boostLimit({ options }, book) {
  const basic = book.json.actions.map(({ id }) => id).filter((id) => !NOT_BASIC.has(id));
  return missing("room25/play.boost.aimless", basic, options, book)[0] ?? null;
}

/** A sentence about those of some actions that are not among the options; none if all are. */
function missing(key, tokens = [], options, book) {
  const offered = new Set(options.map(({ id }) => id));
  const actions = tokens.filter((token) => !offered.has(token)).map((token) => book.action(token).name);
  return actions.length > 0 ? [t(key, { actions: listing(actions) })] : [];
}

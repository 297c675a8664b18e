/** What is known at once of branches: whether a game can be played on from here, and where a table comes from. */

import { t } from "../words.js";

/** @import { Controller } from "./controller.js" */

/**
 * Whether one may play on from here: only a finished game can be branched, and only one that was played.
 *
 * @param {Controller} controller
 */
export function canBranch(controller) {
  const { archive, embed, ready, newestState: state } = controller;
  return !archive && !embed && ready && state?.phase === "finished" && state.result?.reason !== "cancelled";
}

/**
 * The banner of a table that is a branch, with the way back; null at any other table.
 *
 * @param {Controller} controller
 * @param {(address: string) => void} navigate
 */
export function branchBanner({ state: { origin } }, navigate) {
  if (!origin) {
    return null;
  }
  const back = { text: t("watch.branch.back"), run: () => navigate(`/watch/${origin.game}?at=${origin.version}`) };
  return { name: "branch", text: t("watch.branch.banner", { version: origin.version }), act: back };
}

/**
 * Whether somebody plays on alone with house bots in a branch of their own: then every view is open to them.
 *
 * @param {any} state the newest one.
 * @param {string|null} player
 */
export function isAloneInBranch(state, player) {
  const people = Object.values(state?.seats ?? {}).filter((seat) => seat.bot === null);
  return Boolean(state?.origin) && state.phase === "live" && state.host === player && people.every((seat) => seat.player === player);
}

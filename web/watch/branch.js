/** What is known at once of branches: whether a game can be played on from here, and where a table comes from. */

import { h } from "../dom.js";
import { wasPlayed } from "../ends.js";
import { t } from "../words.js";

/** @import { Controller } from "./controller.js" */

/**
 * "What if …": the button that asks who plays on from the moment that is shown, and the mark of a table that came about so.
 *
 * @param {Controller} controller
 * @param {(act: (show: Function, options: any) => void) => void} load brings the window.
 */
export function createWhatIf(controller, load) {
  const ask = () => {
    controller.pause();
    load((show, options) => show(controller, options));
  };
  const element = h("button", { type: "button", class: "what-if", hidden: true, dataset: { move: "what-if" }, onclick: ask }, t("watch.whatif"));
  const mark = h("strong", { class: "branch-mark", hidden: true }, t("watch.branch.mark"));
  const update = () => {
    element.hidden = !canBranch(controller);
    mark.hidden = !(controller.ready && controller.state.origin);
  };
  return { element, mark, update };
}

/**
 * Whether one may play on from here: only a finished game can be branched, and only one that was played.
 *
 * @param {Controller} controller
 */
function canBranch(controller) {
  const { archive, embed, ready, newestState: state } = controller;
  return !archive && !embed && ready && wasPlayed(state);
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

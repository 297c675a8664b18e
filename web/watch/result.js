/** How the game ended, once one is there. */

import { h, clear, present } from "../dom.js";
import { gameOf } from "../games/registry.js";
import { t } from "../words.js";
import { fortune, verdict } from "./verdict.js";

/** @import { Controller } from "./controller.js" */

/**
 * The banner at the end: who won, why, with which score, and who was what.
 *
 * @param {Controller} controller
 * @param {{names: object}} options
 * @returns {{element: HTMLElement, update: () => void}}
 */
export function createResult(controller, { names }) {
  const element = h("section", { class: "result", hidden: true, "aria-label": t("watch.result") });
  let drawn = null;
  const update = () => {
    const state = controller.ready ? controller.state : null;
    const over = state?.phase === "finished" && state.result;
    element.hidden = !over;
    if (over && drawn !== state) {
      drawn = state;
      clear(element).append(...content(state, names), ...revealing(controller));
    }
  };
  return { element, update };
}

/** Once a game is over nothing of it is secret; but a view goes on to tell no more than it knew. */
function revealing(controller) {
  const whole = controller.viewer === "full" || controller.archive;
  return whole ? [] : [h("button", { type: "button", dataset: { move: "reveal" }, onclick: () => controller.look("full") }, t("watch.result.full"))];
}

function content(state, names) {
  const { result } = state;
  const said = verdict(result, names);
  const score = result.score === null || result.score === undefined ? null : h("p", {}, t("watch.result.score", { score: result.score }));
  return present([
    h("h2", {}, names.word(`outcome.${result.outcome}`)),
    said && h("p", {}, said),
    score,
    result.cause ? h("p", {}, t("watch.result.cause", { cause: names.word(`reason.${result.cause}`) })) : null,
    gameOf(names.game).board.cast(state, { names, fortune: (seat) => fortune(result, seat) }),
  ]);
}

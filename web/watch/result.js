/** How the game ended, once one is there. */

import { h, clear } from "../dom.js";
import { t } from "../words.js";
import { fortune, verdict } from "./verdict.js";

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

function content({ result, seats, play }, names) {
  const said = verdict(result, names);
  const score = result.score === null || result.score === undefined ? null : h("p", {}, t("watch.result.score", { score: result.score }));
  return [
    h("h2", {}, names.word(`outcome.${result.outcome}`)),
    said && h("p", {}, said),
    score,
    result.cause ? h("p", {}, t("watch.result.cause", { cause: names.word(`reason.${result.cause}`) })) : null,
    Object.keys(play?.characters ?? {}).length ? peopleTable(seats, play, result, names) : null,
  ].filter(Boolean);
}

function peopleTable(seats, play, result, names) {
  const known = Object.values(play.characters).some(({ role }) => role);
  const rows = Object.values(play.characters).map((figure) => {
    const came = fortune(result, figure.seat);
    return h(
      "tr",
      { class: came === "won" && "won" },
      h("th", { scope: "row" }, names.character(figure.id), h("span", { class: "result-player" }, seats[figure.seat] ? names.player(figure.seat) : "")),
      known && h("td", {}, figure.role ? names.role(figure.role) : t("room25/watch.result.unknown")),
      h("td", {}, fate(figure, play)),
      h("td", {}, t(`watch.result.${came}`)),
    );
  });
  const heads = ["character", ...(known ? ["role"] : []), "fate", "won"].map((head) => h("th", { scope: "col" }, t(names.key(`watch.result.head.${head}`))));
  const table = h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows));
  return h(
    "details",
    { open: true },
    h("summary", {}, t("room25/watch.result.who")),
    h("div", { class: "wide", role: "region", tabindex: "0", "aria-label": t("room25/watch.result.who") }, table),
  );
}

function fate(figure, play) {
  if (figure.alive === false) {
    return t("room25/watch.result.dead");
  }
  return figure.cell && play.grid[figure.cell]?.kind === "room25" ? t("room25/watch.result.inside") : t("room25/watch.result.alive");
}

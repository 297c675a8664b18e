/** Through whose eyes one looks. */

import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { neverBegan, wasPlayed } from "../ends.js";
import { playerId } from "../net/session.js";
import { patch } from "../patch.js";
import { t } from "../words.js";
import { isAloneInBranch } from "./branch.js";

/** @import { Controller } from "./controller.js" */

/**
 * The viewers that may be chosen now: all after the end, and alone in one's own branch; the public and one's own seats before.
 *
 * @param {Controller} controller
 * @param {number[]} mine the reader's own seats.
 * @returns {string[]} as "public", "seat:2", "full".
 */
export function viewersOf(controller, mine) {
  if (controller.archive) {
    return [controller.viewer];
  }
  if (controller.embed) {
    return ["public"];
  }
  const newest = controller.newestState;
  const over = wasPlayed(newest) || isAloneInBranch(newest, playerId());
  const seats = Object.keys(newest?.seats ?? {}).map(Number);
  const list = ["public", ...seats.filter((seat) => over || mine.includes(seat)).map((seat) => `seat:${seat}`), ...(over ? ["full"] : [])];
  // A view that somebody has by right (an auditor) is in no list, but it is what is shown.
  return list.includes(controller.viewer) ? list : [...list, controller.viewer];
}

/** A viewer in words. */
export function viewerText(viewer, names, state) {
  if (!viewer.startsWith("seat:")) {
    return t(`watch.viewer.${viewer}`);
  }
  const seat = Number(viewer.slice("seat:".length));
  const characters = state?.seats?.[seat]?.characters ?? [];
  return names.seated(seat, characters);
}

/**
 * The menu of viewers, and the question what a seat knew at the moment that is shown.
 *
 * @param {Controller} controller
 * @param {{names: object, mine: () => number[], onKnew: (seat: number) => void}} options `onKnew`: show it over the board.
 * @returns {{element: HTMLElement, update: () => void}}
 */
export function createViewpoint(controller, { names, mine, onKnew }) {
  const menu = h("select", { onchange: () => controller.look(menu.value), dataset: { move: "viewer" } });
  const knew = h("button", { type: "button", dataset: { move: "knew" }, onclick: () => askWho(controller, names, { mine: mine(), onKnew }) }, t("watch.knew"));
  const view = h("label", {}, h("span", {}, t("watch.view")), menu);
  const element = h("div", { class: "viewpoint" }, view, knew);
  let listed = "";
  const update = () => {
    const viewers = viewersOf(controller, mine());
    const state = controller.newestState;
    const key = `${viewers} ${JSON.stringify(state?.seats ?? null)}`;
    if (key !== listed) {
      listed = key;
      patch(menu, viewers.map((viewer) => h("option", { value: viewer, dataset: { key: viewer } }, viewerText(viewer, names, state))));
    }
    menu.value = controller.viewer;
    view.hidden = viewers.length < 2;
    knew.hidden = !state || state.phase === "open" || neverBegan(state) || Object.keys(state.seats ?? {}).length === 0;
    element.hidden = view.hidden && knew.hidden;
  };
  return { element, update };
}

/** "What did this seat know then": over the board as it is shown, or with its eyes where they may be had, at the very moment that is shown. */
function askWho(controller, names, { mine, onKnew }) {
  const { shown } = controller;
  const state = controller.newestState;
  const over = (seat) => {
    dialog.close();
    controller.pause();
    onKnew(seat);
  };
  const look = (viewer) => {
    dialog.close();
    controller.seek(shown, { jump: true });
    controller.look(viewer);
  };
  const choice = (dataset, text, onclick) => h("li", {}, h("button", { type: "button", dataset, onclick }, text));
  const seats = Object.keys(state.seats).map(Number);
  const viewers = viewersOf(controller, mine).filter((viewer) => viewer.startsWith("seat:"));
  const dialog = openDialog({
    title: t("watch.knew"),
    name: "knew",
    content: [
      h("p", {}, t("watch.knew.over", { version: shown })),
      h("ul", { class: "choices" }, seats.map((seat) => choice({ knew: String(seat) }, viewerText(`seat:${seat}`, names, state), () => over(seat)))),
      viewers.length > 0 && h("p", {}, t("watch.knew.text", { version: shown })),
      viewers.length > 0 && h("ul", { class: "choices" }, viewers.map((viewer) => choice({ viewer }, t("watch.knew.eyes", { who: viewerText(viewer, names, state) }), () => look(viewer)))),
    ],
  });
}

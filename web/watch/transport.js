/** The bar by which one moves through a game. */

import { h, clear } from "../dom.js";
import { number, t, tn } from "../words.js";
import { icon } from "./icons.js";
import { REAL_TIME, SPEEDS } from "./place.js";

/** @import { Controller } from "./controller.js" */

/**
 * The transport bar.
 *
 * @param {Controller} controller
 * @param {{book: import("../book.js").Book, small?: boolean}} options `small`: for a frame on somebody's page.
 * @returns {{element: HTMLElement, update: () => void}}
 */
export function createTransport(controller, { book, small = false }) {
  const button = (name, act) =>
    h("button", { type: "button", "aria-label": t(`watch.${book.byTurn(name)}`), title: t(`watch.${book.byTurn(name)}.hint`), dataset: { move: name }, onclick: act }, icon(name));
  const moves = {
    first: button("first", () => controller.toFirst()),
    "turn-back": button("turn-back", () => controller.turn(-1)),
    back: button("back", (event) => controller.step(-1, { single: event.shiftKey })),
    play: button("play", () => controller.toggle()),
    step: button("step", (event) => controller.step(1, { single: event.shiftKey })),
    "turn-on": button("turn-on", () => controller.turn(1)),
    last: button("last", () => controller.toLast()),
  };
  const speed = speedMenu(controller);
  const live = h("button", { type: "button", class: "live", dataset: { move: "live" }, onclick: () => controller.follow() });
  const where = h("output", { class: "where" });
  const element = h(
    "div",
    { class: ["transport", small && "small"], role: "group", "aria-label": t("watch.transport") },
    h("div", { class: "moves" }, Object.values(moves)),
    live,
    small ? null : h("div", { class: "speed" }, h("span", { "aria-hidden": "true" }, t("watch.speed")), speed),
    where,
  );
  const update = () => {
    drawPlay(moves.play, controller.playing);
    speed.value = String(controller.speed);
    drawLive(live, controller);
    where.textContent = whereText(controller);
    const { shown, first, last } = controller;
    const atStart = !controller.ready || (shown <= first && !controller.feed.joinedLate);
    const atEnd = !controller.ready || shown >= last;
    [moves.first, moves["turn-back"], moves.back].forEach((each) => dim(each, atStart));
    [moves.step, moves["turn-on"], moves.last].forEach((each) => dim(each, atEnd));
  };
  return { element, update };
}

/** A button that does nothing now keeps its focus, unlike a disabled one. */
function dim(button, off) {
  button.setAttribute("aria-disabled", String(off));
}

function drawPlay(button, playing) {
  const name = playing ? "pause" : "play";
  if (button.dataset.shows !== name) {
    button.dataset.shows = name;
    clear(button).append(icon(name));
    button.setAttribute("aria-label", t(`watch.${name}`));
    button.title = t(`watch.${name}.hint`);
  }
}

function drawLive(button, controller) {
  const live = controller.ready && controller.live();
  button.hidden = !live;
  const on = controller.following;
  button.setAttribute("aria-pressed", String(on));
  button.textContent = on || controller.behind === 0 ? t("watch.live") : tn("watch.live.behind", controller.behind);
}

function whereText(controller) {
  if (!controller.ready) {
    return "";
  }
  const { shown, last } = controller;
  return t("watch.where", { version: number(shown), last: number(last) });
}

function speedMenu(controller) {
  const options = [...SPEEDS, REAL_TIME].map((speed) =>
    h("option", { value: String(speed) }, speed === REAL_TIME ? t("watch.speed.real") : t("watch.speed.times", { speed: speed === 0.5 ? "½" : number(speed) })),
  );
  const onchange = (event) => {
    const { value } = event.target;
    controller.setSpeed(value === REAL_TIME ? REAL_TIME : Number(value));
  };
  return h("select", { "aria-label": t("watch.speed"), onchange, dataset: { move: "speed" } }, options);
}

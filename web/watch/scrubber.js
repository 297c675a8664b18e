/** A line through the whole game, with marks where something happened. */

import { h, s, clear } from "../dom.js";
import { layOver } from "../layers.js";
import { number, t } from "../words.js";
import { markIcon, markShape } from "./icons.js";
import { marksOf } from "./kinds.js";

/** @import { Controller } from "./controller.js" */
/** @import { Moments } from "./moments.js" */

const THUMB = 16;
const HEIGHT = 22;

/**
 * The scrubber: a range of versions; its marks are no controls.
 *
 * @param {Controller} controller
 * @param {{chapterText: (version: number) => string, moments: Moments, log: import("../games/contract.js").GameLog}} options `chapterText`
 *   says turn and phase; `moments` are marked; `log` is the game's.
 * @returns {{element: HTMLElement, update: () => void, stop: () => void}}
 */
export function createScrubber(controller, { chapterText, moments, log }) {
  const range = h("input", {
    type: "range",
    step: 1,
    min: 1,
    max: 1,
    value: 1,
    "aria-label": t("watch.scrubber"),
    dataset: { move: "scrubber" },
    oninput: () => {
      controller.pause();
      controller.seek(Number(range.value), { jump: false });
    },
    onchange: () => controller.seek(Number(range.value), { jump: true, reason: "seek" }),
  });
  const marks = s("svg", { class: "marks", "aria-hidden": "true", focusable: "false", height: HEIGHT });
  const track = h("div", { class: "scrubber-track" }, marks, range);
  const drawn = { width: 0, last: 0, first: 0 };
  let width = 0;
  const redraw = () => drawMarks(marks, controller, width, drawn, { moments, log });
  const sizes = new ResizeObserver(([entry]) => {
    width = entry.contentRect.width;
    redraw();
  });
  sizes.observe(track);
  const update = () => {
    if (controller.ready) {
      range.min = String(controller.first);
      range.max = String(controller.last);
      range.value = String(controller.shown);
      range.setAttribute("aria-valuetext", t("watch.scrubber.at", { version: number(controller.shown), chapter: chapterText(controller.shown) }));
      redraw();
    }
  };
  return { element: h("div", { class: "scrubber" }, track), update, stop: () => sizes.disconnect() };
}

function drawMarks(svg, controller, width, drawn, { moments, log }) {
  const { first, last, timeline } = controller;
  if (!timeline || width === 0 || (drawn.width === width && drawn.last === last && drawn.first === first)) {
    return;
  }
  Object.assign(drawn, { width, first, last });
  svg.setAttribute("width", String(width));
  const place = (version) => THUMB / 2 + ((version - first) / Math.max(1, last - first)) * (width - THUMB);
  const { versions } = moments;
  // Marks of one kind that fall on one pixel are one mark.
  const shapes = marksOf(log).filter((kind) => versions.has(kind)).map((kind) => {
    const places = new Set(versions.get(kind)?.map((version) => Math.round(place(version))));
    return s("g", { class: `mark-${kind}` }, [...places].map((x) => s("path", { d: markShape(kind, log), transform: `translate(${x} ${HEIGHT / 2})` })));
  });
  clear(svg).append(...shapes);
}

/**
 * What the marks mean, folded up; each leads to the next moment of its kind, and from the last one to the first.
 *
 * @param {Controller} controller
 * @param {{names: any, moments: Moments, log: import("../games/contract.js").GameLog}} options `names`: see `namesOf`; `log` is the game's.
 * @returns {{element: HTMLElement, update: () => void}}
 */
export function createMarksLegend(controller, { names, moments, log }) {
  const seek = (kind) => {
    const versions = moments.versions.get(kind) ?? [];
    controller.pause();
    controller.seek(versions.find((version) => version > controller.shown) ?? versions[0]);
  };
  const buttons = marksOf(log).map((kind) => {
    const text = t(names.key(`watch.mark.${names.byTurn(kind)}`));
    return h("button", { type: "button", dataset: { mark: kind }, title: t("watch.marks.next"), onclick: () => seek(kind) }, markIcon(kind, log), h("span", {}, text));
  });
  const list = h("ul", {}, buttons.map((button) => h("li", {}, button)));
  let lift = () => {};
  const toggled = () => {
    lift();
    if (element.open) {
      lift = layOver(() => (element.open = false));
    }
    update();
  };
  const element = h("details", { class: "legend", ontoggle: toggled }, h("summary", {}, t("watch.marks")), list);
  const update = () => {
    if (element.open && controller.ready) {
      const there = moments.versions;
      buttons.forEach((button) => (button.disabled = !there.has(button.dataset.mark ?? "")));
    }
  };
  return { element, update };
}

/** The parts of a table's page that are loaded later. */

import { h } from "../dom.js";
import { late } from "../late.js";
import { released } from "./pressing.js";

/** What is loaded when somebody wants it; `extras` once the board stands, `playing` for whoever may play. */
export const PARTS = {
  extras: () => late("watch/extras.js", () => import("./extras.js")),
  playing: () => late("watch/playing.js", () => import("./playing.js")),
  downloads: () => late("watch/downloads.js", () => import("./downloads.js")),
  pausing: () => late("play/pausing.js", () => import("../play/pausing.js")),
  lesson: () => late("lesson/panel.js", () => import("../lesson/panel.js")),
  help: () => late("watch/place-help.js", () => import("./place-help.js")),
  tour: () => late("tour/panel.js", () => import("../tour/panel.js")),
  knew: () => late("watch/knew.js", () => import("./knew.js")),
  whatIf: () => late("watch/what-if.js", () => import("./what-if.js")),
  seating: () => late("watch/seating.js", () => import("./seating.js")),
};

/**
 * How a part is loaded that nobody has asked for: it moves nothing that is being pressed.
 *
 * @param {keyof typeof PARTS} part
 */
export function calmly(part) {
  return async () => {
    const made = await PARTS[part]();
    await released();
    return made;
  };
}

/**
 * Let an element name in `data-coming` what is on its way to it: with nothing in it, all that comes by itself is there.
 *
 * @template T
 * @param {HTMLElement} element
 * @param {string} part
 * @param {() => Promise<T>} bring
 * @returns {Promise<T>}
 */
export async function marked(element, part, bring) {
  const names = () => (element.dataset.coming ?? "").split(" ").filter(Boolean);
  element.dataset.coming = [...names(), part].join(" ");
  try {
    return await bring();
  } finally {
    const left = names();
    left.splice(left.indexOf(part), 1);
    element.dataset.coming = left.join(" ");
  }
}

/** Where something will stand that is still to be loaded. */
export function placeholder() {
  return h("div", { hidden: true });
}

/** Where it is shown what a seat knew, once somebody asks. */

import { h } from "../dom.js";

/** @import { Controller } from "./controller.js" */

/**
 * An empty place; what fills it is loaded when it is wanted for the first time.
 *
 * @param {Controller} controller
 * @param {{load: (act: (made: any) => void) => void, book: import("../book.js").Book, names: any, log: any, stage: Element}} given
 * @returns {{element: HTMLElement, show: (seat: number) => void, update: () => void, stop: () => void}}
 */
export function createKnewPlace(controller, { load, ...given }) {
  const element = h("div", {});
  /** @type {import("./knew.js").Knew|null} */
  let panel = null;
  const show = (seat) =>
    load(({ Knew }) => {
      const made = panel ?? new Knew(controller, given);
      panel = made;
      element.append(made.element);
      made.show(seat);
    });
  return { element, show, update: () => panel?.update(), stop: () => panel?.stop() };
}

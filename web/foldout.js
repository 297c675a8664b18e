/** What a line of the head has no room for, behind a word: shown over the page until something of it is used. */

import { h } from "./dom.js";
import { layOver } from "./layers.js";

/**
 * A fold-out: one summary, and what it shows over the page.
 *
 * It closes with Escape, with a press elsewhere, and as soon as something in it has been done; the focus goes back to its
 * summary before that is done, so that a window which opens then leads back there. Switches of which one may want to change
 * several are within `data-unfolded`: they leave it open.
 *
 * @param {{name: string, label: string, sign: string|Element, content: any}} options `name` is its class; `sign` is what stands for the
 *   label where that has no room.
 * @returns {HTMLDetailsElement}
 */
export function foldout({ name, label, sign, content }) {
  const summary = h(
    "summary",
    { title: label },
    h("span", { class: "foldout-sign", "aria-hidden": "true" }, sign),
    h("span", { class: "foldout-label" }, label),
  );
  const element = h("details", { class: ["foldout", name] }, summary, h("div", { class: "foldout-body" }, content));
  let lift = () => {};
  const close = () => {
    if (element.open && element.contains(document.activeElement)) {
      summary.focus();
    }
    element.open = false;
    lift();
  };
  const elsewhere = (event) => {
    if (!element.contains(event.target)) {
      element.open = false;
    }
  };
  element.addEventListener("toggle", () => {
    document.removeEventListener("pointerdown", elsewhere);
    lift();
    if (element.open && element.isConnected) {
      document.addEventListener("pointerdown", elsewhere);
      lift = layOver(close);
    }
  });
  element.addEventListener("click", ({ target }) => target instanceof Element && target.closest("a, button") && close(), true);
  element.addEventListener("change", ({ target }) => target instanceof Element && target.closest("[data-unfolded]") === null && close(), true);
  element.addEventListener("keydown", (event) => event.key === "Escape" && close());
  return element;
}

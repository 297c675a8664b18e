/** The log where it has no room of its own: a drawer that comes over the table, until a moment has been chosen in it. */

import { h } from "../dom.js";
import { layOver } from "../layers.js";
import { t } from "../words.js";

/**
 * The drawer of a panel, and the button that opens it. Where the panel has its room, the style hides the button.
 *
 * @param {HTMLElement} page gets the class `drawer-open`.
 * @param {{panel: HTMLElement, sign: Element, onOpen: () => void}} options
 * @returns {HTMLButtonElement}
 */
export function createDrawer(page, { panel, sign, onOpen }) {
  const text = t("watch.log");
  const button = h(
    "button",
    { type: "button", class: "sign-button drawer-button", "aria-label": text, title: text, "aria-expanded": "false", dataset: { move: "log" }, onclick: () => show(!isOpen()) },
    sign,
  );
  let lift = () => {};
  const isOpen = () => page.classList.contains("drawer-open");
  const show = (open) => {
    page.classList.toggle("drawer-open", open);
    button.setAttribute("aria-expanded", String(open));
    lift();
    if (open) {
      lift = layOver(shut);
      onOpen();
    }
  };
  const shut = () => {
    if (isOpen()) {
      show(false);
      button.focus();
    }
  };
  // Who chooses a moment wants to see it, and on phones the drawer lies over all of the board.
  panel.addEventListener("click", ({ target, defaultPrevented }) => defaultPrevented && target instanceof Element && target.closest("a[href]") && shut());
  panel.addEventListener("keydown", (event) => event.key === "Escape" && shut());
  panel.querySelector("h2")?.append(h("button", { type: "button", class: "drawer-shut", onclick: shut }, t("watch.close")));
  return button;
}

/** The log where it has no room of its own: a drawer that comes over the table, until a moment has been chosen in it. */

import { lineBelow } from "../dialog.js";
import { h, present } from "../dom.js";
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
  const heading = panel.querySelector("h2");
  let lift = () => {};
  let line = /** @type {ReturnType<typeof lineBelow>} */ (null);
  const isOpen = () => page.classList.contains("drawer-open");
  const show = (open) => {
    page.classList.toggle("drawer-open", open);
    button.setAttribute("aria-expanded", String(open));
    lift();
    line?.stop();
    line?.element.remove();
    line = open ? lineBelow() : null; // of what lies below the drawer
    if (open) {
      heading?.after(...present([line?.element]));
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
  heading?.append(h("button", { type: "button", class: "drawer-shut", onclick: shut }, t("watch.close")));
  return button;
}

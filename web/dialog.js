/** Windows over the page: the browser's own dialog, which keeps the focus and closes with Escape. */

import { focusOn, h } from "./dom.js";
import { showOver } from "./layers.js";
import { t } from "./words.js";

/** Makes what stands below the title of each window; null: nothing does. @type {(() => {element: HTMLElement, stop: () => void})|null} */
let below = null;

/**
 * Have something stand below the title of each window that opens from now on.
 *
 * @param {() => {element: HTMLElement, stop: () => void}} make it; `stop` is called when the window closes.
 * @returns {() => void} from then on no longer.
 */
export function inHeads(make) {
  below = make;
  return () => {
    below = below === make ? null : below;
  };
}

/** What stands below the title of what opens now over the page and is none of the browser's windows; null: nothing does. */
export function lineBelow() {
  return below?.() ?? null;
}

/**
 * Open a window; it is gone when it closes.
 *
 * @param {{title: string, name: string, content: any, onClose?: () => void}} options `name` is for tests and style.
 * @returns {HTMLDialogElement}
 */
export function openDialog({ title, name, content, onClose }) {
  const heading = h("h2", { id: `dialog-${name}`, tabindex: "-1" }, title);
  const shut = h("button", { type: "button", class: "dialog-close", onclick: () => dialog.close() }, t("watch.close"));
  const line = lineBelow();
  const dialog = h(
    "dialog",
    { class: "watch-dialog", "aria-labelledby": heading.id, dataset: { dialog: name } },
    h("header", {}, heading, shut, line?.element),
    h("div", { class: "dialog-body" }, content),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    line?.stop();
    onClose?.();
    if (document.activeElement === document.body) {
      focusOn(document.querySelector("main h1"), { preventScroll: true }); // what opened it has gone meanwhile
    }
  });
  document.body.append(dialog);
  showOver(dialog);
  heading.focus();
  return dialog;
}

/** Close every window of the page. */
export function closeDialogs() {
  const open = /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll("dialog.watch-dialog[open]"));
  open.forEach((dialog) => dialog.close());
}

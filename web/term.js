/** Words that explain themselves: one press, and a window says what they mean. */

import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { t } from "./words.js";

/**
 * Show what something means.
 *
 * @param {{title: string, content: Node[], onClose?: () => void}} told
 */
export function showAbout(told) {
  openDialog({ ...told, name: "about" });
}

/**
 * The sign beside a text that names something: one press, and a window says what that is.
 *
 * @param {{title: string, content: Node[]}|null} told null: the text names nothing.
 * @param {{class?: string, tabindex?: string}} [props]
 * @returns {HTMLButtonElement|null}
 */
export function aboutSign(told, { class: kind = "", ...props } = {}) {
  if (told === null) {
    return null;
  }
  const text = t("watch.log.about", { what: told.title });
  return h("button", { type: "button", class: ["about-sign sign-button", kind], "aria-label": text, title: text, "aria-haspopup": "dialog", ...props, onclick: () => showAbout(told) }, "?");
}

/**
 * A word as a button that explains it.
 *
 * @param {string} id what it is and where it stands, in which it stands once.
 * @param {string} text
 * @param {() => Node[]} content what there is to know, made when it is asked for.
 * @param {string} title of the window.
 * @returns {HTMLButtonElement}
 */
export function term(id, text, content, title = text) {
  const key = `about-${id}`;
  // What stands beside the board may be drawn anew while one reads.
  const onClose = () => document.getElementById(key)?.focus();
  const open = () => showAbout({ title, content: content(), onClose });
  return h("button", { type: "button", id: key, class: "term", "aria-haspopup": "dialog", onclick: open }, text);
}

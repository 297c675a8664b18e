/** Words that explain themselves: one press, and a window says what they mean. */

import { openDialog } from "./dialog.js";
import { h } from "./dom.js";

/**
 * Show what something means.
 *
 * @param {{title: string, content: Node[], onClose?: () => void}} told
 */
export function showAbout(told) {
  openDialog({ ...told, name: "about" });
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

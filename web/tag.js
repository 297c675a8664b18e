/** Short remarks in a frame. */

import { h } from "./dom.js";

/**
 * A remark beside a name.
 *
 * @param {string} text
 * @param {string} more further classes: `b-tag-good`, `b-tag-bad`, `b-tag-you`, `b-tag-now`.
 * @returns {HTMLElement}
 */
export function tag(text, more = "") {
  return h("span", { class: ["b-tag", more] }, text);
}

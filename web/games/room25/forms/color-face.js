/** How an option shows that says a colour. */

import { h } from "../../../dom.js";
import { swatch } from "../board/supplies.js";

/**
 * A colour with its sign; its room is told only to those who do not see the heading above.
 *
 * @type {import("../../contract.js").GameForms["face"]}
 */
export function colorFace(decision, option, book, state) {
  if (decision.kind !== "claim_color") {
    return null;
  }
  const color = option.meaning?.color;
  return [
    h("span", { class: "b-unseen" }, book.option(decision, option, state)),
    h("span", { class: "p-color", "aria-hidden": "true" }, swatch(color), book.color(color)),
  ];
}

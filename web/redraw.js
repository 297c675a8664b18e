/** Brings a panel up to date that may be drawn anew by a press in it, and leaves the focus there. */

import { focusOn } from "./dom.js";
import { patch } from "./patch.js";

/**
 * Make the children of a panel those of a new drawing. If what had the focus is gone, the first control that there is has it
 * then: it must not fall back to the page, where whoever has no mouse would have to begin again.
 *
 * @param {Element} panel
 * @param {...any} children as for `patch`.
 */
export function redraw(panel, ...children) {
  const here = panel.contains(document.activeElement);
  patch(panel, children);
  if (here && !panel.contains(document.activeElement)) {
    focusOn(panel.querySelector("a, button, summary, select"));
  }
}

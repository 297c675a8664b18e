/** Brings panels and lists up to date that may be drawn anew by a press in them, and leaves the focus there. */

import { clear, focusOn } from "./dom.js";
import { patch } from "./patch.js";

const CONTROLS = "a, button, summary, input, select";

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
    focusOn(panel.querySelector(CONTROLS));
  }
}

/**
 * Draw the rows of a list anew. Whoever had the focus in one of them has it in the row that is in its place then: on the same
 * control, or on the row's first one where that is folded away.
 *
 * @param {Element} list
 * @param {Element[]} rows
 * @param {Element} rest has the focus where no row is left.
 */
export function relist(list, rows, rest) {
  const { activeElement: active } = document;
  const at = [...list.children].findIndex((row) => row.contains(active));
  const place = [...(list.children[at]?.querySelectorAll(CONTROLS) ?? [])].findIndex((control) => control === active);
  clear(list).append(...rows);
  if (at < 0) {
    return;
  }
  const controls = rows[Math.min(at, rows.length - 1)]?.querySelectorAll(CONTROLS) ?? [];
  focusOn(controls[place]);
  if (document.activeElement !== controls[place]) {
    focusOn(controls[0] ?? rest);
  }
}

/** The time that is left, wherever a card of a decision shows it. */

import { duration, t } from "../words.js";

/** Below this much time it is shown as urgent. */
const URGENT_MS = 15_000;

/** Bring every time that is left below an element up to date; `now` in milliseconds of the service's clock. */
export function showTimeLeft(element, now) {
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(".p-left"))) {
    const left = Number(node.dataset.due) - now;
    const text = left > 0 ? duration(left) : t("play.time_over");
    if (node.textContent !== text) {
      node.textContent = text;
    }
    node.classList.toggle("p-urgent", left < URGENT_MS);
  }
}

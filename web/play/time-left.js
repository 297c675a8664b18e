/** The time that is left, wherever a card of a decision shows it. */

import { h } from "../dom.js";
import { serverNow } from "../net/clock.js";
import { duration, t } from "../words.js";

/** Below this much time it is shown as urgent. */
const URGENT_MS = 15_000;

/**
 * The time that is left until a moment, as it is now.
 *
 * @param {number} due in milliseconds of the service's clock.
 */
export function timeLeft(due) {
  const now = serverNow();
  return h("b", { class: ["p-left", isUrgent(due, now) && "p-urgent"], role: "timer", dataset: { due: String(due) } }, wording(due, now));
}

/** Bring every time that is left below an element up to date; `now` in milliseconds of the service's clock. */
export function showTimeLeft(element, now) {
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(".p-left"))) {
    const due = Number(node.dataset.due);
    const text = wording(due, now);
    if (node.textContent !== text) {
      node.textContent = text;
    }
    node.classList.toggle("p-urgent", isUrgent(due, now));
  }
}

function wording(due, now) {
  return due > now ? duration(due - now) : t("play.time_over");
}

const isUrgent = (due, now) => due - now < URGENT_MS;

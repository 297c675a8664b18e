/** How long the reader has left to answer, in the heads of windows: they lie over the table's clock. */

import { inHeads } from "../dialog.js";
import { clear, h } from "../dom.js";
import { serverNow } from "../net/clock.js";
import { showTimeLeft, timeLeft } from "../play/time-left.js";
import { t } from "../words.js";

const TICK_MS = 250;

/**
 * Let windows say it as long as a table is on the page.
 *
 * @returns {{update: (due: number|null|undefined) => void, stop: () => void}} `due` is in milliseconds of the service's clock; null: nothing is asked of
 *   the reader now, or no time runs; undefined: nothing will be, so no room is kept.
 */
export function createDue() {
  let due = /** @type {number|null|undefined} */ (undefined);
  /** Those of the windows that are open. @type {Set<HTMLElement>} */
  const lines = new Set();
  // What is said comes and goes; its room stays, so that nothing below it moves.
  const draw = (line) => {
    line.hidden = due === undefined;
    clear(line);
    if (typeof due === "number") {
      line.append(t("play.time_left"), " ", timeLeft(due));
    }
  };
  const takeOut = inHeads(() => {
    const element = h("p", { class: "dialog-due" });
    const timer = setInterval(() => showTimeLeft(element, serverNow()), TICK_MS);
    lines.add(element);
    draw(element);
    const stop = () => {
      clearInterval(timer);
      lines.delete(element);
    };
    return { element, stop };
  });
  const update = (moment) => {
    if (moment !== due) {
      due = moment;
      lines.forEach(draw);
    }
  };
  return { update, stop: takeOut };
}

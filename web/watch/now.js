/** Who is asked, until when, and the way there: what stays in sight whatever is scrolled. */

import { h } from "../dom.js";
import { t } from "../words.js";

/** @import { Controller } from "./controller.js" */
/** @import { Playing } from "./playing.js" */

/**
 * The strip over what stands beside the board.
 *
 * @param {Controller} controller
 * @param {{clock: Element, playing: () => Playing|undefined}} options
 * @returns {{element: HTMLElement, update: () => void}}
 */
export function createNow(controller, { clock, playing }) {
  const who = h("p", { class: "now-who" });
  const go = h("button", { type: "button", class: "now-go", hidden: true, dataset: { move: "decide" }, onclick: () => playing()?.show() }, t("watch.decide"));
  const element = h("section", { class: "now", "aria-label": t("watch.now.label") }, who, go, clock);
  const update = () => {
    const asked = playing()?.asked ?? null;
    go.hidden = asked === null;
    const text = asked ?? stands(controller, playing());
    if (who.textContent !== text) {
      who.textContent = text;
    }
    element.classList.toggle("now-asked", asked !== null);
  };
  return { element, update };
}

/** What there is to say to whoever is asked nothing. */
function stands(controller, playing) {
  if (!controller.ready) {
    return "";
  }
  return playing?.waits ? t("play.wait_for_others") : t(`board.table.${controller.state.phase}`);
}

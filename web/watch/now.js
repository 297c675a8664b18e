/** Who is asked, until when, and the way there: what stays in sight whatever is scrolled. */

import { called } from "../called.js";
import { h } from "../dom.js";
import { patch } from "../patch.js";
import { listing, t, tn } from "../words.js";
import { createDue } from "./due.js";

/** @import { Controller } from "./controller.js" */
/** @import { Playing } from "./playing.js" */

/** So many names have room beside the clock; of more it is said how many they are. */
const FEW = 2;

/**
 * The strip over what stands beside the board.
 *
 * @param {Controller} controller
 * @param {{clock: Element, playing: () => Playing|undefined}} options
 * @returns {{element: HTMLElement, update: () => void, stop: () => void}}
 */
export function createNow(controller, { clock, playing }) {
  const who = h("p", { class: "now-who" });
  const go = h("button", { type: "button", class: "now-go", hidden: true, dataset: { move: "decide" }, onclick: () => playing()?.show() }, t("watch.decide"));
  const due = createDue();
  const element = h("section", { class: "now", "aria-label": t("watch.now.label") }, who, go, clock);
  const update = () => {
    const asked = playing()?.asked ?? null;
    go.hidden = asked === null;
    due.update(playing()?.seated ? playing()?.due : undefined);
    // Whom the game waits for is told after what has happened, and changes this text alone.
    controller.feed.onAwaited = update;
    const names = asked === null ? awaited(controller, playing()) : [];
    patch(who, names.length > 0 ? waiting(names) : (asked ?? stands(controller, playing())));
    who.title = names.length > 0 ? sentence(names) : "";
    element.classList.toggle("now-asked", asked !== null);
  };
  return { element, update, stop: due.stop };
}

/** What those are called for whom the game waits at present; nobody: that is not told, or something else is to be said. */
function awaited(controller, playing) {
  if (!controller.ready || !controller.following || !controller.live() || playing?.waits) {
    return [];
  }
  const { seats } = controller.state;
  return controller.feed.awaited.filter((seat) => seats[seat]).map((seat) => called(seat, seats[seat]));
}

const sentence = (names) => t("watch.now.waits", { names: listing(names) });

/** In a narrow strip names would leave no room for the clock: there it says how many they are. */
function waiting(names) {
  const count = tn("watch.now.waits_for", names.length);
  return [h("span", { class: "now-names" }, names.length > FEW ? count : sentence(names)), h("span", { class: "now-count" }, count)];
}

/** What there is to say to whoever is asked nothing. Where the past is shown, the game that ran then may be over. */
function stands(controller, playing) {
  if (!controller.ready) {
    return "";
  }
  if (!controller.live() && controller.state.phase === "live") {
    return t("watch.now.past");
  }
  return playing?.waits ? t("play.wait_for_others") : t(`board.table.${controller.state.phase}`);
}

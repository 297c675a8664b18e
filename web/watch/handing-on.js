/** Where the focus goes once a panel has gone with the seats or the game that it was for: to what has come in its place. */

import { focusOn, focusedElement } from "../dom.js";
import { HEADING } from "../play/focus.js";

/** What one goes on with, the best first: how it ended, what is asked, and what stands above all. */
const NEXT = [".result-told > [tabindex]", `#${HEADING}`, "h1"];

/**
 * Draw what has changed. Whoever was in a panel that has gone by it is led on; nobody else's focus is moved.
 *
 * @param {HTMLElement} page
 * @param {() => void} draw
 */
export function handOn(page, draw) {
  const before = focusedElement();
  // The stage sees to its own.
  const here = before !== null && page.contains(before) && before.closest(".stage") === null;
  draw();
  // Of what is only hidden a browser takes the focus later, or never. (To ask it whether that is seen would have it lay the page out.)
  if (here && (!before.isConnected || before.closest("[hidden]") !== null)) {
    const shown = [...page.querySelectorAll(NEXT.join())].filter((each) => each.checkVisibility());
    focusOn(NEXT.map((kind) => shown.find((each) => each.matches(kind))).find(Boolean), { preventScroll: true });
  }
}

/** The strip that says that a command is being sent again, over whatever is on the page. What tells so beside itself is not in it. */

import { focusedElement, focusOn, h } from "./dom.js";
import { giveAllUp, onAgain } from "./net/again.js";
import { t } from "./words.js";

/** @type {HTMLElement|null} */
let strip = null;

/** From now on tell of commands that wait. */
export function tellAgain() {
  let before = focusedElement();
  onAgain((count) => {
    if (count === 0) {
      const left = strip?.contains(focusedElement());
      strip?.remove();
      strip = null;
      left && focusOn(before);
    } else if (strip === null) {
      before = focusedElement();
      strip = h("div", { class: "again", role: "alert", popover: "manual" }, h("p", {}, t("again.text")), h("button", { type: "button", onclick: giveAllUp }, t("again.stop")));
      place();
    }
  });
  // Neither bubbles. A window that closes is taken off the page after this.
  document.addEventListener("close", follow, true);
  document.addEventListener("toggle", follow, true);
}

function follow({ target }) {
  target instanceof HTMLDialogElement && place();
}

/** Into the window that lies over all others, because nothing outside of it can be pressed; a popover is seen over it, too. */
function place() {
  const home = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
  if (strip !== null && strip.parentNode !== home) {
    home.append(strip);
    strip.showPopover?.();
  }
}

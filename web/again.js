/** The strip that says that a command is being sent again, over whatever is on the page. What tells so beside itself is not in it. */

import { focusedElement, focusOn, h } from "./dom.js";
import { giveAllUp, onAgain } from "./net/again.js";
import { t } from "./words.js";

/** From now on tell of commands that wait. */
export function tellAgain() {
  /** @type {HTMLElement|null} */
  let strip = null;
  let before = focusedElement();
  onAgain((count) => {
    if (count === 0) {
      const left = strip?.contains(focusedElement());
      strip?.remove();
      strip = null;
      left && focusOn(before);
    } else if (strip === null) {
      before = focusedElement();
      // A popover lies over windows that are open, too.
      strip = h("div", { class: "again", role: "alert", popover: "manual" }, h("p", {}, t("again.text")), h("button", { type: "button", onclick: giveAllUp }, t("again.stop")));
      (document.querySelector("dialog[open]") ?? document.body).append(strip);
      strip.showPopover?.();
    }
  });
}

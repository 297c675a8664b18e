/** Where the focus was in a panel that is drawn anew, and where it goes. */

import { focusedElement } from "../dom.js";

/** The id of the panel's heading, which has the focus once nothing is asked any more. */
export const HEADING = "play-heading";

/** The id of what has the focus in an element; null: nothing there. */
export function focusedIn(element) {
  const active = focusedElement();
  return active?.id && element.contains(active) ? active.id : null;
}

/** The same control, or, where it has gone, the first decision, or else the panel's heading: the focus must not fall back to the page. */
export function refocus(element, id) {
  if (id === null) {
    return;
  }
  const control = document.getElementById(id);
  const target = control && element.contains(control) && !control.matches(":disabled") ? control : firstHeading(element);
  if (target === document.activeElement) {
    return;
  }
  target?.focus({ preventScroll: true });
  if (target instanceof HTMLInputElement && target.type === "search") {
    target.setSelectionRange(target.value.length, target.value.length);
  }
}

/** What one may always do is folded away, and its headings take no focus. */
function firstHeading(element) {
  return [...element.querySelectorAll("h3")].find((each) => each.checkVisibility()) ?? document.getElementById(HEADING);
}

/** What has the focus comes into sight, after its user has changed what stands around it. */
export function keepInSight(element) {
  const active = focusedElement();
  if (active && element.contains(active)) {
    active.scrollIntoView({ block: "nearest" });
  }
}

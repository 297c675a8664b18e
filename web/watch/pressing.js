/** Whether something on the page is being pressed: what would move it waits until it is let go, or the press would be lost. */

/** So long the click of a finger or a pen may take to come after it has left the screen; after a long press none comes. */
const TAP_MS = 350;
/** What can be pressed. */
const CONTROLS = "button, select, summary, a, label";

let pressed = false;
/** What the last press began on, until its click has been heard. @type {Element|null} */
let begun = null;
/** @type {ReturnType<typeof setTimeout>|undefined} */
let late = undefined;
/** @type {Set<() => void>} */
const waiting = new Set();

function press({ target }) {
  clearTimeout(late);
  pressed = true;
  begun = target instanceof Element ? target : null;
}

function release() {
  clearTimeout(late);
  if (pressed) {
    pressed = false;
    // The click comes after this event, and before anything that is planned now.
    setTimeout(() => {
      waiting.forEach((go) => go());
      waiting.clear();
    });
  }
}

/** Of a mouse the click comes at once; of a finger it is another event, and whatever lies there by then hears it. */
function lift({ pointerType }) {
  clearTimeout(late);
  pointerType === "mouse" ? release() : (late = setTimeout(release, TAP_MS));
}

function click({ detail }) {
  if (detail > 0) { // no key has done it
    release();
    setTimeout(() => (begun = null));
  }
}

addEventListener("pointerdown", press, { capture: true });
addEventListener("pointerup", lift, { capture: true });
addEventListener("pointercancel", release, { capture: true });
addEventListener("click", click, { capture: true });
// What is let go elsewhere is not heard of.
addEventListener("pointermove", ({ buttons, pointerType }) => buttons === 0 && pointerType === "mouse" && release(), { capture: true });

/** Wait until nothing is pressed. */
export async function released() {
  while (pressed) {
    await new Promise((go) => waiting.add(() => go(undefined)));
  }
}

/** Do something at once, or as soon as nothing is pressed. @param {() => void} act */
export function calmed(act) {
  pressed ? released().then(act) : act();
}

/**
 * Let a part of the page hear no click of a press that began elsewhere: outside of it, or at something in it that has been exchanged since.
 *
 * @param {Element} element
 */
export function refuseStrayed(element) {
  const strayed = (target) => begun !== null && !(element.contains(begun) && [null, target.closest(CONTROLS)].includes(begun.closest(CONTROLS)));
  element.addEventListener("click", (event) => {
    if (event instanceof UIEvent && event.detail > 0 && strayed(event.target)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }, { capture: true });
}

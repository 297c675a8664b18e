/** Whether something on the page is being pressed: what would move it waits until it is let go, or the press would be lost. */

let pressed = false;
/** @type {Set<() => void>} */
const waiting = new Set();

function release() {
  if (pressed) {
    pressed = false;
    // The click comes after this event, and before anything that is planned now.
    setTimeout(() => {
      waiting.forEach((go) => go());
      waiting.clear();
    });
  }
}

addEventListener("pointerdown", () => (pressed = true), { capture: true });
addEventListener("pointerup", release, { capture: true });
addEventListener("pointercancel", release, { capture: true });
// What is let go elsewhere is not heard of.
addEventListener("pointermove", ({ buttons }) => buttons === 0 && release(), { capture: true });

/** Wait until nothing is pressed. */
export async function released() {
  while (pressed) {
    await new Promise((go) => waiting.add(() => go(undefined)));
  }
}

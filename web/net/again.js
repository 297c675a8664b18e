/** Commands that the service has not taken and the page gives again: whoever shows the page hears of them, and may let them be. */

/** How each that waits now is given up. @type {Set<() => void>} */
const waiting = new Set();
let tell = (/** @type {number} */ _count) => {};

/**
 * Hear how many commands wait, whenever that changes.
 *
 * @param {(count: number) => void} listener the only one.
 */
export function onAgain(listener) {
  tell = listener;
}

/**
 * A command waits from now on.
 *
 * @param {() => void} giveUp ends it.
 * @returns {() => void} it waits no more.
 */
export function waits(giveUp) {
  waiting.add(giveUp);
  tell(waiting.size);
  return () => {
    waiting.delete(giveUp);
    tell(waiting.size);
  };
}

/** Send none of them any more. What is on its way may arrive all the same. */
export function giveAllUp() {
  [...waiting].forEach((giveUp) => giveUp());
}

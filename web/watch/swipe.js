/** Steps by a finger: to the left is on, to the right is back. */

/** How far a finger goes at least, and how far it may stray, in pixels. */
const FAR = 48;
const STRAY = 40;

/**
 * Let one swipe over an element; up and down it scrolls as ever.
 *
 * @param {HTMLElement} element
 * @param {(direction: 1|-1) => void} onSwipe
 */
export function listenToSwipes(element, onSwipe) {
  /** @type {{x: number, y: number}|null} where the finger was put down */
  let from = null;
  /** @param {TouchEvent} event */
  const end = ({ changedTouches: [touch] }) => {
    const [right, down] = from === null ? [0, 0] : [touch.clientX - from.x, touch.clientY - from.y];
    from = null;
    if (Math.abs(right) >= FAR && Math.abs(down) <= STRAY) {
      onSwipe(right < 0 ? 1 : -1);
    }
  };
  const cancel = () => (from = null);
  element.addEventListener("touchstart", ({ touches }) => {
    from = touches.length === 1 ? { x: touches[0].clientX, y: touches[0].clientY } : null;
    // What was touched may be drawn anew before the finger goes: it hears of that all the same, and what held it does not.
    const target = /** @type {HTMLElement} */ (touches[0].target);
    target.addEventListener("touchend", end, { once: true });
    target.addEventListener("touchcancel", cancel, { once: true });
  }, { passive: true });
}

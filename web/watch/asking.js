/** Asking what something is: by the context menu, by a long press, or by `?` on what has the focus or lies under the pointer. */

import { isFree } from "./keys.js";

/** A finger that rests for so long asks. */
const LONG_MS = 500;
/** And so far it may tremble, in pixels. */
const STILL = 10;

/** What an element is about; null: nobody can say. */
function aboutOf(node) {
  return node instanceof Element ? (node.closest("[data-about]")?.getAttribute("data-about") ?? null) : null;
}

/** What a key asks about: what has the focus, or else what lies under the pointer. */
function asked(root, focused) {
  const inside = focused instanceof Node && root.contains(focused) ? aboutOf(focused) : null;
  return inside ?? aboutOf([...root.querySelectorAll("[data-about]:hover")].at(-1));
}

/**
 * Listen to questions about whatever has a `data-about`.
 *
 * @param {HTMLElement} root
 * @param {(target: string) => void} ask
 * @returns {() => void} listen no more.
 */
export function listenToQuestions(root, ask) {
  const listening = new AbortController();
  const { signal } = listening;
  let press = /** @type {{timer: number, x: number, y: number}|null} */ (null);
  let answered = false;
  const lift = () => {
    clearTimeout(press?.timer);
    press = null;
  };
  addEventListener("pointerdown", () => (answered = false), { signal, capture: true });
  root.addEventListener("pointerdown", (event) => {
    const about = aboutOf(event.target);
    lift();
    if (about !== null && event.pointerType !== "mouse" && event.isPrimary) {
      const timer = window.setTimeout(() => {
        answered = true;
        ask(about);
      }, LONG_MS);
      press = { timer, x: event.clientX, y: event.clientY };
    }
  }, { signal });
  addEventListener("pointermove", (event) => press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > STILL && lift(), { signal });
  addEventListener("pointerup", lift, { signal });
  addEventListener("pointercancel", lift, { signal });
  root.addEventListener("contextmenu", (event) => {
    const about = aboutOf(event.target);
    if (about !== null) {
      event.preventDefault();
      lift();
      if (!answered) {
        ask(about);
      }
      answered = true;
    }
  }, { signal });
  // What a long press met was asked about, and not chosen; and where the finger is lifted, a window lies now.
  addEventListener("click", (event) => {
    if (answered && event.detail > 0) {
      event.preventDefault();
      event.stopPropagation();
    }
    answered = false;
  }, { signal, capture: true });
  document.addEventListener("keydown", (event) => {
    const about = event.key === "?" && isFree(event) ? asked(root, event.target) : null;
    if (about !== null) {
      event.preventDefault();
      ask(about);
    }
  }, { signal });
  return () => {
    lift();
    listening.abort();
  };
}

/** The table's clock: what is left until the deadline, by the service's time, or what was left at an earlier moment. */

import { h } from "../dom.js";
import { serverNow } from "../net/clock.js";
import { drawPictogram, ink, path, ring } from "../pictogram.js";
import { duration, t } from "../words.js";

const CLOCK = [ring(24, 24, 19), path("M24 12v12l8 6")];
const PAUSE = [ink("M12 8h9v32h-9zM27 8h9v32h-9z")];

const TICK_MS = 250;
const URGENT_MS = 15_000;

/**
 * The clock strip.
 *
 * @returns {{element: HTMLElement, update: (state: Object, now?: {live?: boolean, at?: number}) => void, destroy: () => void}}
 *   `live` counts down; otherwise `at` is the time of the moment on show, in milliseconds since 1970.
 */
export function createClock() {
  const text = h("span", { class: "b-clock-text" });
  const fill = h("span", { class: "b-clock-fill" });
  const [clock, pause] = [drawPictogram(CLOCK, { size: 20 }), drawPictogram(PAUSE, { size: 20 })];
  const element = h(
    "div",
    { class: "b-clock", role: "timer", "aria-live": "off" },
    clock,
    pause,
    text,
    h("span", { class: "b-clock-bar", "aria-hidden": "true" }, fill),
  );
  /** @type {{state: any, live: boolean, at: number|null}} */
  let now = { state: null, live: false, at: null };

  function show() {
    const { state, live, at } = now;
    const running = state?.clock ?? null;
    const pausedAt = state?.paused_at ?? null;
    const moment = pausedAt ?? (live ? serverNow() : at);
    const left = running === null || moment === null ? null : running.due - moment;
    element.hidden = state?.phase === "finished";
    element.classList.toggle("b-idle", left === null);
    element.classList.toggle("b-paused", pausedAt !== null);
    element.classList.toggle("b-urgent", left !== null && pausedAt === null && left < URGENT_MS);
    clock.classList.toggle("b-away", pausedAt !== null);
    pause.classList.toggle("b-away", pausedAt === null);
    say(text, wording(left, pausedAt !== null, live));
    const whole = running === null ? 1 : Math.max(1, running.due - running.since);
    fill.style.setProperty(
      "transform",
      `scaleX(${left === null ? 0 : Math.min(1, Math.max(0, left / whole)).toFixed(3)})`,
    );
  }

  const timer = setInterval(() => now.live && show(), TICK_MS);
  return {
    element,
    update(state, { live = false, at = null } = {}) {
      now = { state, live, at };
      show();
    },
    destroy() {
      clearInterval(timer);
      element.remove();
    },
  };
}

function wording(left, paused, live) {
  if (paused) {
    return left === null ? t("board.clock.paused") : t("board.clock.paused_with", { time: duration(left) });
  }
  if (left === null) {
    return t("board.clock.none");
  }
  const key = left <= 0 ? "board.clock.over" : live ? "board.clock.left" : "board.clock.was_left";
  return t(key, { time: duration(left) });
}

function say(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

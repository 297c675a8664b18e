/** The signs of the transport bar and the marks of the scrubber, drawn in a square of 16 units. */

import { h, s } from "../dom.js";
import { t } from "../words.js";

const SHAPES = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  "turn-back": "M8 3v10L2 8zM14 3v10L8 8z",
  back: "M12 3v10L4 8z",
  play: "M4 2l10 6-10 6z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  step: "M4 3v10l8-5z",
  "turn-on": "M8 3v10l6-5zM2 3v10l6-5z",
  last: "M11 3h2v10h-2zM3 3v10l7-5z",
  table: "M2 2h12v12H2zM4 4v2h3V4zm5 0v2h3V4zM4 8v4h3V8zm5 0v4h3V8z",
  motion: "M1 5h6v2H1zM3 9h4v2H3zM9 3l6 5-6 5z",
  sound: "M1 6h3l4-4v12l-4-4H1zM10 5l1-1a6 6 0 0 1 0 8l-1-1a4.5 4.5 0 0 0 0-6zM12.5 2.5l1-1a9 9 0 0 1 0 13l-1-1a7.5 7.5 0 0 0 0-11z",
  link: "M6.5 4H4a4 4 0 0 0 0 8h2.5v-2H4a2 2 0 0 1 0-4h2.5zM9.5 4H12a4 4 0 0 1 0 8H9.5v-2H12a2 2 0 0 0 0-4H9.5zM5 7h6v2H5z",
  log: "M2 2h12v2H2zM2 7h12v2H2zM2 12h8v2H2z",
  save: "M7 1h2v6h3l-4 4.5L4 7h3zM2 12h12v2H2z",
};

const MARK_SHAPES = {
  turn: "M-1-7h2v14h-2z",
  timeout: "M-4-4h8l-4 8z",
  ruling: "M-3-5h2v10h-2zM1-5h2v10h-2z",
  turning: "M1-7l-5 8h3l-1 6 6-9h-3.5z",
  end: "M-4-4h8v8h-8z",
};

/** A sign of the transport bar; buttons name themselves, so it is no text. */
export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" }, s("path", { d: SHAPES[name] }));
}

/** The outline of a mark of every table or of a game's log, round (0, 0), as the data of a path. */
export function markShape(kind, log) {
  return MARK_SHAPES[kind] ?? log.markShapes[kind];
}

/** A mark for the legend. */
export function markIcon(kind, log) {
  return s(
    "svg",
    { class: `mark mark-${kind}`, viewBox: "-8 -8 16 16", "aria-hidden": "true", focusable: "false" },
    s("path", { d: markShape(kind, log) }),
  );
}

/** A button that is a sign; what it does is said where one points at it, and to screen readers. */
export function signButton(name, key, sign, act) {
  return h("button", { type: "button", class: "sign-button", "aria-label": t(key), title: t(key), dataset: { move: name }, onclick: act }, sign);
}

/** Little drawings, 48 by 48, made of parts. Lines take the text's colour; what is `ink` is filled with it. */

import { s } from "./dom.js";

/** @typedef {[string, Object<string, unknown>]} PicturePart an element's name and attributes. */

/**
 * A point.
 *
 * @returns {PicturePart}
 */
export const dot = (x, y, r = 2.6) => ["circle", { cx: x, cy: y, r, class: "b-ink" }];
/**
 * A line.
 *
 * @returns {PicturePart}
 */
export const path = (d) => ["path", { d }];
/**
 * A filled outline.
 *
 * @returns {PicturePart}
 */
export const ink = (d) => ["path", { d, class: "b-ink" }];
/**
 * A circle.
 *
 * @returns {PicturePart}
 */
export const ring = (x, y, r) => ["circle", { cx: x, cy: y, r }];
/**
 * A rectangle with round corners.
 *
 * @returns {PicturePart}
 */
export const box = (x, y, width, height, rx = 2) => ["rect", { x, y, width, height, rx }];

/**
 * Where a drawing goes, in the units of what it goes into.
 *
 * @typedef {{x?: number, y?: number, size?: number, class?: string}} Place
 */

/**
 * A pictogram as a nested drawing, hidden from screen readers: what it means is always said in words beside it.
 *
 * @param {PicturePart[]} parts
 * @param {Place} place
 * @returns {SVGElement}
 */
export function drawPictogram(parts, { x = 0, y = 0, size = 48, class: more = "" } = {}) {
  const lines = parts.map(([tag, attrs]) => s(/** @type {keyof SVGElementTagNameMap} */ (tag), attrs));
  return s(
    "svg",
    { x, y, width: size, height: size, viewBox: "0 0 48 48", class: `b-pictogram ${more}`, "aria-hidden": "true" },
    lines,
  );
}

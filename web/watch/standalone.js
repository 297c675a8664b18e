/** A drawing of the page as a file of its own: what style sheets say of it is written into it. */

/** What is drawn of an element depends on these. */
const PAINTED = [
  ...["fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin"],
  ...["opacity", "display", "visibility", "color", "stop-color", "stop-opacity", "paint-order", "vector-effect", "clip-path", "mask", "filter", "mix-blend-mode"],
  ...["transform", "transform-origin", "transform-box", "font-family", "font-size", "font-weight", "font-style", "letter-spacing", "text-anchor", "text-transform", "dominant-baseline"],
];

/**
 * The text of an SVG that needs no style sheet, as large as `side` in both ways at most.
 *
 * @param {SVGSVGElement} drawing it is in the document.
 * @param {number} side pixels.
 * @returns {string}
 */
export function standalone(drawing, side) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  const copies = [copy, ...copy.querySelectorAll("*")];
  [drawing, ...drawing.querySelectorAll("*")].forEach((element, index) => {
    const style = getComputedStyle(element);
    const written = /** @type {SVGElement} */ (copies[index]);
    PAINTED.forEach((name) => written.style.setProperty(name, style.getPropertyValue(name)));
  });
  const { width, height } = drawing.viewBox.baseVal;
  const scale = side / Math.max(width, height);
  copy.setAttribute("width", String(width * scale));
  copy.setAttribute("height", String(height * scale));
  return new XMLSerializer().serializeToString(copy);
}

/** Makes elements. Text is text: nothing here, nor anywhere in the page, parses markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element.
 *
 * @param {string} tag its name.
 * @param {Object<string, unknown>} props `on…` are listeners ("onclick"), `class` a string or a list, `dataset` an
 *   object; true, false and null mean present, absent and absent; anything else is an attribute.
 * @param {...(Node|string|number|null|false|Array)} children nulls and false are left out.
 * @returns {HTMLElement}
 */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/**
 * An SVG element; arguments as for `h`.
 *
 * @returns {SVGElement}
 */
export function s(tag, attrs = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attrs, children);
}

/** Take everything out of a node; gives the node. */
export function clear(node) {
  node.replaceChildren();
  return node;
}

/** Let screen readers say something when they have a moment. */
export function announce(text) {
  const region = document.getElementById("live");
  if (region) {
    region.textContent = text;
  }
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    set(element, name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) {
    return;
  }
  if (name.startsWith("on")) {
    element.addEventListener(name.slice(2), value);
  } else if (name === "dataset") {
    Object.assign(element.dataset, value);
  } else if (name === "class") {
    element.setAttribute("class", Array.isArray(value) ? value.filter(Boolean).join(" ") : value);
  } else {
    element.setAttribute(name, value === true ? "" : value);
  }
}

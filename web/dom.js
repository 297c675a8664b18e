/** Makes elements. Text is text: nothing here, nor anywhere in the page, parses markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag its name.
 * @param {Object<string, unknown>} props `on…` are listeners ("onclick"), `class` a string or a list, `dataset` an
 *   object; true, false and null mean present, absent and absent; anything else is an attribute.
 * @param {...any} children nodes, texts and numbers, also in lists; nulls and false are left out.
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/**
 * An SVG element; arguments as for `h`.
 *
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Object<string, unknown>} attrs
 * @param {...any} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function s(tag, attrs = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attrs, children);
}

/**
 * Take everything out of a node; gives the node.
 *
 * @template {Element} T
 * @param {T} node
 */
export function clear(node) {
  node.replaceChildren();
  return node;
}

/**
 * What of a list is there: without nulls, false and empty texts.
 *
 * @template T
 * @param {Array<T|null|undefined|false|"">} list
 * @returns {T[]}
 */
export function present(list) {
  return /** @type {T[]} */ (list.filter(Boolean));
}

/** Move the focus, where there is somewhere to move it to. */
export function focusOn(element) {
  if (element instanceof HTMLElement) {
    element.focus();
  }
}

/** The element that has the focus, or null. */
export function focusedElement() {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement ? activeElement : null;
}

/** Let screen readers say something when they have a moment. */
export function announce(text) {
  const region = document.getElementById("live");
  if (region) {
    region.textContent = text;
  }
}

/**
 * @template {Element} T
 * @param {T} element
 * @returns {T}
 */
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

/** Makes elements. Text is text: nothing here, nor anywhere in the page, parses markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * What elements that were made here listen to, by type of event. An element has one listener of each type.
 *
 * @type {WeakMap<Element, Map<string, (event: any) => unknown>>}
 */
const LISTENERS = new WeakMap();

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

/**
 * The children that `h` is given, as one list: without nulls, undefined and false.
 *
 * @param {any[]} children
 * @returns {Array<Node|string|number>}
 */
export function flattened(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/**
 * Let an element listen to what another one listens to, and to nothing else; the other listens no more. That holds for
 * listeners given to `h` and `s`, and for no others.
 *
 * @param {Element} element
 * @param {Element} from
 */
export function takeListeners(element, from) {
  const taken = LISTENERS.get(from);
  LISTENERS.delete(from);
  if (taken === undefined) {
    LISTENERS.delete(element);
    return;
  }
  LISTENERS.set(element, taken);
  taken.forEach((_, type) => element.addEventListener(type, dispatch));
}

/** Move the focus, where there is somewhere to move it to. @param {Element|null|undefined} element @param {FocusOptions} [options] */
export function focusOn(element, options) {
  if (element instanceof HTMLElement || element instanceof SVGElement) {
    element.focus(options);
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
  element.append(.../** @type {any[]} */ (flattened(children)));
  return element;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) {
    return;
  }
  if (name.startsWith("on")) {
    listen(element, name.slice(2), value);
  } else if (name === "dataset") {
    Object.assign(element.dataset, value);
  } else if (name === "class") {
    element.setAttribute("class", Array.isArray(value) ? value.filter(Boolean).join(" ") : value);
  } else {
    element.setAttribute(name, value === true ? "" : value);
  }
}

function listen(element, type, listener) {
  const listeners = LISTENERS.get(element) ?? new Map();
  LISTENERS.set(element, listeners.set(type, listener));
  element.addEventListener(type, dispatch);
}

/** Call the listener that an element has now: it may be another one than when the element was made. */
function dispatch(event) {
  LISTENERS.get(event.currentTarget)?.get(event.type)?.(event);
}

/**
 * Brings what is on the page up to date with a new drawing of it, and touches nothing else.
 *
 * Who draws makes all nodes anew with `h` and `s`. Each node that is on the page already, by its key, stays there and takes
 * from its successor what has changed; only what is really new comes in, and only what is really gone goes. So a button
 * that changes under a pressed finger is still pressed, and focus, selections, scrolled places and running animations stay.
 *
 * - A key is what tells a node from its siblings: its id, one of the data in `NAMES`, the address of a link, the text of a button,
 *   and else its tag, the first of its classes and its place among those of the same kind. So a press that began on one
 *   choice never ends on another one.
 * - Attributes follow the drawing where the drawing has changed. What others have set meanwhile stays: the class of
 *   a mark, a `disabled` while a request is on its way, or the `open` of a `details` whose reader was quicker than its event.
 * - What is in a field follows the drawing at once, as whoever draws has heard of every input by then; where both say the same,
 *   it is not touched, and the caret stays. A field that is drawn without a value is left to its user.
 * - Texts and children are those of the drawing.
 * - Listeners are exchanged, if they were given to `h` or `s` (`takeListeners`). They find what is on the page by their
 *   event, and not by a variable: the nodes of a drawing may never get there.
 */

import { flattened, takeListeners } from "./dom.js";

/** The data by which an element may be known among its siblings; the first counts that it has. */
const NAMES = ["decision", "option", "shortcut", "action", "key", "seat", "cell", "character", "card", "banner"].map((name) => `data-${name}`);

/** The types of fields that are ticked and not filled in. */
const TICKED = new Set(["checkbox", "radio"]);

/** The attributes that elements were drawn with last: those of a drawing, which nobody touches any more, or a list. @type {WeakMap<Element, Element|Map<string, string>>} */
const DRAWN = new WeakMap();

/**
 * Make the children of an element those of a new drawing.
 *
 * @param {Element} parent
 * @param {...any} children as for `h`. A node that is a child of `parent` already stays as it is.
 */
export function patch(parent, ...children) {
  const nodes = flattened(children).map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
  patchChildren(parent, nodes);
}

/**
 * Make an element what a new drawing of it is, children and all.
 *
 * @param {Element} element
 * @param {Element} drawing with the same tag; it is of no use afterwards.
 */
export function patchElement(element, drawing) {
  // Most of what is drawn anew is as it was, which a browser sees at once.
  if (element.isEqualNode(drawing)) {
    patchEqual(element, drawing);
    return;
  }
  patchAttributes(element, drawing);
  takeListeners(element, drawing);
  patchChildren(element, [...drawing.childNodes]);
  patchEntry(element, drawing);
}

/** What no element shows, of two subtrees that are equal: their keys are too, so each element is drawn as the one in its place. */
function patchEqual(element, drawing) {
  const drawn = [drawing, ...drawing.querySelectorAll("*")];
  [element, ...element.querySelectorAll("*")].forEach((each, i) => {
    DRAWN.set(each, drawn[i]);
    takeListeners(each, drawn[i]);
    patchEntry(each, drawn[i]);
  });
}

/** @param {Element} parent @param {Node[]} drawing */
function patchChildren(parent, drawing) {
  const before = [...parent.childNodes];
  const [keysBefore, keys] = [keysOf(before), keysOf(drawing)];
  const drawn = new Set(drawing);
  const same = new Set(before.filter((node) => drawn.has(node)));
  const known = new Map(before.map((node, i) => /** @type {const} */ ([keysBefore[i], node])).filter(([, node]) => !same.has(node)));
  const next = drawing.map((node, i) => {
    if (same.has(/** @type {ChildNode} */ (node))) {
      return node;
    }
    const old = known.get(keys[i]);
    if (old === undefined) {
      remember(node);
      return node;
    }
    update(old, node);
    return old;
  });
  arrange(parent, before, next);
}

/** @param {Node} old @param {Node} drawn of the same kind. */
function update(old, drawn) {
  if (old instanceof Element) {
    patchElement(old, /** @type {Element} */ (drawn));
  } else if (old.nodeValue !== drawn.nodeValue) {
    old.nodeValue = drawn.nodeValue;
  }
}

/** Put children where they belong, and move as few of those that are there already as can be. */
function arrange(parent, before, next) {
  if (before.length === next.length && before.every((node, i) => node === next[i])) {
    return;
  }
  const wanted = new Set(next);
  before.filter((node) => !wanted.has(node)).forEach((node) => node.remove());
  const staying = stayingOf(before, next);
  let follower = null;
  for (const node of next.toReversed()) {
    if (!staying.has(node)) {
      parent.insertBefore(node, follower);
    }
    follower = node;
  }
}

/** The children that need not be moved: the most that stand in order, and in any case what is pressed or has the focus. */
function stayingOf(before, next) {
  const places = new Map(before.map((node, i) => [node, i]));
  const old = next.filter((node) => places.has(node));
  const held = old.find(isPressed) ?? old.find((node) => node.contains(document.activeElement));
  const at = old.indexOf(held);
  const fitting = held === undefined ? old : old.filter((node, i) => i === at || i < at === places.get(node) < places.get(held));
  return new Set(longestRun(fitting, (node) => places.get(node)));
}

const isPressed = (node) => node instanceof Element && node.matches(":active");

/**
 * The longest part of a list, with gaps, whose places rise.
 *
 * @template T
 * @param {T[]} list
 * @param {(item: T) => number} placeOf no two have the same.
 * @returns {T[]}
 */
function longestRun(list, placeOf) {
  /** The item with the lowest place at which a run of each length ends; the first is that of length 1. @type {T[]} */
  const ends = [];
  /** What comes before each item in its run. @type {Map<T, T|undefined>} */
  const previous = new Map();
  for (const item of list) {
    const last = ends.at(-1);
    const rises = last === undefined || placeOf(last) < placeOf(item);
    const at = rises ? ends.length : ends.findIndex((end) => placeOf(end) > placeOf(item));
    ends[at] = item;
    previous.set(item, ends[at - 1]);
  }
  const run = [];
  for (let item = ends.at(-1); item !== undefined; item = previous.get(item)) {
    run.push(item);
  }
  return run;
}

/** What tells each of some siblings from the others. */
function keysOf(nodes) {
  const counts = new Map();
  return nodes.map((node) => {
    const kind = kindOf(node);
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    return `${kind} ${count}`;
  });
}

function kindOf(node) {
  if (!(node instanceof HTMLElement || node instanceof SVGElement)) {
    return node.nodeName;
  }
  const { nodeName, id } = node;
  const name = id ? "id" : NAMES.find((each) => node.hasAttribute(each));
  if (name !== undefined) {
    return `${nodeName} ${name} ${node.getAttribute(name)}`;
  }
  return `${nodeName} ${node.classList[0] ?? ""} ${meaningOf(node)}`;
}

/** What a press on it means, where nothing else says so. */
function meaningOf(node) {
  if (node instanceof HTMLButtonElement) {
    return node.textContent;
  }
  return node.getAttribute("href") ?? "";
}

/** Keep what the elements of a new subtree were drawn with: they are on the page themselves from now on. */
function remember(node) {
  if (node instanceof Element) {
    [node, ...node.querySelectorAll("*")].forEach((each) => DRAWN.set(each, new Map([...each.attributes].map(({ name, value }) => [name, value]))));
  }
}

/** @param {Element|Map<string, string>} drawn */
const namesIn = (drawn) => (drawn instanceof Element ? drawn.getAttributeNames() : drawn.keys());

/** @param {Element|Map<string, string>} drawn @param {string} name */
const valueIn = (drawn, name) => (drawn instanceof Element ? drawn.getAttribute(name) : (drawn.get(name) ?? null));

function patchAttributes(element, drawing) {
  const before = DRAWN.get(element) ?? element;
  DRAWN.set(element, drawing);
  for (const name of new Set([...namesIn(before), ...namesIn(drawing)])) {
    const [was, is] = [valueIn(before, name), valueIn(drawing, name)];
    if (was !== is) {
      patchAttribute(element, name, was, is);
    }
  }
}

/** @param {string} name @param {string|null} was @param {string|null} is null: not there. */
function patchAttribute(element, name, was, is) {
  if (name === "class" && element.getAttribute(name) !== was) {
    const [old, wanted] = [wordsOf(was), wordsOf(is)];
    element.classList.remove(...old.filter((each) => !wanted.includes(each)));
    element.classList.add(...wanted);
  } else if (name === "style") {
    element.style.cssText = is ?? ""; // as an attribute it is against the page's policy
  } else if (is === null) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, is);
  }
}

const wordsOf = (text) => (text ?? "").split(/\s+/).filter(Boolean);

/** What its user has entered, and what the drawing says instead. */
function patchEntry(element, drawing) {
  if (element instanceof HTMLOptionElement) {
    element.selected ||= drawing.hasAttribute("selected");
  } else if (element instanceof HTMLInputElement && TICKED.has(element.type)) {
    element.checked = drawing.checked;
  } else if (element instanceof HTMLInputElement && drawing.hasAttribute("value") && element.value !== drawing.value) {
    element.value = drawing.value;
  }
}

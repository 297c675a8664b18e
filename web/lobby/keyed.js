/** Lists that change in place: what has not changed keeps its elements, and what is focused keeps the focus. */

import { focusOn, focusedElement } from "../dom.js";
import { patchElement } from "../patch.js";

/**
 * Make the children of a list those that the items want.
 *
 * @param {HTMLElement} list
 * @param {Array} items
 * @param {{key: (item) => string, sign: (item) => string, draw: (item) => HTMLElement}} how `sign` tells whether an
 *   item has to be drawn anew; elements with a `data-action` find their successors by it.
 */
export function reconcile(list, items, { key, sign, draw }) {
  const old = new Map(elementsOf(list).map((child) => [child.dataset.key, child]));
  const focused = focusedElement();
  const wanted = items.map((item) => {
    const [name, signature] = [key(item), sign(item)];
    const before = old.get(name);
    if (before?.dataset.sign === signature) {
      return before;
    }
    const element = draw(item);
    Object.assign(element.dataset, { key: name, sign: signature });
    if (before === undefined) {
      return element;
    }
    patchElement(before, element);
    return before;
  });
  const within = focused !== null && list.contains(focused);
  const action = within ? focused.dataset.action : undefined;
  const home = within ? owner(focused)?.dataset.key : undefined;
  wanted.forEach((element, index) => {
    if (list.children[index] !== element) {
      list.insertBefore(element, list.children[index] ?? null);
    }
  });
  while (list.children.length > wanted.length) {
    list.lastElementChild?.remove();
  }
  if (focused === null || home === undefined) {
    return;
  }
  if (focused.isConnected && document.activeElement !== focused) {
    focused.focus(); // it was moved along into the new row
  } else if (!focused.isConnected) {
    const row = wanted.find((element) => element.dataset.key === home);
    focusOn(row?.querySelector(`[data-action="${action}"]`) ?? row?.querySelector("a, button"));
  }
}

function elementsOf(list) {
  return /** @type {HTMLElement[]} */ ([...list.children]);
}

/** @returns {HTMLElement|null} */
function owner(element) {
  return element.closest("[data-key]");
}

/** What the tests of patching do inside the browser: drawings one after another in the same place. */

import { h, s } from "/web/dom.js";
import { reconcile } from "/web/lobby/keyed.js";
import { patch } from "/web/patch.js";

/** The place, new. */
function place() {
  globalThis.place?.remove();
  globalThis.place = h("div", {});
  document.body.append(globalThis.place);
  return globalThis.place;
}

/** A node as a test says it: a text, or a list of tag, properties and children; "svg:g" is the tag of a drawing's. */
function node(said) {
  if (typeof said === "string") {
    return said;
  }
  const [tag, props, ...children] = said;
  return tag.startsWith("svg:") ? s(tag.slice("svg:".length), props, children.map(node)) : h(tag, props, children.map(node));
}

/** Draw in the place that there is. */
export function draw(drawing) {
  patch(globalThis.place, drawing.map(node));
}

/** Draw one after another; after each whether the place is as if it were new, and all its elements: which of them, and whose. */
export function drawings(all) {
  const root = place();
  const numbers = new Map();
  const numberOf = (element) => {
    numbers.has(element) || numbers.set(element, numbers.size);
    return numbers.get(element);
  };
  return all.map((drawing) => {
    draw(drawing);
    const fresh = h("div", {}, drawing.map(node));
    const elements = [...root.querySelectorAll("*")].map((each) => [each.id || each.tagName, numberOf(each), numberOf(each.parentElement)]);
    return { fresh: root.isEqualNode(fresh), elements };
  });
}

/** Draw for the first time. */
export function begin(drawing) {
  place();
  draw(drawing);
}

/** Who has heard a click on a button that was drawn several times, and what a drawing hears that was never there. */
export async function clicks() {
  const heard = [];
  const root = place();
  const button = (name) => h("button", { id: "b", onclick: () => heard.push(name), ...(name === "second" && { onkeydown: () => heard.push("key") }) }, "press");
  for (const name of ["first", "second", "third"]) {
    patch(root, button(name));
    root.firstChild.click();
  }
  root.firstChild.dispatchEvent(new Event("keydown"));
  const toggled = (name) => h("details", { id: "d", open: true, ontoggle: () => heard.push(name) }, h("summary", {}, "more"));
  patch(root, toggled("there"));
  patch(root, toggled("there after all"));
  await new Promise((done) => setTimeout(done, 0));
  await new Promise((done) => requestAnimationFrame(done));
  return heard;
}

/** A list of rows with a button each, brought up to date; `pressed` has the texts of those that are clicked. */
export function rows(items) {
  globalThis.list ??= place().appendChild(h("ul", {}));
  globalThis.pressed ??= [];
  reconcile(globalThis.list, items, {
    key: ({ id }) => id,
    sign: ({ text }) => text,
    draw: ({ text }) => h("li", {}, h("button", { dataset: { action: "go" }, onclick: () => globalThis.pressed.push(text) }, "Go"), text),
  });
}

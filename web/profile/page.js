/** What the pages about players share: they are put there, read, and say why where they cannot. */

import { clear, h } from "../dom.js";
import { refusalNote } from "../refusal.js";

/**
 * Put a page there whose content has to be read first.
 *
 * @param {HTMLElement} root
 * @param {string} title its heading, until the content has one.
 * @param {(signal: AbortSignal) => Promise<Node[]>} read
 * @returns {() => void} unmount.
 */
export function mountRead(root, title, read) {
  const over = new AbortController();
  const content = h("div", {}, h("h1", { tabindex: "-1" }, title));
  const page = h("div", { class: "people-page", "aria-busy": "true" }, content);
  root.append(page);
  const show = async () => {
    try {
      const nodes = await read(over.signal);
      clear(content).append(...nodes);
    } catch (error) {
      if (!over.signal.aborted) {
        content.append(refusalNote(error));
      }
    } finally {
      page.removeAttribute("aria-busy");
    }
  };
  show();
  return () => over.abort();
}

/**
 * A table that can be read on a phone too, where its cells stand below one another.
 *
 * @param {string} caption
 * @param {string[]} heads
 * @param {Array<Array<Node|string|number|null>>} rows the first cell of each is what the row is about.
 * @returns {HTMLElement}
 */
export function dataTable(caption, heads, rows) {
  /** @param {Array<Node|string|number|null>} cells */
  const line = (cells) => {
    const [about, ...rest] = cells;
    return h("tr", {}, h("th", { scope: "row" }, about), ...rest.map((cell, index) => h("td", { dataset: { head: heads[index + 1] } }, cell)));
  };
  return h(
    "div",
    { class: "people-table" },
    h(
      "table",
      {},
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, ...rows.map(line)),
    ),
  );
}

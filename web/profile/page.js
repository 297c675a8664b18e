/** What the pages about players share: they are put there, read, and say why where they cannot. */

import { clear, h } from "../dom.js";
import { refusalNote } from "../refusal.js";
import { t } from "../words.js";

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
 * A row of a table.
 *
 * @typedef {{columns: Array<Node|string|number|null>, props?: Object<string, unknown>}} DataRow
 */

/** A table that can be read on a phone too, where its cells stand below one another. It may get more rows later. */
export class DataTable {
  #body = h("tbody", {});

  /**
   * @param {string} caption
   * @param {string[]} heads
   * @param {{about?: number, kind?: string}} how `about` is the number of the cell that says what a row is about; `kind` a class.
   */
  constructor(caption, heads, { about = 0, kind = "" } = {}) {
    this.heads = heads;
    this.about = about;
    const head = h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { scope: "col" }, text))));
    this.element = h("div", { class: ["people-table", kind] }, h("table", {}, h("caption", {}, caption), head, this.#body));
  }

  /** @param {DataRow[]} rows */
  add(rows) {
    this.#body.append(...rows.map(({ columns, props = {} }) => h("tr", props, ...columns.map((cell, index) => this.#cell(cell, index)))));
  }

  #cell(cell, index) {
    return index === this.about
      ? h("th", { scope: "row", dir: "auto" }, cell)
      : h("td", { dataset: { head: t("people.head", { head: this.heads[index] }) } }, cell);
  }
}

/**
 * A table that has all its rows.
 *
 * @param {string} caption
 * @param {string[]} heads
 * @param {Array<DataRow["columns"]>} rows the first cell of each is what the row is about.
 * @returns {HTMLElement}
 */
export function dataTable(caption, heads, rows) {
  const table = new DataTable(caption, heads);
  table.add(rows.map((columns) => ({ columns })));
  return table.element;
}

/** One list of the lobby: its heading, its tables, its empty sentence, and a button for more. */

import { clear, h } from "../dom.js";
import { t } from "../words.js";
import { reconcile } from "./keyed.js";
import { coverOf } from "./shelf.js";
import { titleOf } from "./wish.js";
import { drawRow, signRow } from "./rows.js";

/** @import { Book } from "../book.js" */

/** A list of tables on the page. */
export class TableSection {
  #list = h("ul", { class: "tables" });
  #empty = h("p", { class: "empty" });
  #count = h("span", { class: "count", "aria-hidden": "true" });
  #more = h("button", { type: "button", class: "quiet" }, t("lobby.more"));

  /**
   * @param {{name: string, title: string, empty: Array<Node|string>, onMore?: () => void}} how `name` is for tests and
   *   styles; the texts are ready.
   */
  constructor({ name, title, empty, onMore }) {
    const id = `tables-${name}`;
    clear(this.#empty).append(...empty);
    this.#more.addEventListener("click", () => onMore?.());
    this.#more.hidden = true;
    this.#empty.hidden = true;
    this.element = h(
      "section",
      { class: ["lobby-section", name], "aria-labelledby": id, dataset: { section: name } },
      h("h2", { id }, title, this.#count),
      this.#list,
      this.#empty,
      h("p", {}, this.#more),
    );
  }

  /**
   * Show these tables.
   *
   * @param {Array<object>} rows
   * @param {(row: object) => Omit<import("./rows.js").Around, "book">} around
   * @param {{lang: string, more: boolean}} how
   */
  async update(rows, around, { lang, more }) {
    const wanted = new Map(rows.map((row) => [titleOf(row.game, row.rulebook), row]));
    const books = new Map(await Promise.all([...wanted].map(([title, row]) => named(title, row, lang))));
    const whole = (row) => ({ ...around(row), book: /** @type {Book} */ (books.get(titleOf(row.game, row.rulebook))) });
    reconcile(this.#list, rows, {
      key: (row) => row.id,
      sign: (row) => signRow(row, whole(row)),
      draw: (row) => drawRow(row, whole(row)),
    });
    this.#empty.hidden = rows.length > 0 || more;
    this.#more.hidden = !more;
    this.#count.textContent = rows.length > 0 ? String(rows.length) + (more ? "+" : "") : "";
  }
}

/** @returns {Promise<[string, Book]>} */
async function named(title, { game, rulebook }, lang) {
  return [title, await coverOf(game, rulebook, lang)];
}

/** The way back to the tables at which the reader is playing: a strip over the lobby, as wide as that. */

import { calledInRow } from "../called.js";
import { h } from "../dom.js";
import { listing, t } from "../words.js";
import { reconcile } from "./keyed.js";
import { coverOf } from "./shelf.js";

/** How many tables it leads to; the list of one's own tables has the others. */
const MOST = 3;

/** The strip. */
export class WayBack {
  #list = h("ul", {});

  constructor() {
    this.element = h("nav", { class: "way-back", "aria-label": t("lobby.back.label"), hidden: true }, this.#list);
  }

  /**
   * Show the way to some tables.
   *
   * @param {Array<any>} rows the reader's tables: those that wait for the reader first.
   * @param {{me: string|null, lang: string, asks: (game: string) => boolean}} given
   */
  async update(rows, { me, lang, asks }) {
    const playing = rows.filter(({ status, seats }) => status === "live" && seats.some(({ player }) => player === me)).slice(0, MOST);
    const drawn = await Promise.all(playing.map(async (row) => ({ id: row.id, ...(await said(row, { me, lang, asks })) })));
    reconcile(this.#list, drawn, { key: ({ id }) => id, sign: ({ text, kind }) => `${kind} ${text}`, draw });
    this.element.hidden = drawn.length === 0;
  }
}

/** What is said of a table: it asks the reader, it waits for others, or nobody may play on. */
async function said(row, { me, lang, asks }) {
  const book = await coverOf(row.game, row.rulebook, lang);
  const names = listing(row.seats.filter(({ player }) => player !== me).map(calledInRow));
  // Modes of different games are called alike, or say nothing by themselves.
  const mode = `${book.mode(row.mode).name} (${book.name})`;
  const table = names === "" ? mode : t("lobby.table_of", { mode, names });
  if (row.paused) {
    return { kind: "paused", text: t("lobby.back.paused", { table }) };
  }
  return asks(row.id) ? { kind: "asked", text: t("lobby.back.asked", { table }) } : { kind: "waits", text: t("lobby.back.waits", { table }) };
}

function draw({ id, kind, text }) {
  const link = h("a", { href: `/watch/${id}`, class: kind }, h("span", {}, text), h("span", { class: "way-back-go", "aria-hidden": "true" }, "→"));
  return h("li", { dataset: { back: id, kind } }, link);
}

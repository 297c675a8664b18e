/** Live tables as small boards: the left half of the previews of links to them, each renewed where it stands when its table has moved on. */

import { h } from "../dom.js";

/** How long the list stands before the first boards are asked for, in milliseconds: the list itself comes first. */
const LATER_MS = 1500;
const SIDE = 160;

export class Screens {
  /** The picture of each table. @type {Map<string, HTMLImageElement>} */
  #pictures = new Map();
  #on = false;
  #timer = setTimeout(() => this.#begin(), LATER_MS);

  /** @param {{last?: boolean}} options `last`: a table that has ended is shown as it was then. */
  constructor({ last = false } = {}) {
    this.shown = last ? ["live", "finished"] : ["live"];
  }

  /**
   * The board of a table; always the same element, as long as the table is shown.
   *
   * @param {{id: string, status: string, visibility: string, version: number, delay?: any}} row one of `GET /v1/games`.
   * @returns {HTMLElement|null} null: there is nothing that everybody may see now.
   */
  of(row) {
    if (!this.shown.includes(row.status) || row.visibility === "private" || row.delay) {
      this.#pictures.delete(row.id);
      return null;
    }
    const picture = this.#pictures.get(row.id) ?? h("img", { class: "screen", alt: "", width: SIDE, height: SIDE, loading: "lazy", decoding: "async" });
    this.#pictures.set(row.id, picture);
    // A new address for each version: what the browser has of an older one stays until the new one has come.
    picture.dataset.board = `/v1/games/${row.id}/preview.svg?at=${row.version}`;
    if (this.#on) {
      show(picture);
    }
    return picture;
  }

  /** No more pictures. */
  stop() {
    clearTimeout(this.#timer);
  }

  #begin() {
    this.#on = true;
    this.#pictures.forEach(show);
  }
}

function show(picture) {
  if (picture.getAttribute("src") !== picture.dataset.board) {
    picture.setAttribute("src", picture.dataset.board);
  }
}

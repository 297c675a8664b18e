/** Where in the game the moment that is shown lies, and what holds then for everybody. */

import { h } from "../dom.js";
import { gameOf } from "../games/registry.js";
import { patch } from "../patch.js";
import { tables } from "../tables.js";
import { t, tn } from "../words.js";

/** @import { Book } from "../book.js" */
/** @import { Controller } from "./controller.js" */

/**
 * Two parts of the page's head.
 *
 * @param {Controller} controller
 * @param {{book: Book, chapterText: (version: number) => string}} options
 * @returns {{chapter: HTMLElement, inForce: HTMLElement, update: () => void}}
 */
export function createWhere(controller, { book, chapterText }) {
  const chapter = h("p", { class: "chapter" });
  const inForce = h("ul", { class: "in-force", "aria-label": t("watch.in_force") });
  const update = () => {
    const { state, shown } = controller;
    const last = state.phase === "finished" ? null : tables.lastTurn(state);
    const text = chapterText(shown);
    chapter.textContent = last ? tn(`watch.chapter.of.${book.turn}`, last, { chapter: text }) : text;
    const held = gameOf(book.game).words.inForce(state, book);
    inForce.hidden = held.length === 0;
    patch(inForce, held.map((each) => h("li", {}, each)));
  };
  return { chapter, inForce, update };
}

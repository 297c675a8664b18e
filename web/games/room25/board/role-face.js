/** What a secret role says once it is seen. */

import { h } from "../../../dom.js";
import { t } from "../../../words.js";

/** @import { ComplexBook } from "../words/book.js" */

/**
 * The roles of one's characters: what each is called, what it may do, and when it wins.
 *
 * @param {Array<{id: string, role: string}>} mine
 * @param {ComplexBook} book
 */
export function roleFaces(mine, book) {
  return mine.map(({ id, role }) => {
    const { name, about } = book.role(role);
    const side = role === "prisoner" ? "prisoner" : "guard";
    return h(
      "div",
      { class: `b-role-${side}` },
      mine.length > 1 && h("span", {}, book.character(id).name),
      h("b", { class: "b-role-name" }, name),
      h("p", {}, about),
      h("p", {}, t(`room25/board.secret.wins.${side}`)),
    );
  });
}

/** The board as tables of words: whom one finds where, and what has become of the town. */

import { h } from "../../../dom.js";
import { pieceText } from "./labels.js";
import { edgeName } from "./places.js";
import { isHuman } from "./reach.js";
import { placeText } from "../words/option-text.js";
import { t } from "../../../words.js";

/** @import { TownBook } from "../words/book.js" */

/**
 * The town in words: it has four hundred cells, so only those are told on which somebody stands or something has changed.
 *
 * @param {any} state a table's state.
 * @param {TownBook} book
 * @returns {HTMLElement} made anew each time.
 */
export function textBoard(state, book) {
  const { play } = state;
  if (!play?.map) {
    return h("p", {}, t("cerveauuu/board.empty"));
  }
  const pieces = Object.values(play.pieces);
  const groups = [
    ...play.seats.map((seat) => [
      t("cerveauuu/board.text.zombies", { seat, colour: book.colour(play.colours[seat]) }),
      pieces.filter((piece) => piece.controller === seat),
    ]),
    [t("cerveauuu/board.text.humans"), pieces.filter(isHuman)],
  ];
  return h(
    "div",
    { class: "cv-text-board" },
    groups.filter(([, list]) => list.length > 0).map(([title, list]) => table(String(title), list, play, book)),
    changes(play, book),
  );
}

function table(title, list, play, book) {
  return h(
    "table",
    { role: "table" },
    h("caption", {}, title),
    h("thead", {}, h("tr", { role: "row" }, head(t("cerveauuu/board.text.piece")), head(t("cerveauuu/board.text.place")))),
    h(
      "tbody",
      {},
      list.map((piece) =>
        h(
          "tr",
          { role: "row", dataset: { piece: piece.id } },
          h("th", { scope: "row", role: "rowheader" }, pieceText(book, play, piece)),
          h("td", { role: "cell" }, placeText(book, piece.cell, play)),
        ),
      ),
    ),
  );
}

const head = (text) => h("th", { scope: "col", role: "columnheader" }, text);

/** What cards have changed on the map. */
function changes(play, book) {
  const edges = Object.entries(play.edges).map(([edge, list]) => `${edgeName(edge)}: ${book.word(`term.${list.at(-1)[0]}`)}`);
  const cells = Object.entries(play.cells).map(([cell, list]) => `${book.cell(cell)}: ${list.map(([flag]) => book.word(`term.${flag}`)).join(", ")}`);
  const all = [...edges, ...cells];
  return all.length > 0 && h("section", {}, h("h3", {}, t("cerveauuu/board.text.changes")), h("ul", {}, all.map((text) => h("li", {}, text))));
}

/** The board as a table: rows and columns as on the drawing, and in each cell everything that the drawing shows. */

import { h } from "../../../dom.js";
import { SIDE } from "../fold/grid.js";
import { COLUMNS, cellName } from "./geometry.js";
import { squareParts } from "./labels.js";
import { squares } from "./scene.js";
import { listing, t } from "../../../words.js";

/** @import { ComplexBook } from "../words/book.js" */

/**
 * The complex in words. The roles are said because narrow screens lay the cells out one under another, and with its
 * display a table loses its meaning.
 *
 * @param {Object} state a table's state.
 * @param {ComplexBook} book
 * @returns {HTMLTableElement} made anew each time.
 */
export function textBoard(state, book) {
  const drawn = squares(state, book);
  const rows = Array.from({ length: SIDE }, (_, row) => drawn.slice(row * SIDE, (row + 1) * SIDE));
  return h(
    "table",
    { class: "b-text-board", role: "table" },
    h("caption", {}, caption(state, book)),
    h(
      "thead",
      {},
      h(
        "tr",
        { role: "row" },
        h("th", { scope: "col", role: "columnheader" }, h("span", { class: "b-unseen" }, t("room25/board.row"))),
        COLUMNS.map((letter) => h("th", { scope: "col", role: "columnheader" }, letter)),
      ),
    ),
    h(
      "tbody",
      {},
      drawn.length === 0
        ? []
        : rows.map((row, i) =>
            h(
              "tr",
              { role: "row" },
              h("th", { scope: "row", role: "rowheader" }, String(i + 1)),
              row.map((square) => cell(square, state.play, book)),
            ),
          ),
    ),
  );
}

function cell(square, play, book) {
  const [room, ...rest] = squareParts(square, play, book);
  return h(
    "td",
    { class: `b-text-${square.face}`, role: "cell", dataset: { cell: square.cell } },
    h("b", {}, room),
    rest.length > 0 &&
      h(
        "ul",
        {},
        rest.map((part) => h("li", {}, part)),
      ),
    h("span", { class: "b-unseen" }, ` (${cellName(square.cell)})`),
  );
}

function caption(state, book) {
  const moved = Object.entries(state.play?.markers ?? {}).map(([line, way]) => book.lineWay(line, way));
  return moved.length ? t("room25/board.caption_moved", { lines: listing(moved) }) : t("room25/board.label");
}

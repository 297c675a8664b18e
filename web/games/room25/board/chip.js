/** Small drawings of characters and seats for use in text: lists, panels, the log. */

import { s } from "../../../dom.js";
import { drawFigure } from "./figure.js";

/** @import { ComplexBook } from "../words/book.js" */

/**
 * A character's figure, as high as a line of text; hidden from screen readers, because its name stands beside it.
 *
 * @param {string} id of the character.
 * @param {{book: ComplexBook, play?: Object, size?: number}} given `play` tells who is dead; `size` in pixels.
 * @returns {SVGElement}
 */
export function chip(id, { book, play = null, size = 28 }) {
  return s(
    "svg",
    {
      class: ["b-chip", play && play.characters?.[id]?.alive === false && "b-dead"],
      viewBox: "-13 -13 26 26",
      width: size,
      height: size,
      "aria-hidden": "true",
    },
    drawFigure({ id, shape: book.character(id).shape, marks: [] }),
  );
}

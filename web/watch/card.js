/** A picture of a moment to be shared where drawings are not taken: the board as the page draws it, and what it is, as PNG. */

import { h } from "../dom.js";
import { gameOf } from "../games/registry.js";
import { standalone } from "./standalone.js";

const WIDTH = 1200;
const HEIGHT = 630;
const EDGE = 40;
const LAST = HEIGHT - EDGE;
const INK = "#f4f1ea";
const SOFT = "#b9b6af";
const PAPER = "#16181c";
const SIGNAL = "#ffb000";

/**
 * @param {{book: import("../book.js").Book, state: any, viewer: string, title: string, texts: string[]}} moment `state` is the table's, as
 *   `viewer` may see it; `texts` are paragraphs of what is told beside it.
 * @returns {Promise<Blob>}
 */
export async function cardOf({ book, state, viewer, title, texts }) {
  const canvas = h("canvas", { width: WIDTH, height: HEIGHT });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  const { ground, image } = await pictureOf(book, state, viewer);
  pen.fillStyle = ground;
  pen.fillRect(0, 0, HEIGHT, HEIGHT);
  pen.drawImage(image, (HEIGHT - image.naturalWidth) / 2, (HEIGHT - image.naturalHeight) / 2);
  pen.fillStyle = SIGNAL;
  pen.fillRect(HEIGHT, 0, 6, HEIGHT);
  let at = write(pen, title, { at: EDGE + 24, size: 42, colour: INK, weight: 700 }) + 16;
  for (const text of texts) {
    at = write(pen, text, { at, size: 27, colour: INK, weight: 400 }) + 12;
  }
  write(pen, location.host, { at: LAST, size: 22, colour: SOFT, weight: 400, most: LAST });
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob === null ? failed(new TypeError("no picture")) : done(blob)), "image/png"));
}

/** The board as an image, and the colour that it lies on. */
async function pictureOf(book, state, viewer) {
  const board = gameOf(book.game).board.create({ book });
  const place = h("div", { class: "card-board", "aria-hidden": "true", inert: true }, board.element);
  (document.querySelector(".watch") ?? document.body).append(place);
  try {
    const drawing = /** @type {SVGSVGElement} */ (board.element);
    board.fit(state);
    const unit = drawing.viewBox.baseVal.width / HEIGHT;
    board.update(state, { viewer, choices: new Map(), begun: [], changed: [], unit });
    drawing.style.setProperty("--unit", String(unit));
    const image = await imageOf(standalone(drawing, HEIGHT));
    return { ground: getComputedStyle(document.body).backgroundColor, image };
  } finally {
    board.destroy();
    place.remove();
  }
}

async function imageOf(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Write a text in the right half, in as many lines as it needs, the last of which stands at `most`; where the next may stand. */
function write(pen, text, { at, size, colour, weight, most = LAST - EDGE }) {
  const left = HEIGHT + EDGE;
  pen.fillStyle = colour;
  pen.font = `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
  pen.textBaseline = "middle";
  let line = "";
  let y = at;
  const put = () => {
    if (y <= most) {
      pen.fillText(line, left, y, WIDTH - EDGE - left);
    }
    y += size * 1.35;
  };
  for (const word of text.split(/[ \n]+/)) {
    if (line !== "" && pen.measureText(`${line} ${word}`).width > WIDTH - EDGE - left) {
      put();
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  put();
  return y;
}

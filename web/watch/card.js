/** A picture of a moment to be shared where drawings are not taken: the public board and what the game is called, as PNG. */

import { h } from "../dom.js";

const WIDTH = 1200;
const LINE = 72;
const INK = "#f4f1ea";
const PAPER = "#16181c";

/**
 * @param {string} drawing the board, as SVG.
 * @param {string} title
 * @returns {Promise<Blob>}
 */
export async function cardOf(drawing, title) {
  const url = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const height = Math.round((WIDTH * image.naturalHeight) / image.naturalWidth);
    const canvas = h("canvas", { width: WIDTH, height: height + LINE });
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    pen.fillStyle = PAPER;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, WIDTH, height);
    pen.fillStyle = INK;
    pen.font = "32px sans-serif";
    pen.textBaseline = "middle";
    pen.fillText(title, LINE / 2, height + LINE / 2, WIDTH - LINE);
    return await new Promise((done, failed) => canvas.toBlob((blob) => (blob === null ? failed(new TypeError("no picture")) : done(blob)), "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

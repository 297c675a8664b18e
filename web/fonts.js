/**
 * The fonts of the page. They are fetched once the page has stood for a while, and used from the next page on that is loaded: so nobody waits for them, and
 * nobody sees a text change its size.
 */

import { fileAt } from "./late.js";
import { read, write } from "./net/storage.js";

const LATIN = "U+0020-007E, U+00A0-00FF, U+0152-0153, U+2013-2026, U+202F, U+2190-2193, U+2212";
const POLISH = "U+0104-0107, U+0118-0119, U+0141-0144, U+015A-015B, U+0179-017C";

const FONTS = [
  { family: "Parlour Text", file: "fonts/text-latin.woff2", weight: "200 800", unicodeRange: LATIN },
  { family: "Parlour Text", file: "fonts/text-polish.woff2", weight: "200 800", unicodeRange: POLISH },
  { family: "Parlour Stencil", file: "fonts/stencil-latin.woff2", weight: "700", unicodeRange: LATIN },
  { family: "Parlour Stencil", file: "fonts/stencil-polish.woff2", weight: "700", unicodeRange: POLISH },
];

/**
 * Use the fonts, if this browser has them; otherwise fetch them for the next time.
 *
 * @throws {TypeError} they cannot be had now.
 * @param {string} kept the key under which the browser keeps where it has them from: those of another release lie elsewhere.
 */
export async function takeFonts(kept) {
  const place = fileAt("fonts/");
  if (read(kept) === place) {
    FONTS.forEach(use);
    return;
  }
  const answers = await Promise.all(FONTS.map(({ file }) => fetch(fileAt(file))));
  if (answers.every(({ ok }) => ok)) {
    write(kept, place);
  }
}

function use({ family, file, weight, unicodeRange }) {
  const face = new FontFace(family, `url(${fileAt(file)})`, { weight, unicodeRange, display: "swap" });
  document.fonts.add(face);
  face.load().catch(() => {}); // the system's own will do
}

/** Fits names into tiles (pure): wraps them at words, sets what is still too long smaller, and leaves out what nobody could read. */

/** How wide a letter is on average, as a part of the font size; measured on the room names of all languages, bold. */
const WIDTH = 0.68;
const NARROW = new Set([..."iIjlt.,'’ftr -|"]);
const WIDE = new Set([..."mwMW"]);
/** Nothing is written smaller than this, in pixels of the screen. */
export const READABLE = 11;

/** About how wide a text is, in multiples of the font size. */
function widthOf(text) {
  return [...text].reduce((sum, letter) => sum + (NARROW.has(letter) ? 0.42 : WIDE.has(letter) ? 1 : WIDTH), 0);
}

/**
 * A name in at most `lines` lines, as large as it fits.
 *
 * @param {string} name
 * @param {{width: number, lines: number, largest: number, smallest: number}} space in the drawing's units.
 * @returns {{lines: string[], size: number}|null} the size is of the font; null: it has no room.
 */
export function wrapName(name, { width, lines, largest, smallest }) {
  const best = splits(name.split(" "), lines)
    .map((parts) => ({ lines: parts, size: Math.min(Math.max(largest, smallest), width / Math.max(...parts.map(widthOf))) }))
    .reduce((a, b) => (b.size > a.size + 0.01 || (b.size > a.size - 0.01 && b.lines.length < a.lines.length) ? b : a));
  // Widths are estimates: what lacks a few per cent will fit.
  return best.size < 0.97 * smallest ? null : { ...best, size: Math.max(smallest, Math.floor(best.size * 10) / 10) };
}

/** Every way to write words in at most so many lines. */
function splits(words, lines) {
  if (lines === 1 || words.length === 1) {
    return [[words.join(" ")]];
  }
  const broken = words.slice(1).flatMap((_, i) => {
    const first = words.slice(0, i + 1).join(" ");
    return splits(words.slice(i + 1), lines - 1).map((rest) => [first, ...rest]);
  });
  return [[words.join(" ")], ...broken];
}

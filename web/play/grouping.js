/** Sorts a decision's options (pure): what each of them touches on the board, and how a long list is divided. */

/** Above this many options a list is divided, and may be searched. */
export const LONG = 24;

/**
 * What an option touches on the board: cells, lines with their direction, characters, robots.
 *
 * @param {{id: string, meaning?: Object}} option
 * @returns {string[]} keys as the board's `choices` have them.
 */
export function touches(option) {
  const { cell, move, hide, first, second, line, way, character, push, robot } = option.meaning ?? {};
  const isCell = (value) => /^r\dc\d$/.test(value ?? "");
  const found = [
    cell,
    move,
    hide,
    isCell(first) && first,
    isCell(second) && second,
    line && `${line}:${way}`,
    character,
    push,
    // In a double push the second is a character as well.
    !isCell(second) && second,
    robot && `robot${robot}`,
  ];
  return [...new Set(found.filter(Boolean))];
}

/**
 * The options of a decision that touch all of the keys.
 *
 * @param {Array} options
 * @param {string[]} keys
 */
export function narrowed(options, keys) {
  return options.filter((option) => keys.every((key) => touches(option).includes(key)));
}

/**
 * A list in parts, by what its options are about first: the character, the cell, the line.
 *
 * @param {Array} options
 * @param {boolean} always divide a short list too.
 * @returns {Array<{key: string|null, options: Array}>} one part without a key if the list is short.
 */
export function parts(options, always = false) {
  if (options.length <= LONG && !always) {
    return [{ key: null, options }];
  }
  const byKey = new Map();
  for (const option of options) {
    const key = touches(option)[0] ?? null;
    byKey.set(key, [...(byKey.get(key) ?? []), option]);
  }
  return byKey.size > 1 && byKey.size < options.length
    ? [...byKey].map(([key, list]) => ({ key, options: list }))
    : [{ key: null, options }];
}

/** Whether a text holds all the words of a search, however they are written. */
export function matches(text, search) {
  const plain = (value) => value.toLocaleLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/ł/g, "l");
  return plain(search)
    .split(/\s+/)
    .every((word) => plain(text).includes(word));
}

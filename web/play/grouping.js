/** Sorts a decision's options (pure): which touch what on the board, and how a long list is divided. */

/** Above this many options a list is divided, and may be searched. */
export const LONG = 24;

/**
 * The options of a decision that touch all of the keys.
 *
 * @param {Array} options
 * @param {string[]} keys targets of the board.
 * @param {(option: Object) => string[]} targets see `GameBoard.targets`.
 */
export function narrowed(options, keys, targets) {
  return options.filter((option) => keys.every((key) => targets(option).includes(key)));
}

/**
 * A list in parts, by what its options are about first.
 *
 * @param {Array} options
 * @param {(option: Object) => string[]} targets see `GameBoard.targets`.
 * @param {boolean} always divide a short list too.
 * @returns {Array<{key: string|null, options: Array}>} one part without a key if the list is short.
 */
export function parts(options, targets, always = false) {
  if (options.length <= LONG && !always) {
    return [{ key: null, options }];
  }
  const byKey = new Map();
  for (const option of options) {
    const key = targets(option)[0] ?? null;
    byKey.set(key, [...(byKey.get(key) ?? []), option]);
  }
  return byKey.size > 1 && byKey.size < options.length
    ? [...byKey].map(([key, list]) => ({ key, options: list }))
    : [{ key: null, options }];
}

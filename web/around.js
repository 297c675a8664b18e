/** Texts with something in them that is more than text. */

import { t } from "./words.js";

/** Stands for what is put in; no text has it. */
const HOLE = "\u0000";

/**
 * A message with nodes in the place of one of its holes.
 *
 * @param {string} key
 * @param {string} name of the hole.
 * @param {any} node
 * @returns {any[]} what `h` takes as children.
 */
export function around(key, name, node) {
  const [before, after = ""] = t(key, { [name]: HOLE }).split(HOLE);
  return [before, node, after];
}

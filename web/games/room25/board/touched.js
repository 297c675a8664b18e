/** What an event concerns on the board (pure). */

const CELLS = ["cell", "first", "second", "moved_from"];
const ABOUT_A_FIGURE = new Set(["character-moved", "action-revealed", "action-lost"]);

/**
 * The cells, lines and characters that an event changes.
 *
 * @param {Object} event
 * @returns {string[]} as the board's `changed` wants them.
 */
export function touched(event) {
  return [
    ...CELLS.filter((name) => event[name]).map((name) => event[name]),
    ...(event.type === "line-shifted" ? [event.line] : []),
    ...(ABOUT_A_FIGURE.has(event.type) ? [event.character] : []),
  ];
}

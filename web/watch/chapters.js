/** Turns and phases of a log, told from its events alone (pure). */

/** Where every log begins. */
export const OPENING = { turn: 0, part: "table" };

const PARTS = {
  "table-started": "setup",
  "game-began": "setup",
  "programming-opened": "programming",
  "game-ended": "end",
  "table-closed": "end",
};

/**
 * The chapter to which an event belongs.
 *
 * @param {{turn: number, part: string}} before the chapter of the event before it.
 * @param {object} event
 * @returns {{turn: number, part: string}} `part` is "table", "setup", "begin", "programming", "round1" to "round3"
 *   or "end"; the same object where nothing changes.
 */
export function chapterAfter(before, event) {
  if (event.type === "turn-began" || event.type === "situation-set") {
    return { turn: event.turn, part: "begin" };
  }
  if (event.type === "slot-began") {
    return moved(before, `round${event.round}`);
  }
  const part = PARTS[event.type];
  return part === undefined ? before : moved(before, part);
}

function moved(before, part) {
  return before.part === part ? before : { turn: before.turn, part };
}

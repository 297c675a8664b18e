/** The chapters of a game's log (pure). */

const PARTS = {
  "table-started": "setup",
  "game-began": "setup",
  "programming-opened": "programming",
  "game-ended": "end",
};

/** @type {import("../../contract.js").GameLog["chapter"]} */
export function chapter(event) {
  if (event.type === "turn-began" || event.type === "situation-set") {
    return { turn: event.turn, part: "begin" };
  }
  const part = event.type === "slot-began" ? `round${event.round}` : PARTS[event.type];
  return part === undefined ? null : { part };
}

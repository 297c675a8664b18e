/** What sort of thing each event of Room 25 is (pure). */

import { useOf } from "./beside.js";

/** The sorts in the order of the filter; `turn`, `end`, `table` and `engine` are every table's. */
export const KINDS = {
  turn: ["turn-began", "slot-began", "game-began", "complex-laid", "situation-set", "key-turned", "alarm-raised",
    "turns-cut", "guard-freed"],
  program: ["program-submitted", "programming-closed", "program-shown", "token-replaced",
    "token-discarded", "program-cancelled", "action-delayed", "clue-chosen", "clues-closed"],
  action: ["action-revealed", "action-lost", "action-passed", "action-penalised", "character-moved", "special-used",
    "power-used", "offer-refused", "escape-attempted", "character-hid", "character-showed", "adrenaline-changed",
    "paranoia-began", "paranoia-ended", "cold-lingers", "spare-used"],
  board: ["room-revealed", "tiles-swapped", "line-shifted", "room-sealed", "room-turned", "room-replaced",
    "room-turned-down", "room-unsealed", "room-locked", "locks-gone", "robot-placed", "robot-removed"],
  card: ["card-drawn", "deck-shuffled"],
  secret: ["role-dealt", "roles-left-over", "room-peeked", "role-peeked", "role-revealed", "reminder-placed",
    "reminder-taken"],
  danger: ["trap-armed", "flood-armed", "character-eliminated", "character-returned"],
  end: ["game-ended"],
  talk: ["color-claimed"],
  table: ["seat-withdrew"],
  engine: ["agenda-set", "programming-opened"],
};

/** What a person looks for on the way through a game; `turn` is every table's. */
export const MARKS = {
  turn: ["turn-began"],
  programme: ["programming-closed"],
  reveal: ["room-revealed", "role-revealed"],
  move: ["character-moved", "line-shifted", "tiles-swapped"],
  death: ["character-eliminated"],
};

/** The outlines of the marks, round (0, 0), in the order of their legend. */
export const MARK_SHAPES = {
  programme: "M0-4l4 4-4 4-4-4z",
  reveal: "M0-3.5a3.5 3.5 0 1 0 .01 0zM0-1.5a1.5 1.5 0 1 1-.01 0z",
  move: "M-.75-1.5h1.5v3h-1.5z",
  death: "M-4-3l1-1 3 3 3-3 1 1-3 3 3 3-1 1-3-3-3 3-1-1 3-3z",
};

/** The events that are worth saying aloud while a game is played fast. */
export const HEADLINES = ["turn-began", "programming-closed", "character-eliminated", "character-returned", "role-revealed",
  "escape-attempted", "alarm-raised", "key-turned", "game-ended"];

const WEIGHTS = { "character-eliminated": 4, "alarm-raised": 3, "role-revealed": 2, "key-turned": 3, "escape-attempted": 3 };

/** Deaths turn a game, and so do alarms and what comes to light, Room 25 above all. @type {import("../../contract.js").GameLog["weight"]} */
export function weight({ type, kind }) {
  return type === "room-revealed" && kind === "room25" ? 4 : (WEIGHTS[type] ?? 0);
}

/** What somebody does whose turn it is: that it was, need not be said then. */
const DEEDS = new Set(["action-revealed", "action-delayed", "action-passed", "special-used", "escape-attempted"]);

/** What comes after a slot in which nothing was done. */
const NEXT = new Set(["slot-began", "turn-began"]);

/** What becomes of an action says whose it was, and which (`beside`). @type {Object<string, (action: any, next: any) => boolean>} */
const OUTCOMES = {
  "action-lost": ({ character, token }, next) => next.character === character && next.token === token,
  "character-moved": ({ character, token }, next) => (token === "move" ? next.character === character && next.cause === "move" : token === "push" && next.cause === "push"),
  "room-peeked": ({ token }) => token === "look",
  "line-shifted": ({ token }, next) => token === "control" && next.cause === "action",
  "escape-attempted": ({ character, token }, next) => token === "control" && next.character === character,
};

/** Who has handed in what, whose turn it is, which action is turned up, and how the game ends: what comes of it may say so. @type {import("../../contract.js").GameLog["repeated"]} */
export function repeated(event, next) {
  switch (event.type) {
    case "game-ended":
      return next.type === "table-closed" && next.outcome === event.outcome;
    case "clue-chosen":
      return next.type === "clues-closed";
    case "program-submitted":
      return next.type === "programming-closed" && !event.tokens;
    case "slot-began":
      return NEXT.has(next.type) || (DEEDS.has(next.type) && event.character === next.character);
    case "action-revealed":
      return Boolean(OUTCOMES[next.type]?.(event, next));
    default:
      return false;
  }
}

/** What an ability does to the board, where the sentence for the ability names it all: the ability, and the cells of the event. @type {Object<string, (event: any) => {does: string, cells: any[]}>} */
const ECHOES = {
  "room-locked": ({ cell, moved_from = null }) => ({ does: "lock", cells: moved_from === null ? [cell] : [cell, moved_from] }),
  "tiles-swapped": ({ first, second, cause }) => ({ does: cause === "hack" ? "hack_building" : "", cells: [first, second] }),
};

/** Who locks or hacks what says that it is locked, or has changed places. @type {import("../../contract.js").GameLog["echoed"]} */
export function echoed(event, before) {
  if (before.type !== "special-used" || ECHOES[event.type] === undefined) {
    return false;
  }
  const [used, seen] = [useOf(before.option), ECHOES[event.type](event)];
  return used.does === seen.does && used.cells.length === seen.cells.length && seen.cells.every((cell) => used.cells.includes(cell));
}

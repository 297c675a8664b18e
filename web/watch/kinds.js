/** What sort of thing each event is: for the filter of the log and the marks of the scrubber (pure). */

/** The sorts, in the order of the filter. "engine" is what only somebody who debugs wants to read. */
export const KINDS = ["turn", "program", "action", "board", "card", "secret", "danger", "end", "table", "clock", "engine"];

const BY_KIND = {
  turn: ["turn-began", "slot-began", "game-began", "complex-laid", "situation-set", "table-started", "key-turned",
    "alarm-raised", "turns-cut", "guard-freed"],
  program: ["programming-opened", "program-submitted", "programming-closed", "program-shown", "token-replaced",
    "token-discarded", "program-cancelled", "action-delayed", "clue-chosen", "clues-closed"],
  action: ["action-revealed", "action-lost", "action-passed", "action-penalised", "character-moved", "special-used",
    "power-used", "offer-refused", "escape-attempted", "character-hid", "character-showed", "adrenaline-changed",
    "paranoia-began", "paranoia-ended", "cold-lingers", "spare-used"],
  board: ["room-revealed", "tiles-swapped", "line-shifted", "room-sealed", "room-turned", "room-replaced",
    "room-turned-down", "room-unsealed", "room-locked", "locks-gone", "robot-placed", "robot-removed"],
  card: ["card-drawn", "deck-shuffled"],
  secret: ["role-dealt", "roles-left-over", "room-peeked", "role-peeked", "role-revealed", "reminder-placed",
    "reminder-taken", "color-claimed"],
  danger: ["trap-armed", "flood-armed", "character-eliminated", "character-returned"],
  end: ["game-ended", "table-closed", "key-published"],
  table: ["table-opened", "player-invited", "invitation-withdrawn", "invitation-declined", "seat-taken", "seat-left", "seat-readied", "seat-resigned", "seat-withdrew",
    "inspection-began"],
  clock: ["seat-timed-out", "seat-went-absent", "seat-returned", "table-paused", "table-resumed", "time-extended",
    "store-restored"],
  engine: ["clock-started", "agenda-set"],
};

const KIND_OF = new Map(Object.entries(BY_KIND).flatMap(([kind, types]) => types.map((type) => [type, kind])));

/** The sort of an event type; one that is not known counts as the engine's. */
export function kindOf(type) {
  return KIND_OF.get(type) ?? "engine";
}

/** The marks of the scrubber (see `Timeline.marks`) in the order of its legend, each with its sign. */
export const MARKS = [
  { kind: "turn", sign: "▮" },
  { kind: "programme", sign: "◇" },
  { kind: "reveal", sign: "○" },
  { kind: "move", sign: "·" },
  { kind: "death", sign: "✕" },
  { kind: "timeout", sign: "◔" },
  { kind: "ruling", sign: "§" },
  { kind: "end", sign: "■" },
];

/** The events that are worth saying aloud while a game is played fast. */
export const HEADLINES = new Set(["turn-began", "programming-closed", "character-eliminated", "character-returned",
  "role-revealed", "escape-attempted", "alarm-raised", "key-turned", "game-ended", "table-paused", "table-resumed",
  "store-restored", "table-closed"]);

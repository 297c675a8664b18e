/** What sort of thing each event of Cerveauuu! is (pure). */

/** The sorts in the order of the filter; `turn`, `end`, `table` and `engine` are every table's. */
export const KINDS = {
  turn: ["game-began", "situation-set", "round-began", "phase-began", "round-ended", "go-began"],
  board: ["piece-appeared", "piece-moved", "steps-taken", "human-wandered", "wander-passed", "batch-judged", "batch-dealt", "edge-changed",
    "cell-flagged", "zombie-activated", "path-changed", "movement-halted", "movement-stopped", "zombies-stood-down"],
  card: ["card-drawn", "hand-dealt", "card-played", "cards-dropped", "card-taken", "card-received", "hand-seen", "card-swapped",
    "discards-judged", "credits-returned", "credits-need-raised", "deck-shuffled"],
  window: ["window-opened", "version-judged", "yields-ended"],
  fight: ["attack-began", "fight-joined", "fight-left", "support-proposed", "consents-judged", "support-settled", "fight-weighed",
    "fight-resolved"],
  danger: ["human-eaten", "piece-lost", "piece-doomed", "piece-saved", "piece-blocked", "piece-unblocked", "exit-demanded",
    "zombie-readied", "score-changed"],
  end: ["game-ended"],
  table: ["seat-withdrew"],
  engine: ["agenda-set", "plan-made", "panic-began", "protections-ended", "effects-ended", "modifier-added", "ban-added",
    "trigger-armed", "trigger-fired", "wandering-began", "wandering-ended", "go-ended", "activation-ended",
    "window-closed", "version-began", "answer-given", "yield-chosen", "replacement-chosen", "discard-chosen", "batch-answered",
    "consent-given", "fight-ended"],
};

/** What a person looks for on the way through a game; `turn` is every table's. */
export const MARKS = {
  turn: ["round-began"],
  card: ["card-played"],
  fight: ["attack-began"],
  death: ["human-eaten", "piece-lost"],
};

/** The outlines of the marks, round (0, 0), in the order of their legend. */
export const MARK_SHAPES = {
  card: "M-2.5-4h5v8h-5z",
  fight: "M-3-4h2v8h-2zM1-4h2v8h-2z",
  death: "M-4-3l1-1 3 3 3-3 1 1-3 3 3 3-1 1-3-3-3 3-1-1 3-3z",
};

/** The events that are worth saying aloud while a game is played fast. */
export const HEADLINES = ["round-began", "phase-began", "card-played", "attack-began", "fight-resolved", "human-eaten", "piece-lost", "game-ended"];

const PHASES = { "game-began": "setup", "game-ended": "end" };

/** @type {import("../../contract.js").GameLog["chapter"]} */
export function chapter(event) {
  if (event.type === "round-began" || event.type === "situation-set") {
    return { turn: event.round, part: "begin" };
  }
  const phase = event.phase === "end" ? "closing" : event.phase;
  const part = event.type === "phase-began" ? phase : PHASES[event.type];
  return part === undefined ? null : { part };
}

const WEIGHTS = { "human-eaten": 3, "piece-lost": 2, "card-played": 1 };

/** Who is eaten turns a game, and so does what cards do. @type {import("../../contract.js").GameLog["weight"]} */
export const weight = ({ type }) => WEIGHTS[type] ?? 0;

/** What there is to know until something comes of it: whatever comes tells that this is over. */
const PASSING = new Set(["phase-began", "window-opened", "version-judged"]);

/** What the sentence of a later event says as well. @type {Object<string, (event: any, next: any) => boolean>} */
const SAID_BY = {
  "round-ended": (_, next) => next.type === "round-began",
  "batch-dealt": (_, next) => next.type === "batch-judged",
  "fight-weighed": (_, next) => next.type === "fight-weighed" || next.type === "fight-resolved",
  "fight-resolved": ({ winner }, next) => next.type === "human-eaten" && winner === "attackers",
  "zombie-activated": ({ zombie, path = [], attack }, next) =>
    path.length > 0
      ? next.type === "steps-taken" && Object.keys(next.cells).length === 1 && next.cells[zombie] === path.at(-1)
      : next.type === "attack-began" && next.principal === zombie && next.target === attack,
};

/** @type {import("../../contract.js").GameLog["repeated"]} */
export const repeated = (event, next) => PASSING.has(event.type) || Boolean(SAID_BY[event.type]?.(event, next));

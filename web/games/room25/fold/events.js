/** What happens in a game of ROOM 25, recorded in its state (pure). No rule is applied here: facts are written down. */

import { EDITIONS } from "./editions.js";
import { CELLS, CENTRE, shifts } from "./grid.js";
import { alter, carry, characterOf, mapped, mark, newCharacter, newTile, tileOn } from "./state.js";

const PROGRAMMED_SLOTS = 2;

const PHASE_OF_ROUND = { 1: "round_1", 2: "round_2", 3: "adrenaline" };

/** What an explicit situation says of a figure, where it says nothing. */
const PLACED = {
  flood: null,
  free: false,
  lost: [],
  adrenaline: "none",
  hidden: false,
  delayed: false,
  used: [],
  passed: false,
  acted: 0,
  entry: 0,
  cold_next: false,
  spares: 0,
};

/** What becomes of a character's share in the turn when the next one begins. */
const FRESH = {
  program: null,
  delayed: false,
  acted: 0,
  limited: false,
  used: [],
  passed: false,
  returned: false,
  powered: false,
};

/** What the dead leave behind. */
const GONE = {
  alive: false,
  cell: null,
  program: null,
  delayed: false,
  trap: null,
  flood: null,
  hidden: false,
  paranoid: false,
  leaving: false,
  stacked: 0,
  stack: null,
  drawn: [],
  cold_next: false,
};

// --- the beginning ---

const began = (play, event) => {
  const figures = event.figures.map(({ id, seat, team, tokens, adrenaline = "none", spares = 0 }) => [
    id,
    newCharacter({ id, seat, team, cell: CENTRE, tokens, adrenaline, spares }),
  ]);
  Object.assign(play, {
    rulebook: event.rulebook,
    mode: event.mode,
    options: event.options,
    composition: event.composition,
    order: event.order,
    last_turn: event.last_turn,
    phase: "starting_clue",
    robots: Array(event.robots ?? 0).fill(null),
    locks: event.locks ?? 0,
    characters: Object.fromEntries(figures),
  });
};

const laid = (play, { shown, kinds = [] }) => {
  const tiles = CELLS.map((cell, id) => [
    cell,
    newTile({ id, kind: shown[cell] ?? kinds[id] ?? null, up: cell in shown }),
  ]);
  play.grid = Object.fromEntries(tiles);
};

const situation = (play, event) => {
  const { tiles = {}, markers = {}, room25_revealed = false, key_activated = false, shown = [] } = event;
  const { turn, last_turn, order, dead } = event;
  Object.assign(play, { turn, last_turn, order, dead, markers, room25_revealed, key_activated, shown });
  play.phase = "programming";
  for (const [id, figure] of Object.entries(event.figures)) {
    alter(play, id, placed(play, figure));
    play.entries = Math.max(play.entries, figure.entry ?? 0);
  }
  play.robots = event.robots ?? play.robots;
  play.locks = event.locks ?? play.locks;
  for (const [cell, { seal = false, lock = false, axis = null, reminders = [] }] of Object.entries(tiles)) {
    mark(play, cell, { seal, lock, axis, reminders });
  }
};

const placed = (play, figure) => {
  const { cell, trap: armed = null } = figure;
  const trap = armed === null || cell === null ? null : { tile: tileOn(play, cell).id, turn: armed };
  return { ...PLACED, ...figure, trap, alive: cell !== null };
};

const clue = (play, { seat, cell = null }) => {
  play.phase = "starting_clue";
  play.clues = { ...play.clues, [seat]: cell };
};

const peeked = (play, { seat, cell, kind }) => {
  const { id } = tileOn(play, cell);
  const before = play.peeked[seat] ?? [];
  if (!before.includes(id)) {
    play.peeked = { ...play.peeked, [seat]: [...before, id] };
  }
  if (kind !== undefined) {
    mark(play, cell, { kind });
  }
};

// --- a turn, its programmes and its slots ---

const turn = (play, event) => {
  const { turn: number, order } = event;
  Object.assign(play, { turn: number, order, round: 0, actor: null, phase: "programming", markers: {}, windows: [] });
  play.discard = [...play.discard, ...play.shown];
  play.shown = [];
  play.characters = mapped(play.characters, (character) => ({ ...character, ...FRESH }));
};

const programming = (play, { limited = [] }) => {
  play.phase = "programming";
  for (const id of limited) {
    alter(play, id, { limited: true, cold_next: false });
  }
};

const submitted = (play, { character, tokens = null, adrenaline = null }) => {
  alter(play, character, { program: { tokens, adrenaline } });
};

const programmed = (play, { actions, adrenaline = [] }) => {
  play.phase = "round_1";
  for (const [id, count] of Object.entries(actions)) {
    const tokens = characterOf(play, id).program?.tokens ?? Array(count).fill(null);
    alter(play, id, { program: { tokens, adrenaline: adrenaline.includes(id) } });
  }
  for (const id of adrenaline) {
    alter(play, id, { adrenaline: "programmed" });
  }
};

const slot = (play, { character, round }) => {
  const { seat } = characterOf(play, character);
  Object.assign(play, { round, phase: PHASE_OF_ROUND[round], actor: character });
  if (!play.windows.includes(seat)) {
    play.windows = [...play.windows, seat];
  }
};

const acted = (play, { character, slot: number, token, drawn = false }) => {
  const before = characterOf(play, character);
  const changes = { acted: before.acted + 1, used: [...before.used, token] };
  if (drawn) {
    changes.stack = before.stack?.slice(1) ?? null;
    changes.stacked = before.stacked - 1;
    changes.drawn = [...before.drawn, token];
  } else if (before.program?.tokens?.length > 0 && number <= PROGRAMMED_SLOTS) {
    const { tokens } = before.program;
    changes.program = { ...before.program, tokens: tokens.with(Math.min(number, tokens.length) - 1, token) };
  }
  alter(play, character, changes);
};

// --- what actions do ---

const moved = (play, { character, cell, entry }) => {
  play.entries = entry;
  alter(play, character, { cell, entry, trap: null, flood: null });
};

const revealed = (play, { cell, kind }) => {
  mark(play, cell, { kind, up: true, reminders: [] });
  play.room25_revealed ||= kind === "room25";
};

const shifted = (play, { line, way }) => {
  carry(play, shifts(line, way));
  play.markers = { ...play.markers, [line]: way };
};

const eliminated = (play, { character }) => {
  play.dead = [...play.dead, character];
  alter(play, character, GONE);
};

const reminded = (play, { seat, cell }) => {
  mark(play, cell, { reminders: [...tileOn(play, cell).reminders, seat] });
  play.reminded = { ...play.reminded, [seat]: (play.reminded[seat] ?? 0) + 1 };
};

const claimed = (play, { seat, cell, color }) => {
  const claim = { tile: tileOn(play, cell).id, color };
  play.claims = { ...play.claims, [seat]: [...(play.claims[seat] ?? []), claim] };
};

const ended = (play, { outcome, winners, score = null }) => {
  play.phase = "ended";
  play.actor = null;
  play.end = { outcome, winners, score };
};

/** What each type of event does to a private state; its parts are replaced, not changed. */
export const EVENTS = new Map(
  /** @type {Array<[string, (play: any, event: any) => void]>} */ ([
    ["game-began", began],
    ["complex-laid", laid],
    ["role-dealt", (play, { character, role = null }) => alter(play, character, { role })],
    ["roles-left-over", (play, { roles = null }) => void (play.undealt = roles)],
    ["situation-set", situation],
    ["clue-chosen", clue],
    ["clues-closed", (play, { cells }) => void (play.clues = cells)],
    ["room-peeked", peeked],
    ["turn-began", turn],
    ["guard-freed", (play, { character }) => alter(play, character, { free: true })],
    ["programming-opened", programming],
    ["program-submitted", submitted],
    ["programming-closed", programmed],
    ["slot-began", slot],
    ["action-delayed", (play, { character }) => alter(play, character, { delayed: true })],
    ["action-passed", (play, { character }) => alter(play, character, { passed: true })],
    ["action-revealed", acted],
    ["character-moved", moved],
    ["room-revealed", revealed],
    ["tiles-swapped", (play, { first, second }) => carry(play, { [first]: second, [second]: first })],
    ["line-shifted", shifted],
    ["room-sealed", (play, { cell }) => mark(play, cell, { seal: true })],
    ["trap-armed", (play, { character, tile }) => alter(play, character, { trap: { tile, turn: play.turn } })],
    ["flood-armed", (play, { character, due }) => alter(play, character, { flood: due })],
    ["character-eliminated", eliminated],
    ["role-revealed", (play, { character, role }) => alter(play, character, { role, role_public: true })],
    ["alarm-raised", (play, { last_turn }) => void (play.last_turn = last_turn)],
    ["reminder-placed", reminded],
    ["color-claimed", claimed],
    ["seat-withdrew", (play, { seat }) => void (play.withdrawn = [...play.withdrawn, seat])],
    ["agenda-set", (play, { agenda, asked }) => void Object.assign(play, { agenda, asked })],
    ["game-ended", ended],
    ...EDITIONS,
  ]),
);

/** What only some rulebooks of ROOM 25 have: adrenaline, robots, cards, abilities, the powers of guards (pure). */

import { CELLS, CENTRE } from "./grid.js";
import { alter, characterOf, lay, mapped, mark, newTile, tileOn } from "./state.js";

/** One who draws its actions from a pile no more. */
const CALM = { paranoid: false, leaving: false, stacked: 0, stack: null, drawn: [] };

// --- programmes ---

const changeTokens = (play, character, change) => {
  const { program } = characterOf(play, character);
  if (program?.tokens) {
    alter(play, character, { program: { ...program, tokens: change(program.tokens) } });
    return true;
  }
  return false;
};

const discarded = (play, { character, slot }) => {
  changeTokens(play, character, (tokens) => tokens.map((token, i) => (i + 1 === slot ? "" : token)));
};

/** Of a changed programme, only what has been turned up stays known to those who may not read the new one. */
const replaced = (play, { character, tokens: now = [] }) => {
  const past = Math.max(play.round - 1, 0);
  const unknown = (tokens) => tokens.map((token, i) => (i < past ? token : null));
  if (changeTokens(play, character, (tokens) => (now.length > 0 ? now : unknown(tokens)))) {
    alter(play, character, { powered: true });
  }
};

/** A token that is lost is taken out of a pile too, unless it has left that before. */
const penalised = (play, { character, token, drawn: gone = false }) => {
  const { paranoid, drawn, stack, stacked, lost } = characterOf(play, character);
  alter(play, character, { lost: [...lost, token] });
  if (paranoid && !gone && !drawn.includes(token)) {
    const left = stack?.filter((each) => each !== token) ?? null;
    alter(play, character, { stack: left, stacked: Math.max(0, stacked - 1) });
  }
};

const cancelled = (play, { character }) => {
  alter(play, character, { program: { tokens: [], adrenaline: false }, delayed: false });
};

const paranoia = (play, { character, stacked, stack = null }) => {
  alter(play, character, { ...CALM, paranoid: true, stacked, stack });
};

// --- tiles ---

const returnLock = (play, cell) => {
  if (tileOn(play, cell).lock) {
    play.locks += 1;
  }
};

const rebuilt = (play, { cell, kind }) => {
  returnLock(play, cell);
  lay(play, cell, newTile({ id: CELLS.length + play.tiles_made, kind, up: true }));
  play.tiles_made += 1;
  play.characters = mapped(play.characters, (character) =>
    character.cell === cell ? { ...character, trap: null, flood: null } : character,
  );
};

const turnedDown = (play, { cell }) => {
  returnLock(play, cell);
  mark(play, cell, { up: false, axis: null, lock: false });
};

const locked = (play, { cell, moved_from: from = null }) => {
  if (from === null) {
    play.locks -= 1;
  } else {
    mark(play, from, { lock: false });
  }
  mark(play, cell, { lock: true });
};

const unlocked = (play) => {
  play.locks = 0;
  play.grid = mapped(play.grid, (tile) => (tile.lock ? { ...tile, lock: false } : tile));
};

const reminderTaken = (play, { seat }) => {
  play.grid = mapped(play.grid, (tile) =>
    tile.reminders.includes(seat) ? { ...tile, reminders: tile.reminders.filter((each) => each !== seat) } : tile,
  );
};

// --- figures, robots, cards ---

const cameBack = (play, { character, entry, locks = null }) => {
  play.entries = entry;
  play.locks = locks ?? play.locks;
  play.dead = play.dead.filter((id) => id !== character);
  if (!play.order.includes(character)) {
    play.order = [...play.order, character];
  }
  alter(play, character, { alive: true, returned: true, cell: CENTRE, entry, program: null, delayed: false });
};

const spareUsed = (play, { character }) => {
  alter(play, character, { spares: characterOf(play, character).spares - 1 });
};

const roleSeen = (play, { character, role }) => {
  if (role !== undefined) {
    alter(play, character, { role });
  }
};

const placeRobot = (play, number, cell) => {
  play.robots = play.robots.map((where, i) => (i === number ? cell : where));
};

const shuffled = (play, { count, discard = [], cards = null }) => {
  Object.assign(play, { deck: cards, deck_size: count, discard, shuffles: play.shuffles + 1 });
};

const drawn = (play, { card, stays = false, character = null }) => {
  const pile = stays ? "shown" : "discard";
  play.deck = play.deck?.slice(1) ?? null;
  play.deck_size -= 1;
  play[pile] = [...play[pile], card];
  if (character === null) {
    play.phase = "cards";
    play.actor = null;
  }
};

/** What each type of event does to a private state; its parts are replaced, not changed. */
export const EDITIONS = new Map(
  /** @type {Array<[string, (play: any, event: any) => void]>} */ ([
    [
      "program-shown",
      (play, { character, tokens, adrenaline = false }) => alter(play, character, { program: { tokens, adrenaline } }),
    ],
    ["token-discarded", discarded],
    ["token-replaced", replaced],
    ["action-penalised", penalised],
    ["adrenaline-changed", (play, { character, adrenaline }) => alter(play, character, { adrenaline })],
    ["program-cancelled", cancelled],
    ["paranoia-began", paranoia],
    ["paranoia-ended", (play, { character, now }) => alter(play, character, now ? CALM : { leaving: true })],
    ["cold-lingers", (play, { character }) => alter(play, character, { cold_next: true })],
    ["room-turned", (play, { cell, axis }) => mark(play, cell, { axis })],
    ["room-replaced", rebuilt],
    ["room-turned-down", turnedDown],
    ["room-unsealed", (play, { cell }) => mark(play, cell, { seal: false })],
    ["room-locked", locked],
    ["locks-gone", unlocked],
    ["spare-used", spareUsed],
    ["character-hid", (play, { character }) => alter(play, character, { hidden: true })],
    ["character-showed", (play, { character }) => alter(play, character, { hidden: false })],
    ["character-returned", cameBack],
    ["key-turned", (play) => void (play.key_activated = true)],
    ["turns-cut", (play, { last_turn }) => void (play.last_turn = last_turn)],
    ["robot-placed", (play, { robot, cell }) => placeRobot(play, robot, cell)],
    ["robot-removed", (play, { robot }) => placeRobot(play, robot, null)],
    ["role-peeked", roleSeen],
    ["deck-shuffled", shuffled],
    ["card-drawn", drawn],
    ["reminder-taken", reminderTaken],
    ["power-used", (play, { character }) => alter(play, character, { powered: true })],
  ]),
);

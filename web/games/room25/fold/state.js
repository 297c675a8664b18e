/** The parts of a game of ROOM 25: their defaults, and how one is put in the place of another (pure). */

const TILE = { kind: null, up: false, seal: false, lock: false, axis: null, reminders: [] };

const CHARACTER = {
  alive: true,
  tokens: [],
  lost: [],
  program: null,
  delayed: false,
  adrenaline: "none",
  hidden: false,
  acted: 0,
  trap: null,
  flood: null,
  entry: 0,
  role: null,
  role_public: false,
  free: false,
  limited: false,
  used: [],
  passed: false,
  cold_next: false,
  paranoid: false,
  leaving: false,
  stacked: 0,
  stack: null,
  drawn: [],
  spares: 0,
  returned: false,
  powered: false,
};

/** The state before the game has begun. */
export function initialPlay() {
  return {
    rulebook: "",
    mode: "",
    options: {},
    composition: {},
    turn: 0,
    last_turn: 0,
    phase: "setup",
    round: 0,
    actor: null,
    order: [],
    characters: {},
    grid: {},
    markers: {},
    dead: [],
    room25_revealed: false,
    key_activated: false,
    clues: {},
    peeked: {},
    reminded: {},
    claims: {},
    windows: [],
    withdrawn: [],
    undealt: null,
    entries: 0,
    asked: 0,
    agenda: [],
    end: null,
    robots: [],
    locks: 0,
    deck: null,
    deck_size: 0,
    discard: [],
    shown: [],
    shuffles: 0,
    tiles_made: 0,
  };
}

/** A tile; what is not said has its default. */
export const newTile = (facts) => ({ ...TILE, ...facts });

/** A character; what is not said has its default. */
export const newCharacter = (facts) => ({ ...CHARACTER, ...facts });

/** An object with each value replaced by what `change(value, name)` gives. */
export const mapped = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));

/** A game's state as a GameView shows it: parts leave out what has its default. */
export const playToView = (play) => ({
  ...play,
  characters: mapped(play.characters, (character) => lean(character, CHARACTER)),
  grid: mapped(play.grid, (tile) => lean(tile, TILE)),
});

/** The inverse of `playToView`. */
export const playFromView = (json) => ({
  ...initialPlay(),
  ...json,
  characters: mapped(json.characters, newCharacter),
  grid: mapped(json.grid, newTile),
});

/**
 * Change some members of a character.
 *
 * @throws {Error} there is no such character.
 */
export function alter(play, id, changes) {
  play.characters = { ...play.characters, [id]: { ...characterOf(play, id), ...changes } };
}

/**
 * Change some members of the tile that lies on a cell.
 *
 * @throws {Error} no tile lies there.
 */
export function mark(play, cell, changes) {
  lay(play, cell, { ...tileOn(play, cell), ...changes });
}

/** Lay a tile on a cell, in the place of what lay there. */
export function lay(play, cell, tile) {
  play.grid = { ...play.grid, [cell]: tile };
}

/** @throws {Error} there is no such character. */
export function characterOf(play, id) {
  return play.characters[id] ?? missing(`character ${id}`);
}

/** @throws {Error} no tile lies there. */
export function tileOn(play, cell) {
  return play.grid[cell] ?? missing(`tile on ${cell}`);
}

/** Move tiles from cell to cell, with everybody who stands on them. */
export function carry(play, moves) {
  const tiles = Object.entries(moves).map(([before, after]) => [after, tileOn(play, before)]);
  play.grid = { ...play.grid, ...Object.fromEntries(tiles) };
  play.characters = mapped(play.characters, (character) =>
    character.cell in moves ? { ...character, cell: moves[character.cell] } : character,
  );
  play.robots = play.robots.map((cell) => moves[cell] ?? cell);
}

function missing(what) {
  throw new Error(`there is no ${what}`);
}

function lean(part, defaults) {
  return Object.fromEntries(Object.entries(part).filter(([name, value]) => !isDefault(value, defaults[name])));
}

function isDefault(value, usual) {
  return value === usual || (Array.isArray(usual) && Array.isArray(value) && value.length === 0);
}

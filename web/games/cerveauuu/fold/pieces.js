/** Pieces that are put down, moved, changed and taken away (pure). */

import { changed, without } from "./state.js";

/** Change the same members of several pieces. */
export function change(play, names, changes) {
  const pieces = { ...play.pieces };
  for (const name of names) {
    if (pieces[name] === undefined) {
      throw new Error(`there is no piece ${name}`);
    }
    pieces[name] = changed(pieces[name], changes);
  }
  play.pieces = pieces;
}

/** Put a new piece on the board. */
export function add(play, piece) {
  play.pieces = { ...play.pieces, [piece.id]: changed(piece, {}) };
  const kind = piece.id[0];
  const number = Number(piece.id.slice(1));
  play.counters = { ...play.counters, [kind]: Math.max(number, play.counters[kind] ?? 0) };
}

/** Take a piece off the board. */
export function remove(play, name) {
  play.pieces = without(play.pieces, name);
}

/**
 * Set a piece on the last cell of a path, and remember the path if it is in mid-movement. Who joined a fight by card
 * stands in it by that card only until it moves (§7).
 */
export function move(play, name, path) {
  change(play, [name], { cell: path.at(-1) });
  const { activation, fight, panic } = play;
  if (activation?.zombie === name) {
    play.activation = changed(activation, { trail: [...(activation.trail ?? []), ...path] });
  }
  if (panic?.runner === name) {
    play.panic = changed(panic, { trail: [...(panic.trail ?? []), ...path] });
  }
  if (fight?.exempt?.[name] !== undefined) {
    play.fight = changed(fight, { exempt: without(fight.exempt, name) });
  }
}

/** Ids of pieces in their order: humans before zombies, then by number. */
export function byId(names) {
  const rank = (name) => (name[0] === "h" ? 0 : 1_000_000) + Number(name.slice(1));
  return [...names].sort((a, b) => rank(a) - rank(b));
}

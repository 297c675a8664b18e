/** What a piece can do from where it stands: its stats, where it can go, whom it sees (pure). */

import { distance, seenFrom } from "./sight.js";

/** @import { Town } from "./town.js" */

const BASE = { human: { move: 6, combat: 1, sight: 99, wander: 1 }, zombie: { move: 4, combat: 1 } };

export const isHuman = (piece) => (piece.controller ?? null) === null;
const isOperational = (piece) => !piece.blocked && !piece.doomed;
export const isReady = (piece) => !isHuman(piece) && isOperational(piece) && !piece.activated;

/**
 * A stat of a piece as it is read now.
 *
 * @param {Told.CerveauuuState} play
 * @param {Town} town
 * @param {Told.CerveauuuPiece} piece
 * @param {"move"|"combat"|"sight"|"wander"} name
 */
export function stat(play, town, piece, name) {
  let base = BASE[isHuman(piece) ? "human" : "zombie"][name];
  let added = 0;
  for (const modifier of play.modifiers.filter((each) => each.stat === name && catches(town, each, piece))) {
    if (modifier.absolute) {
      base = modifier.value ?? 0;
    } else {
      added += modifier.value ?? 0;
    }
  }
  return Math.max(0, base + added);
}

/**
 * Whether a modifier holds for a piece.
 *
 * @param {Town} town
 * @param {Told.CerveauuuModifier} modifier
 * @param {Told.CerveauuuPiece} piece
 */
function catches(town, { area, pieces = [], seat }, piece) {
  if (!area) {
    return pieces.includes(piece.id);
  }
  const kind = isHuman(piece) ? "H" : "Z";
  const indoor = town.buildings[town.cell(piece.cell)] !== null;
  const keeps = {
    in: () => indoor,
    out: () => !indoor,
    own: () => piece.controller === seat,
    other: () => !isHuman(piece) && piece.controller !== seat,
  };
  return (area.kind === "X" || area.kind === kind) && (area.filters ?? []).every((filter) => keeps[filter]());
}

/**
 * Where a piece may end a movement of so many steps.
 *
 * @param {Told.CerveauuuState} play
 * @param {Town} town
 * @param {Told.CerveauuuPiece} piece
 * @param {number} steps by default those that it has: a zombie's, a human's in flight.
 * @returns {number[]} cells, by steps.
 */
export function reachOf(play, town, piece, steps = stat(play, town, piece, "move")) {
  const others = Object.values(play.pieces).filter(({ id }) => id !== piece.id);
  const inTheWay = (each) => isOperational(each) && !(isHuman(piece) && isHuman(each));
  const barred = new Set(others.filter(inTheWay).map((each) => town.cell(each.cell)));
  const taken = new Set(others.map((each) => town.cell(each.cell)));
  const start = town.cell(piece.cell);
  const found = new Set([start]);
  const ends = [];
  let frontier = [start];
  for (let step = 0; step < steps && frontier.length > 0; step += 1) {
    const further = [];
    for (const cell of frontier.flatMap((each) => town.stepsOut(each))) {
      if (!found.has(cell) && !barred.has(cell)) {
        found.add(cell);
        further.push(cell);
        if (!taken.has(cell)) {
          ends.push(cell);
        }
      }
    }
    frontier = further;
  }
  return ends;
}

/** The cells that a human sees from where it stands. */
export function sightOf(play, town, human) {
  return seenFrom(town, town.cell(human.cell), stat(play, town, human, "sight"));
}

/** The humans that see a piece, or would see it on its cell. */
export function watchersOf(play, town, piece) {
  const cell = town.cell(piece.cell);
  return Object.values(play.pieces).filter((each) => {
    const near = isHuman(each) && each.id !== piece.id && distance(town, town.cell(each.cell), cell) <= stat(play, town, each, "sight");
    return near && seenFrom(town, town.cell(each.cell)).has(cell);
  });
}

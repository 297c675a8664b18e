/** What there is to draw on the complex, read from a table's state (pure). A view holds what its viewer knows: so does this. */

import { CELLS } from "../fold/grid.js";

/** @import { ComplexBook } from "../words/book.js" */

/**
 * One cell with the tile on it.
 *
 * @typedef {Object} Square
 * @property {string} cell
 * @property {number} id of the tile.
 * @property {"up"|"known"|"hidden"} face face-up; face-down, but known to the viewer; face-down.
 * @property {string|null} kind of room, null unless the viewer knows it.
 * @property {string|null} color its class.
 * @property {boolean} seal
 * @property {boolean} lock
 * @property {"horizontal"|"vertical"|null} axis of a pivoting room.
 * @property {number[]} reminders the seats whose token lies here.
 * @property {number[]} looked the seats that have looked at it while it lay face-down.
 * @property {Array<{seat: number, id: string, shape: string}>} stencils those seats in the look of who sits there: their first character.
 * @property {Array<{seat: number, color: string}>} claims the last thing that each seat has said of it.
 * @property {string[]} figures the living characters here, in the order in which they came.
 * @property {number[]} robots the numbers of the robots here, from 1.
 */

/**
 * The squares of the complex, row by row; none before it is laid out.
 *
 * @param {Object} state a table's state.
 * @param {ComplexBook} book
 * @returns {Square[]}
 */
export function squares(state, book) {
  const play = state.play;
  if (!play?.grid) {
    return [];
  }
  return CELLS.filter((cell) => play.grid[cell]).map((cell) => square(play, book, cell));
}

/** The living characters in the order of the track. */
function living(play) {
  return order(play).filter((c) => c.alive !== false);
}

/** All characters in the order of the track, and after them those who are not on it. */
export function order(play) {
  const listed = (play.order ?? []).filter((id) => play.characters[id]);
  const others = Object.keys(play.characters ?? {}).filter((id) => !listed.includes(id));
  return [...listed, ...others].map((id) => play.characters[id]);
}

/** The marks of a figure: words of `room25/board.mark.*` with what they need, most urgent first. */
export function figureMarks(play, c) {
  return [
    c.trap && ["trap", { turn: c.trap.turn }],
    typeof c.flood === "number" && ["flood", { turn: c.flood }],
    c.hidden && ["hidden", {}],
    c.paranoid && ["paranoid", {}],
    (c.limited || c.cold_next) && ["limited", {}],
    c.free && ["free", {}],
    c.delayed && ["delayed", {}],
    c.passed && ["passed", {}],
    c.returned && ["returned", {}],
  ].filter(Boolean);
}

/** @returns {Square} */
function square(play, book, cell) {
  const tile = play.grid[cell];
  const kind = tile.kind ?? null;
  const looked = tile.up ? [] : seatsThat(play.peeked, (ids) => ids.includes(tile.id));
  return {
    cell,
    id: tile.id,
    face: tile.up ? "up" : kind === null ? "hidden" : "known",
    kind,
    color: kind === null ? null : book.room(kind).color,
    seal: Boolean(tile.seal),
    lock: Boolean(tile.lock),
    axis: tile.axis ?? null,
    reminders: [...(tile.reminders ?? [])].sort((a, b) => a - b),
    looked,
    stencils: looked.flatMap((seat) => stencilOf(seat, play, book)),
    claims: tile.up ? [] : claimsOf(play, tile.id),
    figures: standing(play, cell),
    robots: (play.robots ?? []).flatMap((where, i) => (where === cell ? [i + 1] : [])),
  };
}

function standing(play, cell) {
  return living(play)
    .filter((c) => c.cell === cell)
    .sort((a, b) => (a.entry ?? 0) - (b.entry ?? 0))
    .map((c) => c.id);
}

function seatsThat(bySeat, holds) {
  return Object.entries(bySeat ?? {})
    .filter(([, value]) => holds(value))
    .map(([seat]) => Number(seat))
    .sort((a, b) => a - b);
}

function stencilOf(seat, play, book) {
  const own = Object.values(play.characters ?? {}).find((c) => c.seat === seat);
  return own ? [{ seat, id: own.id, shape: book.character(own.id).shape }] : [];
}

function claimsOf(play, id) {
  return Object.entries(play.claims ?? {})
    .map(([seat, said]) => ({ seat: Number(seat), color: said.findLast((claim) => claim.tile === id)?.color }))
    .filter((claim) => claim.color)
    .sort((a, b) => a.seat - b.seat);
}

/** Where phrases are said on the board: the cells they are about, and the zombies of those who say them (pure). */

import { townOf } from "./town.js";

/** All cells of the map, row by row. */
export function places({ play }, book) {
  const town = townOf(play, book);
  return town === null ? [] : Array.from({ length: town.size }, (_, cell) => town.id(cell));
}

/** The zombies of a seat. */
export function speakers(seat, { play }) {
  const own = Object.values(play.pieces).filter(({ controller }) => controller === seat);
  return own.map(({ id }) => `[data-piece="${id}"]`);
}

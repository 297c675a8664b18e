/** Where phrases are said on the board: the rooms they are about, and the figures of those who say them (pure). */

/** All rooms, row by row. */
export function places(state) {
  return Object.keys(state.play.grid).sort();
}

/** The characters of a seat that are on the board, those alone who still have a room. */
export function speakers(seat, { play }) {
  const own = Object.entries(play.characters).filter(([, character]) => character.seat === seat && character.cell);
  return own.map(([id]) => `[data-figure="${id}"]`);
}

/** Whose view a state is (pure). */

/** The seat of a viewer, as a number, or null: `seat:3` is 3. */
export function seatOf(viewer) {
  return viewer?.startsWith("seat:") ? Number(viewer.slice("seat:".length)) : null;
}

/** What is planned and not done yet: the steps of a panic, the path of a zombie and its attack (pure). */

/**
 * Where everybody stands once so many steps of the timeline have happened.
 *
 * @param {Told.CerveauuuState} play
 * @param {number} anchor at least what has happened already.
 * @returns {Map<string, string>} cells by piece, of those that move.
 */
export function cellsAfter(play, anchor) {
  const { timeline = [], floor = 0 } = play.window ?? {};
  return new Map(timeline.slice(floor, anchor));
}

/**
 * A play as it will be at a moment of its timeline, as far as the cells of pieces go.
 *
 * @param {Told.CerveauuuState} play
 * @param {number|null} anchor null: the present.
 */
export function playAt(play, anchor) {
  if (anchor === null) {
    return play;
  }
  const moved = [...cellsAfter(play, anchor)].filter(([id]) => play.pieces[id]);
  return { ...play, pieces: { ...play.pieces, ...Object.fromEntries(moved.map(([id, cell]) => [id, { ...play.pieces[id], cell }])) } };
}

/**
 * The ways that are still planned.
 *
 * @param {Told.CerveauuuState} play
 * @returns {Array<{piece: string, cells: string[]}>} from where each stands now.
 */
export function waysAhead(play) {
  const { timeline = [], floor = 0 } = play.window ?? {};
  const ways = new Map();
  for (const [piece, cell] of timeline.slice(floor)) {
    if (play.pieces[piece]) {
      ways.set(piece, [...(ways.get(piece) ?? [play.pieces[piece].cell]), cell]);
    }
  }
  return [...ways].map(([piece, cells]) => ({ piece, cells }));
}

/** Who is attacked from where, as it is announced or fought out; null: nobody. */
export function attackAhead(play) {
  const { fight, activation } = play;
  if (fight) {
    return { from: play.pieces[fight.principal]?.cell ?? null, target: fight.target };
  }
  if (!activation?.attack || activation.stopped) {
    return null;
  }
  const from = activation.rest?.at(-1) ?? play.pieces[activation.zombie]?.cell ?? null;
  return { from, target: activation.attack };
}

/** What a seat knew of the rooms: those that lie open, and those behind whose hatch it has looked. Both are public, what lies there is not. */

import { CELLS } from "../fold/grid.js";
import { t } from "../../../words.js";

/** @import { Known } from "../../contract.js" */

/** @type {import("../../contract.js").GameHelp["knowledge"]} */
export function knowledge(seat, { at, first, stateAt, names }) {
  const { grid } = stateAt(at).play ?? {};
  const cells = CELLS.filter((cell) => grid?.[cell]);
  const { open, looked } = cells.length > 0 ? firstSeen(stateAt, first, at) : { open: new Map(), looked: new Map() };
  return cells.map((cell) => knownOf(grid[cell], cell, { seat, open, looked, names }));
}

/** @returns {Known} */
function knownOf({ id, kind }, cell, { seat, open, looked, names }) {
  const where = names.cell(cell);
  const what = kind ? t("room25/knew.room", { cell: where, room: names.room(kind) }) : where;
  const bySeat = looked.get(id) ?? new Map();
  const others = [...bySeat.keys()].filter((each) => each !== seat).sort((a, b) => a - b);
  if (open.has(id)) {
    return { target: cell, what, by: "all", since: open.get(id), others: [] };
  }
  const since = bySeat.get(seat) ?? null;
  return { target: cell, what, by: since === null ? "nobody" : "seat", since, others };
}

/** For each tile the version at which it lay open first, and that at which each seat had looked at it. What was open once stays known. */
function firstSeen(stateAt, first, at) {
  const open = new Map();
  const looked = new Map();
  let [grid, peeked] = [null, null];
  for (let version = first; version <= at; version += 1) {
    const { play } = stateAt(version);
    if (play?.grid !== grid) {
      grid = play?.grid ?? null;
      Object.values(grid ?? {}).forEach(({ id, up }) => up && !open.has(id) && open.set(id, version));
    }
    if (play?.peeked !== peeked) {
      peeked = play?.peeked ?? null;
      Object.entries(peeked ?? {}).forEach(([seat, ids]) => ids.forEach((id) => note(looked, id, Number(seat), version)));
    }
  }
  return { open, looked };
}

function note(looked, id, seat, version) {
  const seats = looked.get(id) ?? new Map();
  looked.set(id, seats);
  if (!seats.has(seat)) {
    seats.set(seat, version);
  }
}

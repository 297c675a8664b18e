/**
 * Where actions may lead, for the ghosts on the board (pure): those of a programme that is being put together, and the targets that
 * are to be chosen. Of a programme it is told from where the figure stands now; what the rules allow then, they alone say.
 */

import { CENTRE } from "../fold/grid.js";
import { OPPOSITE, linesThrough, lineOf, neighbours } from "./geometry.js";

/**
 * One place to which something may lead.
 *
 * @typedef {Object} Prospect
 * @property {"walk"|"look"|"line"} kind somebody goes there, a look, a line that moves.
 * @property {string|null} who goes or is pushed there; null: nobody.
 * @property {string|null} from a cell.
 * @property {string} to a cell; of a line its arrow, `row1:left`.
 * @property {number|null} slot of the programme, from 1; null: it is to be chosen now.
 */

/** Decisions in which somebody chooses where the decision's subject goes, or what it looks at. */
const KINDS = { move_target: "walk", tunnel_target: "walk", look_target: "look", starting_clue: "look" };

/** What moves a figure: where the next action begins is not known then. */
const MOVES = new Set(["move", "special"]);

/**
 * Where a programme may lead.
 *
 * @param {{tokens: string[]}} plan
 * @param {any} character
 * @param {any} play
 * @returns {Prospect[]}
 */
export function programmed({ tokens }, character, play) {
  const from = character?.cell;
  if (!from || !play.grid?.[from]) {
    return [];
  }
  const moved = tokens.findIndex((token) => MOVES.has(token));
  const known = tokens.filter((token, i) => token !== "" && (moved < 0 || i <= moved));
  return known.flatMap((token, i) => (AHEAD[token]?.(from, character, play) ?? []).map((each) => ({ ...each, from, slot: i + 1 })));
}

const AHEAD = {
  look: (from, _, play) => beside(from, ({ up }) => !up, play).map((to) => ({ kind: "look", who: null, to })),
  move: (from, { id }, play) => beside(from, isOpen, play).map((to) => ({ kind: "walk", who: id, to })),
  push(from, { id }, play) {
    const others = Object.values(play.characters).filter((each) => each.id !== id && each.cell === from && each.alive !== false && !each.hidden);
    const victim = others.length === 1 ? others[0].id : null;
    return from === CENTRE || others.length === 0 ? [] : beside(from, isOpen, play).map((to) => ({ kind: "walk", who: victim, to }));
  },
  control(from, _, play) {
    const ways = linesThrough(from).flatMap((line) => lineOf(line).ways.map((way) => ({ line, way })));
    const free = from === CENTRE ? [] : ways.filter(({ line, way }) => play.markers?.[line] !== OPPOSITE[way]);
    return free.map(({ line, way }) => ({ kind: "line", who: null, to: `${line}:${way}` }));
  },
};

const isOpen = ({ seal, lock }) => !seal && !lock;

function beside(from, fits, play) {
  return [...neighbours(from).values()].filter((to) => play.grid[to] && fits(play.grid[to]));
}

/**
 * Where the options lead that can be chosen on the board: each place once for everybody who may get there, in however many options.
 *
 * @param {Map<string, import("../../contract.js").Choice[]>} choices
 * @param {any} play
 * @returns {Prospect[]}
 */
export function offered(choices, play) {
  const entries = new Set([...choices.values()].flat());
  const found = [...entries].map(({ decision, option }) => leads(decision, option.meaning ?? {}, play)).filter((each) => each !== null);
  return [...new Map(found.map((each) => [`${each.kind} ${each.who} ${each.to}`, each])).values()];
}

/** @returns {Prospect|null} */
function leads({ kind, subject }, { cell, character }, play) {
  const pushed = kind === "push_target" ? character : null;
  const who = pushed ?? subject ?? null;
  const sort = pushed ? "walk" : KINDS[kind];
  if (!cell || sort === undefined) {
    return null;
  }
  return { kind: sort, who: sort === "walk" ? who : null, from: play.characters?.[who]?.cell ?? null, to: cell, slot: null };
}

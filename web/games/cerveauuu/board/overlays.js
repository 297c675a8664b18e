/** What lies over the town: reach and sight of a piece, plans, what can be chosen, what has just changed. */

import { s } from "../../../dom.js";
import { CELL, cornerOf, lineOf, middleOf, squares } from "./ground.js";
import { figure } from "./figures.js";
import { attackAhead, cellsAfter, waysAhead } from "./plan.js";
import { isEdge, isPiece } from "./places.js";
import { isHuman, reachOf, sightOf, watchersOf } from "./reach.js";

/** @import { Town } from "./town.js" */

/**
 * Where a piece can go and what it sees, or by whom it is seen.
 *
 * @param {Told.CerveauuuState} play
 * @param {Town} town
 * @param {Told.CerveauuuPiece} piece
 */
export function inspection(play, town, piece) {
  const human = isHuman(piece);
  const seen = human ? sightOf(play, town, piece) : [];
  const watchers = human ? [] : watchersOf(play, town, piece);
  const own = town.cell(piece.cell);
  return [
    human && s("path", { class: "cv-sight", d: squares(town, [...seen].filter((cell) => cell !== own)) }),
    s("path", { class: "cv-reach", d: squares(town, reachOf(play, town, piece)) }),
    watchers.map(({ cell }) => ray(town, town.cell(cell), own)),
    s("path", { class: "cv-inspected", d: squares(town, [own]) }),
  ];
}

function ray(town, from, to) {
  const [a, b] = [middleOf(town, from), middleOf(town, to)];
  return s("path", { class: "cv-ray", d: `M${a.x} ${a.y}L${b.x} ${b.y}` });
}

/** How far from the middle of a cell an attack begins and ends, so that the numbers of the two can be read. */
const CLEAR = 8;

/**
 * The ways that are planned; they lie below the pieces, whose numbers would else be struck through.
 *
 * @param {Told.CerveauuuState} play
 * @param {Town} town
 */
export function plannedWays(play, town) {
  const at = (cell) => middleOf(town, town.cell(cell));
  return waysAhead(play).map(({ piece, cells }) => {
    const points = cells.map(at).map(({ x, y }) => `${x} ${y}`);
    const end = at(cells.at(-1));
    return [
      s("path", { class: ["cv-way", isHuman(play.pieces[piece]) && "cv-way-human"], d: `M${points.join("L")}` }),
      s("circle", { class: "cv-way-end", cx: end.x, cy: end.y, r: 4 }),
    ];
  });
}

/**
 * The attack that is planned, and where everybody will be at the moment that is looked at.
 *
 * @param {Told.CerveauuuState} play
 * @param {Town} town
 * @param {number|null} anchor
 */
export function planned(play, town, anchor) {
  const at = (cell) => middleOf(town, town.cell(cell));
  const attack = attackAhead(play);
  const target = attack && play.pieces[attack.target];
  const ghosts = anchor === null ? [] : [...cellsAfter(play, anchor)].filter(([piece]) => play.pieces[piece]);
  return [
    attack?.from && target && s("path", { class: "cv-attack", d: between(at(attack.from), at(target.cell)) }),
    ghosts.map(([piece, cell]) => {
      const { x, y } = at(cell);
      return s("g", { class: "cv-ghost", transform: `translate(${x} ${y})` }, figure(play.pieces[piece], play));
    }),
  ];
}

/** A line from one point towards another that keeps clear of both. */
function between(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const cut = Math.min(CLEAR / Math.hypot(dx, dy), 0.5);
  return `M${from.x + dx * cut} ${from.y + dy * cut}L${to.x - dx * cut} ${to.y - dy * cut}`;
}

/**
 * Marks on the cells of pieces, on cells and on edges.
 *
 * @param {Told.CerveauuuState} play
 * @param {Town} town
 * @param {string[]} targets
 * @param {string} kind
 */
export function marks(play, town, targets, kind) {
  const cellOf = (target) => (isPiece(target) ? play.pieces[target]?.cell : isEdge(target) ? null : target);
  const cells = targets.map(cellOf).filter((cell) => cell && /^r\d/.test(cell)).map((cell) => town.cell(cell));
  return [
    ...[...new Set(cells)].map((cell) => {
      const { x, y } = cornerOf(town, cell);
      return s("rect", { class: kind, x: x + 1.5, y: y + 1.5, width: CELL - 3, height: CELL - 3, rx: 3 });
    }),
    ...targets.filter(isEdge).map((target) => s("line", { class: `${kind}-edge`, ...lineOf(town, town.edgeNumber(target)) })),
  ];
}

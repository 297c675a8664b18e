/** What an option does, in a few words, from its meaning (pure). */

import { ARROWS, cellName, direction } from "../board/geometry.js";
import { t } from "../../../words.js";

/** @import { ComplexBook } from "./book.js" */

/**
 * The text of an option; see `Book.option`.
 *
 * @param {ComplexBook} book
 * @param {{kind: string, subject?: string}} decision
 * @param {{id: string, meaning?: Object}} option
 * @param {Object|null} state
 * @returns {string}
 */
export function optionText(book, decision, option, state) {
  const play = state?.play ?? null;
  const text = byMeaning(book, decision, option, play);
  const ability = option.id.split(":")[0];
  if (decision.kind !== "special_choice") {
    return text;
  }
  const name = book.ability(ability).name;
  return text === null ? name : t("room25/board.option.special", { ability: name, target: text });
}

/** A cell and what is known to lie there: `C2, Dark Chamber`. */
export function cellText(book, cell, play) {
  const tile = play?.grid?.[cell];
  return tile?.kind ? t("room25/board.place", { cell: cellName(cell), room: book.room(tile.kind).name }) : cellName(cell);
}

function byMeaning(book, decision, option, play) {
  const meaning = option.meaning ?? {};
  const shape = Object.keys(meaning).sort().join(" ");
  const make = SHAPES[shape];
  if (make === undefined) {
    return decision.kind === "special_choice" ? null : book.word(`answer.${option.id}`);
  }
  return make({
    book,
    decision,
    id: option.id,
    play,
    at: (cell) => cellText(book, cell, play),
    who: (id) => book.character(id).name,
    ...meaning,
  });
}

/** Every form that a meaning has, by the names of its members. */
const SHAPES = {
  tokens: ({ book, tokens }) => program(book, tokens, false),
  "adrenaline tokens": ({ book, tokens, adrenaline }) => program(book, tokens, adrenaline),
  token: ({ book, token }) => book.action(token).name,
  "slot token": ({ book, slot, token }) => t("room25/board.option.replace", { slot, action: book.action(token).name }),
  "line way": ({ book, line, way }) => `${ARROWS[way]} ${book.lineWay(line, way)}`,
  hide: ({ at, hide }) => t("room25/board.option.hide", { cell: at(hide) }),
  character: ({ book, decision, id, who, character }) => (decision.kind === "acid_victim" ? part(book, id, who(character)) : who(character)),
  cell: ({ at, cell, decision, play }) => step(decision, play, cell) + at(cell),
  "cell character": ({ at, who, character, cell }) => `${who(character)} → ${at(cell)}`,
  "cell character second": ({ at, who, character, second, cell }) => `${who(character)}, ${who(second)} → ${at(cell)}`,
  "cell color": ({ book, at, cell, color }) => t("room25/board.option.claim", { cell: at(cell), color: book.color(color) }),
  "cell from": ({ at, cell, from }) => t("room25/board.option.lock", { cell: at(cell), from: at(from) }),
  "first second": ({ at, first, second }) => `${at(first)} ⇄ ${at(second)}`,
  robot: ({ robot }) => t("room25/board.robot", { number: robot }),
  "move robot": ({ at, robot, move }) => `${t("room25/board.robot", { number: robot })} → ${at(move)}`,
  "cell push robot": ({ at, who, robot, push, cell }) =>
    t("room25/board.option.robot_push", { robot: t("room25/board.robot", { number: robot }), character: who(push), cell: at(cell) }),
};

/** Somebody, and which part is theirs in what happens: `Kevin (the passenger)`. */
function part(book, id, character) {
  return t("room25/board.option.part", { character, part: book.word(`answer.${id}`) });
}

function program(book, tokens, adrenaline) {
  const all = [...tokens, ...(adrenaline ? ["adrenaline"] : [])];
  return all.length ? all.map((token) => book.action(token).name).join(" + ") : book.word("answer.nothing");
}

/** The arrow of a step from where the decision's character stands, and a space; nothing if it is no step. */
function step(decision, play, cell) {
  const from = play?.characters?.[decision.subject]?.cell;
  const way = from ? direction(from, cell) : null;
  return way ? `${ARROWS[way]} ` : "";
}

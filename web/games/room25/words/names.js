/** How the page names what a log of Room 25 refers to: characters, rooms, roles, and the parts of an option. */

import { t } from "../../../words.js";

/** @type {import("../../contract.js").GameWords["names"]} */
export function ownNames(book, names) {
  // What a newer service may bring is called by its id: a log goes on where a word is missing.
  const name = (part, id) => (book.has(part, id) ? book.entry(part, id).name : id);
  return {
    ...names,
    cell: (cell) => book.cell(cell),
    room: (kind) => name("rooms", kind),
    role: (id) => name("roles", id),
  };
}

/** @type {import("../../contract.js").GameLog["spell"]} */
export const SPELL = {
  place: (place, book) => book.cell(place),
  cell: (cell, book) => book.cell(cell),
  answers: (option, book) => option.split(/[:+]/).map((part) => partOf(book, part)).join(", "),
};

/** What a character is called, also one that this rulebook does not have. */
export function characterName(book, id) {
  return book.has("characters", id) ? book.character(id).name : id;
}

/** One part of an option's id in words: a cell, a character, an action, a robot, an ability or an answer. */
function partOf(book, part) {
  if (/^r\dc\d$/.test(part)) {
    return book.cell(part);
  }
  const robot = /^(?:robot)?(\d)$/.exec(part)?.[1];
  if (robot) {
    return t("room25/board.robot", { number: robot });
  }
  const list = ["characters", "actions"].find((each) => book.has(each, part));
  if (list) {
    return book.entry(list, part).name;
  }
  const ability = book.json.characters.flatMap((each) => each.abilities).find((each) => each.id === part);
  return ability?.name ?? book.wordOrNothing(`answer.${part}`) ?? part.replaceAll("_", " ");
}

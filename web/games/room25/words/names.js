/** How the page names what a log of Room 25 refers to: characters, rooms and roles. */

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
};

/** What a character is called, also one that this rulebook does not have. */
export function characterName(book, id) {
  return book.has("characters", id) ? book.character(id).name : id;
}

/** How the log names what events refer to: people, characters, rooms, lines. */

import { called } from "../called.js";
import { keyIn, listing, t } from "../words.js";

/**
 * The names of one game.
 *
 * @param {object} book see `book.js`.
 * @param {() => object} table gives the newest state: who sits where does not depend on the moment once a game runs.
 */
export function namesOf(book, table) {
  // What a newer service may bring is called by its id: a log goes on where a word is missing.
  const name = (part, id) => (book.has(part, id) ? book[ONE[part]](id).name : id);
  const player = (seat) => {
    const place = table().seats?.[seat];
    return place === undefined ? t("watch.seat", { seat }) : called(seat, place);
  };
  const character = (id) => name("characters", id);
  return {
    player,
    character,
    characters: (ids) => (ids.length ? listing(ids.map(character)) : t("log.nobody")),
    seated: (seat, ids) => (ids.length ? t("watch.seat.who", { player: player(seat), who: listing(ids.map(character)) }) : player(seat)),
    players: (seats) => (seats.length ? listing(seats.map(player)) : t("log.nobody")),
    cell: (cell) => book.cell(cell),
    room: (kind) => name("rooms", kind),
    role: (id) => name("roles", id),
    roles: (ids) => (ids.length ? listing(ids.map((id) => name("roles", id))) : t("log.nothing")),
    card: (id) => name("cards", id),
    action: (token) => name("actions", token),
    actions: (tokens) => (tokens.length ? tokens.map((token) => (token ? name("actions", token) : "–")).join(" + ") : t("log.nothing")),
    word: (key) => book.word(key),
    key: (key) => keyIn(book.game, key),
    rulebook: () => book.name,
    mode: (id) => name("modes", id),
    decision: (kind) => book.decision(kind),
    parts: (option) => option.split(/[:+]/).map((part) => partOf(book, part)).join(", "),
  };
}

const ONE = { characters: "character", rooms: "room", roles: "role", cards: "card", actions: "action", modes: "mode" };

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
    return book[ONE[list]](part).name;
  }
  const ability = book.json.characters.flatMap((each) => each.abilities).find((each) => each.id === part);
  return ability?.name ?? book.wordOrNothing(`answer.${part}`) ?? part.replaceAll("_", " ");
}

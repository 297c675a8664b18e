/** How the log names what events refer to: people, whom they play, and what the game adds. */

import { called } from "../called.js";
import { gameOf } from "../games/registry.js";
import { Sentences } from "../sentences.js";
import { keyIn, listing, t } from "../words.js";

/**
 * The names at one table.
 *
 * @param {import("../book.js").Book} book
 * @param {() => object} table gives the newest state: who sits where does not depend on the moment once a game runs.
 */
export function namesOf(book, table) {
  const { log, words } = gameOf(book.game);
  const player = (seat) => {
    const place = table().seats?.[seat];
    return place === undefined ? t("watch.seat", { seat }) : called(seat, place);
  };
  const character = (id) => words.character(book, id);
  return words.names(book, {
    game: book.game,
    turn: book.turn,
    byTurn: (id) => book.byTurn(id),
    player,
    seatOf: (account) => Object.entries(table().seats ?? {}).find(([, place]) => place.player === account)?.[0],
    players: (seats) => listing(seats.map(player)),
    character,
    seated: (seat, ids) => (ids.length ? t("watch.seat.who", { player: player(seat), who: listing(ids.map(character)) }) : player(seat)),
    word: (key) => book.word(key),
    key: (key) => keyIn(book.game, key),
    title: () => words.name(book),
    rulebook: () => book.name,
    mode: (id) => (book.has("modes", id) ? book.mode(id).name : id),
    sentences: new Sentences(book, log.spell),
  });
}

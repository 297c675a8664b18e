"use strict";

// A game of the size of ours: 25 rooms with hidden faces, six players with secret programmes.
// Whoever thinks may replace their programme, as often as they like; nobody else sees it.

const ROOMS = 25;
const PLAYERS = 6;
const HIDDEN = "hidden";

/** The state of a new match. */
function setup() {
  return {
    rooms: Array.from({ length: ROOMS }, (_, place) => ({ kind: `kind ${place % 10}`, up: place === 12 })),
    people: Array.from({ length: PLAYERS }, () => ({ room: 12, alive: true, programme: [] })),
    replaced: 0,
  };
}

/** What one player may see of a state. */
function playerView({ G, playerID }) {
  const rooms = G.rooms.map((room) => (room.up ? room : { kind: HIDDEN, up: false }));
  const people = G.people.map((person, seat) =>
    String(seat) === playerID ? person : { ...person, programme: person.programme.map(() => HIDDEN) },
  );
  return { ...G, rooms, people };
}

const bunker = {
  name: "bunker",
  setup,
  playerView,
  minPlayers: PLAYERS,
  maxPlayers: PLAYERS,
  turn: { activePlayers: { all: "programming" }, stages: { programming: {} } },
  moves: {
    // The server alone decides: a client that guesses would have its view before it is delivered.
    program: {
      client: false,
      move: ({ G, playerID }, first, second) => {
        G.people[Number(playerID)].programme = [first, second];
        G.replaced += 1;
      },
    },
  },
};

module.exports = { bunker, PLAYERS };

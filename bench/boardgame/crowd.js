"use strict";

// Six clients at each of some matches. For each line on standard input, a number of seconds, they
// move for so long, and one line says how many moves there were, and after how many seconds. A move
// counts once all six have the state after it; only then does the next player of its match move.
//
// node crowd.js PORT MATCHES

const readline = require("node:readline");
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { bunker, PLAYERS } = require("./bunker.js");

const [port, matches] = process.argv.slice(2).map(Number);

class Match {
  constructor(name) {
    this.have = Array(PLAYERS).fill(-1);
    this.waiting = null;
    this.moves = 0;
    this.clients = this.have.map((_, seat) => this.join(name, seat));
  }

  join(name, seat) {
    const client = Client({
      game: bunker,
      numPlayers: PLAYERS,
      playerID: String(seat),
      matchID: name,
      multiplayer: SocketIO({
        server: `http://127.0.0.1:${port}`,
        socketOpts: { transports: ["websocket"] },
      }),
      debug: false,
    });
    client.subscribe((state) => {
      if (state !== null) {
        this.have[seat] = state._stateID;
        this.look();
      }
    });
    client.start();
    return client;
  }

  look() {
    if (this.waiting !== null && this.have.every((version) => version >= this.waiting.version)) {
      const { resolve } = this.waiting;
      this.waiting = null;
      resolve();
    }
  }

  /** Resolves once all clients have a version. */
  all(version) {
    return new Promise((resolve) => {
      this.waiting = { version, resolve };
      this.look();
    });
  }

  async move() {
    const next = Math.max(...this.have) + 1;
    this.clients[this.moves % PLAYERS].moves.program(this.moves % 5, this.moves % 3);
    await this.all(next);
    this.moves += 1;
  }

  async play(until) {
    while (performance.now() < until) {
      await this.move();
    }
  }
}

async function main() {
  const all = [];
  for (let number = 0; number < matches; number += 1) {
    const match = new Match(`match ${number}`);
    await match.all(0);
    all.push(match);
  }
  process.stdout.write("ready\n");
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const before = all.reduce((sum, match) => sum + match.moves, 0);
    const began = performance.now();
    await Promise.all(all.map((match) => match.play(began + 1000 * Number(line))));
    const moves = all.reduce((sum, match) => sum + match.moves, 0) - before;
    process.stdout.write(`${moves} ${(performance.now() - began) / 1000}\n`);
  }
  process.exit(0);
}

main();

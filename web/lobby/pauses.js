/** Which of the reader's games would like to pause, pause, or go on: told by the notices of `GET /v1/stream`. */

import { calledInRow } from "../called.js";
import { newsName, proposalName } from "../calling/caller.js";

/** @import { Call, News } from "../calling/caller.js" */

/**
 * A pause as the notices tell it.
 *
 * @typedef {object} Running
 * @property {"players"|"director"|"held"} by
 * @property {number} number how many pauses the players had agreed on by then.
 */

/** What the reader is called for: pauses of the players. A director's calls nobody. */
export class PauseCalls {
  /** Proposals that wait for the reader's answer, by game. @type {Map<string, {seat: number, until: number, there?: boolean}>} */
  #asked = new Map();
  /** @type {Map<string, Running>} */
  #running = new Map();
  /** What has happened and was not told yet. @type {Array<{game: string, why: "paused"|"resumed", number: number}>} */
  #news = [];
  /** Whether the stream has said how the games stand. */
  #begun = false;

  /**
   * Take a notice.
   *
   * @param {string} name
   * @param {any} body that of a notice; after `games`, with which the stream begins, a list of how each game stands.
   */
  hear(name, body) {
    if (name === "games") {
      this.#beginAnew(body);
    } else if (name === "pause-proposed") {
      this.#asked.set(body.game, body.proposed);
    } else if (name === "pause-settled") {
      this.#asked.delete(body.game);
    } else if (name === "game-paused") {
      this.#pauses(body.game, body.pause);
    } else if (name === "game-resumed") {
      this.#goesOn(body.game, body.pause);
    } else if (body.result) {
      this.#asked.delete(body.game);
      this.#running.delete(body.game);
    }
  }

  /**
   * The games that wait for the reader's answer.
   *
   * @param {Array<any>} rows the reader's tables.
   * @param {string|null} me the reader's player id.
   * @param {number} now by the service's clock.
   * @returns {Call[]}
   */
  waiting(rows, me, now) {
    const standing = [...this.#asked].filter(([, { until }]) => now < until);
    return standing.map(([game, asked]) => ({ game, why: "pause", decisions: [proposalName(asked)], due: null, others: othersAt(game, rows, me), there: asked.there }));
  }

  /** When the next proposal lapses, of which there is no notice; null: none waits. */
  nextLapse(now) {
    const times = [...this.#asked.values()].map(({ until }) => until).filter((until) => now < until);
    return times.length > 0 ? Math.min(...times) : null;
  }

  /**
   * What has become of games since this was asked last.
   *
   * @param {Array<any>} rows the reader's tables.
   * @param {string|null} me the reader's player id.
   * @returns {News[]}
   */
  takeNews(rows, me) {
    const taken = this.#news;
    this.#news = [];
    return taken.map(({ game, why, number }) => ({ game, why, name: newsName(why, number), others: othersAt(game, rows, me) }));
  }

  /** The stream begins, or begins again after it has broken: what has changed meanwhile is news. */
  #beginAnew(games) {
    const before = this.#running;
    this.#asked = new Map();
    this.#running = new Map();
    const known = this.#begun;
    this.#begun = true;
    for (const { game, pauses } of games.filter((each) => each.status === "live")) {
      const [was, is] = [before.get(game), pauses.running];
      if (pauses.call !== null) {
        this.#asked.set(game, { ...pauses.call, there: !known });
      }
      if (known && was !== undefined && was.number !== is?.number) {
        this.#goesOn(game, was);
      }
      if (known && is !== null && was?.number !== is.number) {
        this.#pauses(game, is);
      }
      if (is !== null) {
        this.#running.set(game, is);
      }
    }
  }

  /** @param {string} game @param {Running} pause */
  #pauses(game, pause) {
    this.#running.set(game, pause);
    if (pause.by === "players") {
      this.#news.push({ game, why: "paused", number: pause.number });
    }
  }

  /** @param {string} game @param {Running} pause the one that is over. */
  #goesOn(game, pause) {
    this.#running.delete(game);
    if (pause.by === "players") {
      this.#news.push({ game, why: "resumed", number: pause.number });
    }
  }
}

function othersAt(game, rows, me) {
  const row = rows.find(({ id }) => id === game);
  return (row?.seats ?? []).filter(({ player }) => player !== me).map(calledInRow);
}

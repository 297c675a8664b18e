/** Which of the reader's games wait for a decision: told by the notices, and read again where a game has moved. */

import { get } from "../net/api.js";
import { Problem } from "../net/problem.js";

/** The decisions that wait for the reader, game by game. */
export class Calls {
  #known = new Map();

  /** How many decisions of a game wait for the reader. */
  count(game) {
    return this.#known.get(game)?.count ?? 0;
  }

  /** How many games wait for the reader. */
  get games() {
    return [...this.#known.values()].filter((known) => known.count > 0).length;
  }

  /**
   * Read anew what has moved.
   *
   * @param {Array<object>} rows the reader's tables, as `GET /v1/games` has them.
   * @param {AbortSignal} signal
   * @returns {Promise<string[]>} the games that ask something new.
   */
  async refresh(rows, signal) {
    const live = rows.filter((row) => row.status === "live");
    for (const game of this.#known.keys()) {
      if (!live.some((row) => row.id === game)) {
        this.#known.delete(game);
      }
    }
    const moved = live.filter((row) => this.#known.get(row.id)?.version !== row.version);
    const asked = await Promise.all(moved.map((row) => this.#read(row, signal)));
    return asked.filter(Boolean);
  }

  async #read(row, signal) {
    const before = this.#known.get(row.id);
    const answer = await this.#ask(row.id, before?.etag, signal);
    if (answer === null) {
      return null;
    }
    const ids = answer.status === 304 ? before.ids : waiting(answer.body.decisions);
    this.#known.set(row.id, { version: row.version, etag: answer.etag ?? before?.etag, ids, count: ids.length });
    return ids.some((id) => !before?.ids.includes(id)) ? row.id : null;
  }

  /** A game that has just gone from the reader (another seat's, annulled) asks nothing; null. */
  async #ask(game, etag, signal) {
    try {
      return await get(`/v1/games/${game}/decisions`, { etag, signal });
    } catch (error) {
      if (error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429) {
        return null;
      }
      throw error;
    }
  }
}

function waiting(decisions) {
  return decisions.filter((decision) => !decision.optional && !decision.answered).map((decision) => decision.id);
}

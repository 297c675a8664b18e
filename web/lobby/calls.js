/** Which of the reader's games wait for a decision: told by the notices, and read again where a game has moved. */

import { calledInRow } from "../called.js";
import { get } from "../net/api.js";
import { isRefusal } from "../net/problem.js";
import { Heard } from "./heard.js";

/** The decisions that wait for the reader, game by game. */
export class Calls {
  #known = new Map();
  #heard = new Heard();

  /** How many decisions of a game wait for the reader. */
  count(game) {
    return this.#known.get(game)?.ids.length ?? 0;
  }

  /**
   * Where the reader is waited for.
   *
   * @param {Array<any>} rows the reader's tables.
   * @param {string|null} me the reader's player id.
   * @returns {import("../calling/caller.js").Call[]}
   */
  waiting(rows, me) {
    const asking = [...this.#known].filter(([, { ids }]) => ids.length > 0);
    return asking.map(([game, { ids, due }]) => {
      const row = rows.find(({ id }) => id === game);
      const others = (row?.seats ?? []).filter(({ player }) => player !== me).map(calledInRow);
      return { game, why: "turn", decisions: ids, due: row?.paused ? null : due, others };
    });
  }

  /**
   * Take a notice of `GET /v1/stream`: what it tells of is read in the next round.
   *
   * @param {any} body that of a notice, or the list that the stream begins with.
   */
  hear(body) {
    if (body.call || this.#known.has(body.game)) {
      this.#heard.hear(body.game, body.version);
    }
  }

  /**
   * Read anew what has moved.
   *
   * @param {Array<object>} rows the reader's tables, as `GET /v1/games` has them.
   * @param {AbortSignal} signal
   * @returns {Promise<string[]>} the games that ask something new.
   */
  async refresh(rows, signal) {
    const listed = rows.filter((row) => row.status === "live");
    this.#heard.read(listed);
    const live = new Map(listed.map((row) => [row.id, row.version]));
    this.#heard.versions.forEach(([game, version]) => live.set(game, version));
    [...this.#known.keys()].filter((game) => !live.has(game)).forEach((game) => this.#known.delete(game));
    const moved = [...live].filter(([game, version]) => this.#known.get(game)?.version !== version);
    const asked = await Promise.all(moved.map(([game, version]) => this.#read(game, version, signal)));
    return asked.filter(Boolean);
  }

  async #read(game, version, signal) {
    const before = this.#known.get(game);
    const answer = await this.#ask(game, before?.etag, signal);
    if (answer === null) {
      this.#heard.forget(game);
      return null;
    }
    const asks = answer.status === 304 ? before : waiting(answer.body.decisions);
    this.#known.set(game, { version, etag: answer.etag ?? before?.etag, ids: asks.ids, due: asks.due });
    return asks.ids.some((id) => !before?.ids.includes(id)) ? game : null;
  }

  /** A game that has just gone from the reader (another seat's, annulled) asks nothing; null. */
  async #ask(game, etag, signal) {
    try {
      return await get(`/v1/games/${game}/decisions`, { etag, signal });
    } catch (error) {
      if (isRefusal(error)) {
        return null;
      }
      throw error;
    }
  }
}

/** @returns {{ids: string[], due: number|null}} */
function waiting(decisions) {
  const asked = decisions.filter((decision) => !decision.optional && !decision.answered);
  const dues = asked.flatMap(({ deadline }) => deadline ?? []);
  return { ids: asked.map(({ id }) => id), due: dues.length > 0 ? Math.min(...dues) : null };
}

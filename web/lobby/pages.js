/** Lists of games, page by page, kept fresh with entity tags. */

import { get } from "../net/api.js";
import { listPath } from "./queries.js";

/** A list of games: as many pages of it as were asked for. */
export class GamePages {
  #etags = [];
  #bodies = [];
  #wanted = 1;

  /** @param {Object<string, string|number>} query of `GET /v1/games`. */
  constructor(query) {
    this.query = query;
  }

  /** The tables that are known, the newest first. @returns {Array<any>} */
  get rows() {
    const found = new Map(this.#bodies.flatMap((page) => page.games).map((row) => [row.id, row]));
    return [...found.values()];
  }

  /** Whether there is a further page. */
  get more() {
    return this.#bodies.at(-1)?.next != null;
  }

  /** Ask for one page more from now on. */
  widen() {
    this.#wanted = this.#bodies.length + 1;
  }

  /**
   * Read what is new.
   *
   * @param {AbortSignal} signal
   * @throws {Problem} refused, or out of reach; what is known stays.
   */
  async refresh(signal) {
    let cursor = null;
    for (let page = 0; page < this.#wanted; page += 1) {
      const before = this.#bodies[page];
      const same = before !== undefined && before.cursor === cursor;
      const answer = await get(listPath(this.query, cursor), { etag: same ? this.#etags[page] : undefined, signal });
      if (answer.status !== 304) {
        this.#bodies[page] = { ...answer.body, cursor };
        this.#etags[page] = answer.etag;
      }
      cursor = this.#bodies[page].next;
      if (cursor === null) {
        this.#bodies.length = page + 1;
        return;
      }
    }
  }
}

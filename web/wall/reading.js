/** Reads how the tables of a wall stand: one request for all of them, and another for which they are. */

import { GamePages } from "../lobby/pages.js";
import { get } from "../net/api.js";
import { TABLES_MAX } from "./choice.js";

/** @import { Choice } from "./choice.js" */

/** How many rows a page of the list has at most. */
const PAGE = 100;
/** Which tables there are is asked every so many rounds. */
const LIST_ROUNDS = 5;

export class WallReading {
  /** The tables that have been on this wall: who ends stays. @type {string[]} */
  #ids = [];
  #round = 0;
  #etag = /** @type {string|null} */ (null);
  #asked = "";
  #body = { tables: [], missing: [] };
  /** Lists of the tables that fit, those that go before others first. @type {GamePages[]} */
  #lists;

  /** Whether there are more tables than a wall has room for. */
  more = false;

  /** @param {Choice} choice */
  constructor(choice) {
    this.choice = choice;
    const wished = Object.fromEntries(Object.entries(choice.filter).filter(([, value]) => value !== ""));
    const { host, tables, tournament } = choice;
    const query = { ...wished, ...(host !== "" && { player: host }), ...(tournament !== "" && { tournament }), limit: PAGE };
    // Whoever holds a tournament also looks for the tables that wait for somebody.
    const statuses = tournament === "" ? ["live"] : ["live", "open"];
    this.#lists = tables === null ? statuses.map((status) => new GamePages({ ...query, status })) : [];
  }

  /**
   * How the tables stand now.
   *
   * @param {AbortSignal} signal
   * @returns {Promise<{tables: any[], missing: string[]}>}
   * @throws {Problem} refused, or out of reach.
   */
  async read(signal) {
    if (this.#round % LIST_ROUNDS === 0) {
      await this.#choose(signal);
    }
    this.#round += 1;
    if (this.#ids.length === 0) {
      return { tables: [], missing: [] };
    }
    const path = `/v1/wall?${new URLSearchParams({ tables: this.#ids.join(",") })}`;
    const answer = await get(path, { etag: path === this.#asked ? (this.#etag ?? undefined) : undefined, signal });
    this.#asked = path;
    if (answer.status !== 304) {
      this.#etag = answer.etag;
      this.#body = answer.body;
    }
    return this.#body;
  }

  /** Ask for the list with the next round. */
  anew() {
    this.#round = 0;
  }

  /** Those that are played go before those that wait and those that have ended, where there is no room for all. */
  async #choose(signal) {
    const { host, tables } = this.choice;
    if (tables !== null) {
      this.#ids = tables;
      return;
    }
    await Promise.all(this.#lists.map((list) => list.refresh(signal)));
    const fits = (row) => row.visibility === "public" && (host === "" || row.host === host);
    // A table that begins meanwhile may stand in both lists.
    const found = [...new Set(this.#lists.flatMap(({ rows }) => rows.filter(fits).map(({ id }) => id)))];
    const before = this.#ids.filter((id) => !found.includes(id));
    this.more = found.length > TABLES_MAX || this.#lists.some(({ more }) => more);
    this.#ids = [...found, ...before].slice(0, TABLES_MAX);
  }
}

/** What notices have told of the reader's tables, and the lists do not know yet (pure). */

/** Rounds in which a table is looked for: one that the reader is no more concerned with comes into no list. */
const ROUNDS = 12;

/** The versions of tables that the lists have yet to reach. */
export class Heard {
  /** @type {Map<string, {version: number, rounds: number}>} */
  #ahead = new Map();

  /** Whether a list does not know something yet that a notice has told. */
  get isAhead() {
    return this.#ahead.size > 0;
  }

  /**
   * Take a notice.
   *
   * @param {string} name
   * @param {any} body that of a notice; after `games`, with which the stream begins, a list of how each game stands.
   */
  hear(name, body) {
    for (const { game, version, result } of name === "games" ? body : [body]) {
      if (result) {
        this.#ahead.delete(game); // it is over, and no list of those that go on will have it
      } else {
        this.#ahead.set(game, { version: Math.max(version, this.#ahead.get(game)?.version ?? 0), rounds: 0 });
      }
    }
  }

  /**
   * Take what the lists say by now.
   *
   * @param {Array<{id: string, version: number}>} rows the reader's tables.
   */
  read(rows) {
    const versions = new Map(rows.map(({ id, version }) => [id, version]));
    for (const [game, told] of this.#ahead) {
      told.rounds += 1;
      if ((versions.get(game) ?? 0) >= told.version || told.rounds >= ROUNDS) {
        this.#ahead.delete(game);
      }
    }
  }
}

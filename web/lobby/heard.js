/** The versions that tables have reached by notices, until the lists know them too (pure). */

/** Rounds in which a table is looked for: one that the reader is no more concerned with comes into no list. */
const ROUNDS = 12;

/** What notices have told of, ahead of the lists. */
export class Heard {
  /** @type {Map<string, {version: number, rounds: number}>} */
  #ahead = new Map();

  /** Whether it is worth the while to read the lists again. */
  get isAhead() {
    return [...this.#ahead.values()].some(({ rounds }) => rounds < ROUNDS);
  }

  /** The versions that the lists do not know yet, by game. @returns {Array<[string, number]>} */
  get versions() {
    return [...this.#ahead].map(([game, { version }]) => [game, version]);
  }

  /** Take what a notice tells. @param {string} game @param {number} version */
  hear(game, version) {
    this.#ahead.set(game, { version: Math.max(version, this.#ahead.get(game)?.version ?? 0), rounds: 0 });
  }

  /** Wait for a table no more. @param {string} game */
  forget(game) {
    this.#ahead.delete(game);
  }

  /** Take what the lists say by now. @param {Array<{id: string, version: number}>} rows */
  read(rows) {
    const listed = new Map(rows.map(({ id, version }) => [id, version]));
    for (const [game, told] of this.#ahead) {
      told.rounds += 1;
      if ((listed.get(game) ?? 0) >= told.version) {
        this.forget(game);
      }
    }
  }
}

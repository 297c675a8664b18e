/** A game as it unfolds: its lines, and the state at any version in between (pure). */

import { seen } from "./lines.js";

/** @import { Line } from "./lines.js" */

const SNAPSHOT_EVERY = 64;

/**
 * All lines of a game from its beginning, or those after a snapshot, for one reader.
 *
 * A version is the number of events up to it. A step is what one command made: it ends with the last event of its
 * batch, and between steps nobody was asked anything.
 */
export class Timeline {
  #fold;
  #lines = [];
  #snapshots;
  #base;
  #live;
  #recent;
  #turns = [];
  #batches = [];

  /** @param {import("./fold.js").Fold} fold of the tables that it may show. */
  constructor(fold) {
    this.#fold = fold;
    this.#begin(0, fold.initial());
  }

  /**
   * A timeline that begins with what was the state at a version.
   *
   * @param {import("./fold.js").Fold} fold
   * @param {{version: number, state: Object}} view a GameView.
   * @returns {Timeline}
   */
  static fromSnapshot(fold, { version, state }) {
    const made = new Timeline(fold);
    made.#begin(version, fold.fromView(state));
    return made;
  }

  /** The first version that can be shown; 0 while there is none. */
  get first() {
    return this.#base > 0 ? this.#base : Math.min(1, this.last);
  }

  /** The last version that has come; 0 while there is none. */
  get last() {
    return this.#base + this.#lines.length;
  }

  /**
   * Add the next line. A line that is here already is passed over: after a break, a stream may say it again.
   *
   * @param {Line} line
   * @returns {boolean} whether it was new.
   * @throws {RangeError} lines before it are missing.
   * @throws {Error} its event does not fit what happened before; the timeline stays as it was.
   */
  append(line) {
    if (line.version <= this.last) {
      return false;
    }
    if (line.version !== this.last + 1) {
      throw new RangeError(`version ${line.version} cannot follow version ${this.last}`);
    }
    this.#live = this.#fold.evolve(this.#fold.copy(this.#live), seen(line));
    this.#lines.push(line);
    this.#note(line);
    return true;
  }

  /**
   * The line of a version.
   *
   * @param {number} version
   * @returns {Line|null} null: it lies before the snapshot, or is still to come.
   */
  line(version) {
    return this.#lines[version - this.#base - 1] ?? null;
  }

  /**
   * The state at a version; do not change what it gives.
   *
   * @param {number} version from `first` to `last`.
   * @returns {Object}
   * @throws {RangeError} there is no such version here.
   */
  at(version) {
    if (!Number.isInteger(version) || version < this.first || version > this.last) {
      throw new RangeError(`version ${version} is not among ${this.first} to ${this.last}`);
    }
    if (version === this.last) {
      return this.#live;
    }
    if (version !== this.#recent.version) {
      this.#recent = { version, state: this.#folded(version) };
    }
    return this.#recent.state;
  }

  /**
   * The first version of each turn, as far as it is here; turn 0 is what comes before the game.
   *
   * @returns {{turn: number, version: number}[]} in order.
   */
  turns() {
    return [...this.#turns];
  }

  /**
   * What each command made, as runs of versions.
   *
   * @returns {{first: number, last: number}[]} in order.
   */
  batches() {
    return this.#batches.map((first, i) => ({ first, last: (this.#batches[i + 1] ?? this.last + 1) - 1 }));
  }

  /** Whether a version ends a step. */
  settled(version) {
    return version === this.last || (version >= this.first && Boolean(this.line(version + 1)?.batch));
  }

  /** The end of the step after `version`; the last version where there is none. */
  nextStep(version) {
    let next = Math.max(version + 1, this.first);
    while (next < this.last && !this.settled(next)) {
      next += 1;
    }
    return Math.min(next, this.last);
  }

  /** The end of the step before `version`; the first version where there is none. */
  previousStep(version) {
    let before = Math.min(version - 1, this.last);
    while (before > this.first && !this.settled(before)) {
      before -= 1;
    }
    return Math.max(before, this.first);
  }

  /**
   * What happened when, for the scrubber.
   *
   * @param {Map<string, string>} kinds the kind of mark of each type of event that has one.
   * @returns {{version: number, kind: string}[]} in order; what annuls a game is a `ruling`, whatever it is by its type.
   */
  marks(kinds) {
    return this.#lines.flatMap(({ version, event }) => {
      const kind = event.reason === "annulled" ? "ruling" : kinds.get(event.type);
      return kind === undefined ? [] : [{ version, kind }];
    });
  }

  /**
   * Forget what came after a version.
   *
   * @param {number} version by default all lines go.
   */
  truncate(version = this.#base) {
    const kept = this.#lines.slice(0, Math.max(0, version - this.#base));
    this.#begin(this.#base, this.#snapshots[0]);
    for (const line of kept) {
      this.append(line);
    }
  }

  #begin(version, state) {
    this.#base = version;
    this.#lines = [];
    this.#snapshots = [state];
    this.#live = state;
    this.#recent = { version, state };
    const turn = this.#fold.turn(state);
    this.#turns = version > 0 && turn !== null ? [{ turn, version }] : [];
    this.#batches = [];
  }

  /** What an added line means for turns, steps and snapshots. */
  #note({ version, batch }) {
    const turn = this.#fold.turn(this.#live);
    if (turn !== null && turn !== this.#turns.at(-1)?.turn) {
      this.#turns.push({ turn, version });
    }
    if (batch !== null || this.#batches.length === 0) {
      this.#batches.push(version);
    }
    if (this.#lines.length % SNAPSHOT_EVERY === 0) {
      this.#snapshots.push(this.#live);
    }
  }

  #folded(version) {
    const place = Math.floor((version - this.#base) / SNAPSHOT_EVERY);
    const snapshot = { version: this.#base + place * SNAPSHOT_EVERY, state: this.#snapshots[place] };
    const { version: before } = this.#recent;
    const start = before <= version && before > snapshot.version ? this.#recent : snapshot;
    const state = this.#fold.copy(start.state);
    for (const line of this.#lines.slice(start.version - this.#base, version - this.#base)) {
      this.#fold.evolve(state, seen(line));
    }
    return state;
  }
}

/** The log of a game as one viewer gets it: from the live stream, or out of an archive. */

import { parseLine } from "../fold/lines.js";
import { Timeline } from "../fold/timeline.js";
import { get } from "../net/api.js";
import { askForNames, learnFromView } from "../net/names.js";
import { eventsPath } from "../net/paths.js";
import { Problem } from "../net/problem.js";
import { follow } from "../net/stream.js";
import { tables } from "../tables.js";
import { Verifier } from "./verifier.js";

/**
 * One viewer's log. `timeline` folds it and `verifier` checks it; `status` is how the connection is ("connecting",
 * "live", "waiting", "ended", "refused", or "archive"), with `problem` and `retryAt` (browser's milliseconds) beside it;
 * `texts` are the lines as they came.
 */
export class Feed {
  /** How often it has been connected. */
  #connections = 0;

  /**
   * @param {string} game its id.
   * @param {string} viewer "public", "seat:2" or "full".
   * @param {{onChange?: () => void, fromSnapshot?: boolean, archive?: object|null, ready?: Promise<unknown>}} options
   *   `onChange` hears of everything new; `fromSnapshot` joins in the middle; `archive` has the lines and the head: then
   *   nothing is fetched. `ready`: what is awaited before the first line is folded, as the game that folds it.
   */
  constructor(game, viewer, { onChange = () => {}, fromSnapshot = false, archive = null, ready } = {}) {
    this.game = game;
    this.viewer = viewer;
    this.onChange = onChange;
    this.archive = archive;
    this.texts = [];
    /** The seats that the game waits for, as it was told last. @type {number[]} */
    this.awaited = [];
    /** Hears when the game waits for others; nothing else is new then. */
    this.onAwaited = () => {};
    this.fromSnapshot = fromSnapshot;
    this.ready = ready;
    this.begun = false;
    // Both are null until the first line or the snapshot is there; so long `last` is 0.
    this.timeline = /** @type {Timeline} */ (/** @type {unknown} */ (null));
    this.verifier = /** @type {Verifier} */ (/** @type {unknown} */ (null));
    this.status = archive === null ? "connecting" : "archive";
    this.problem = null;
    this.retryAt = null;
    this.failure = null;
    this.abort = new AbortController();
    this.earlier = null;
    this.whole = false;
  }

  /** The newest version that is there; 0 before the first. */
  get last() {
    return this.timeline?.last ?? 0;
  }

  /** Ask for the newest version that this viewer may see. */
  async newest() {
    const path = `/v1/games/${encodeURIComponent(this.game)}/head?as=${this.viewer}`;
    return (await get(path, { signal: this.abort.signal })).body.version;
  }

  /** Begin to listen; who has begun goes on. */
  start() {
    if (this.begun) {
      return;
    }
    this.begun = true;
    if (this.archive !== null) {
      this.#begin(new Timeline(tables), 0);
      this.archive.lines.forEach((text) => this.#take(text));
    } else {
      this.#follow();
      document.addEventListener("visibilitychange", () => this.#lookAgain(), { signal: this.abort.signal });
    }
  }

  /** Of a game that is over nothing comes any more, but its players may have been renamed. */
  #lookAgain() {
    if (document.visibilityState === "visible" && this.status === "ended") {
      this.#learnNames({ anew: true });
    }
  }

  /** Listen and compute no more. */
  stop() {
    this.abort.abort();
    this.verifier?.stop();
  }

  /**
   * Get what happened before the snapshot by which one joined. After it the whole log is there and checked.
   *
   * @returns {Promise<boolean>} whether it is there now.
   */
  loadEarlier() {
    this.earlier ??= this.#loadEarlier();
    return this.earlier;
  }

  /** Whether the log lacks its beginning; it does until all of it has come. */
  get joinedLate() {
    return this.fromSnapshot && !this.whole;
  }

  #begin(timeline, after) {
    this.timeline = timeline;
    this.verifier = new Verifier(this.game, { after, headAt: this.#headAt(), onChange: () => this.onChange() });
  }

  /** How the head that everybody is shown is found out; null if an archive has none. */
  #headAt() {
    if (this.archive === null) {
      const path = `/v1/games/${encodeURIComponent(this.game)}/head?as=${this.viewer}`;
      return async (version) => (await get(`${path}&at=${version}`, { signal: this.abort.signal })).body.head;
    }
    const known = this.archive.head;
    return known ? (version) => (version === known.version ? Promise.resolve(known.head) : Promise.reject(new RangeError())) : null;
  }

  async #follow() {
    if (!this.fromSnapshot) {
      this.#begin(new Timeline(tables), 0);
    }
    await this.#listen(this.fromSnapshot ? undefined : 0, this.abort.signal, (text) => this.#take(text), (status) => {
      if (status.state === "live") {
        this.#connections += 1;
        if (this.#connections > 1) {
          this.#learnNames({ anew: true }); // somebody may have been renamed meanwhile
        }
      }
      this.status = status.state;
      this.problem = status.problem ?? null;
      this.retryAt = status.retryAt ?? null;
      this.onChange();
    });
  }

  async #listen(after, signal, onLine, onStatus) {
    const path = eventsPath(this.game, this.viewer);
    const onSnapshot = (view) => {
      learnFromView(view);
      this.#begin(Timeline.fromSnapshot(tables, view), view.version);
      this.onChange();
    };
    const onNames = (names) => {
      learnFromView({ state: this.timeline.at(this.last), names });
      this.onChange();
    };
    const onAsked = ({ asked }) => {
      this.awaited = [...new Set(asked.map(({ seat }) => seat))];
      this.onAwaited();
    };
    try {
      await follow(path, { after, onLine, onSnapshot, onNames, onAsked, onStatus, ready: this.ready, signal });
    } catch (error) {
      // A line that this page cannot read: it says so instead of standing still.
      this.failure = error;
      this.status = "refused";
      this.onChange();
      throw error;
    }
  }

  #take(text) {
    const line = parseLine(text);
    this.timeline.append(line);
    this.verifier.add(line);
    this.texts.push(text);
    this.onChange();
    if (this.archive === null && line.event.type === "seat-taken") {
      this.#learnNames();
    }
  }

  /** Who sat down is called somehow, which the line does not say. Without an answer the seat's number stands for it. */
  async #learnNames(options = {}) {
    if (this.last === 0) {
      return;
    }
    try {
      if (await askForNames(this.game, this.timeline.at(this.last), this.abort.signal, options)) {
        this.onChange();
      }
    } catch (error) {
      if (!(error instanceof Problem || (error instanceof Error && error.name === "AbortError"))) {
        throw error;
      }
    }
  }

  async #loadEarlier() {
    const whole = new Timeline(tables);
    const until = this.timeline.last;
    const texts = [];
    const enough = new AbortController();
    const take = (text) => {
      texts.push(text);
      if (texts.length >= until) {
        enough.abort();
      }
    };
    await this.#listen(0, AbortSignal.any([this.abort.signal, enough.signal]), take, () => {});
    if (texts.length < until) {
      this.earlier = null;
      return false;
    }
    const came = this.timeline;
    const lines = texts.slice(0, until).map(parseLine);
    this.verifier.stop();
    this.whole = true;
    this.#begin(whole, 0);
    for (const line of lines) {
      this.#replay(line);
    }
    this.texts = [...texts.slice(0, until), ...this.texts];
    for (let version = whole.last + 1; version <= came.last; version += 1) {
      this.#replay(came.line(version));
    }
    this.onChange();
    return true;
  }

  #replay(line) {
    this.timeline.append(line);
    this.verifier.add(line);
  }
}

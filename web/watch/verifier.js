/**
 * Recomputes the hash chain while lines arrive, a few at a time, so that drawing never waits for it, and holds what it
 * leads to against the head that the service shows to everybody.
 */

import { available, checkKey, extend, genesis, wrongOpenings } from "../fold/chain.js";

const AT_ONCE = 32;
/** How often it is told how far it has come, which is drawn anew each time. */
const TOLD_EVERY_MS = 250;
const COMPARE_EVERY_MS = 20_000;

/**
 * The check of one log as one viewer gets it.
 *
 * `state` is "checking", "verified", "unverified" or "diverged"; `version` how far the chain is computed and `compared`
 * how far it was found to be everybody's; `since` the version after which it was computed (0: from the beginning);
 * `head` the newest head; `openings` how many commitments were opened and held; `divergedAt` and `reason` say where and
 * why it does not add up; `rules` are the tags of the rules.
 */
export class Verifier {
  /**
   * @param {string} game its id: the beginning of the chain.
   * @param {{after: number, headAt: ((version: number) => Promise<string>)|null, onChange: () => void}} options
   *   `after`: the version of the snapshot one joined by; `headAt` asks the service for its head, null if none is known.
   */
  constructor(game, { after, headAt, onChange }) {
    this.game = game;
    this.since = after;
    this.version = after;
    this.compared = 0;
    this.comparedAt = 0;
    this.headAt = headAt;
    this.onChange = onChange;
    this.head = null;
    this.heads = new Map();
    this.openings = 0;
    this.rules = [];
    this.keyHash = null;
    this.keyHolds = null;
    this.reason = "";
    this.divergedAt = null;
    this.queue = [];
    this.running = false;
    this.stopped = false;
    this.over = false;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    this.state = "checking";
    if (!available() || headAt === null) {
      this.state = "unverified";
      this.reason = available() ? "no-head" : "no-crypto";
    } else if (after > 0) {
      this.#wake();
    }
  }

  /** One more line, in order. */
  add(line) {
    if (this.state === "unverified" || this.state === "diverged") {
      return;
    }
    this.queue.push(line);
    this.#wake();
  }

  /** Compare with a head that somebody else computed or signed; false where it differs. */
  agrees(version, head) {
    const own = this.heads.get(version);
    if (own !== undefined && own !== head) {
      this.#diverge(version, "other-head");
      return false;
    }
    return own !== undefined;
  }

  /** Compute no more. */
  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  get #going() {
    return !this.stopped && this.state !== "diverged";
  }

  #wake() {
    if (!this.running && this.#going) {
      this.#run();
    }
  }

  async #run() {
    this.running = true;
    try {
      if (await this.#begin()) {
        await this.#checkAll();
      }
    } finally {
      this.running = false;
    }
    if (!this.stopped) {
      this.onChange();
    }
  }

  async #checkAll() {
    do {
      await this.#drain();
      await this.#compare();
    } while (this.queue.length > 0 && this.#going);
  }

  async #drain() {
    let done = 0;
    let told = performance.now();
    while (this.queue.length > 0 && this.#going) {
      await this.#check(this.queue.shift());
      done += 1;
      if (done % AT_ONCE === 0) {
        if (performance.now() - told > TOLD_EVERY_MS) {
          told = performance.now();
          this.onChange();
        }
        await new Promise((resolve) => setTimeout(resolve));
      }
    }
  }

  /** What the chain begins with: after a snapshot, the service's head at its version. */
  async #begin() {
    if (this.head !== null) {
      return true;
    }
    this.head = this.since === 0 ? await genesis(this.game) : await this.#published(this.since);
    if (this.head !== null && this.since > 0) {
      this.#held(this.since);
    }
    return this.head !== null;
  }

  /** The service's head, or null: then it is asked again later. */
  async #published(version) {
    try {
      return (await this.headAt?.(version)) ?? null;
    } catch {
      this.#later(COMPARE_EVERY_MS);
      return null;
    }
  }

  /** Hold the chain against the service's head: at first, at the end, and from time to time. */
  async #compare() {
    if (!this.#going || this.version <= this.compared) {
      return;
    }
    const wait = this.comparedAt + COMPARE_EVERY_MS - performance.now();
    if (this.compared > 0 && !this.over && wait > 0) {
      this.#later(wait);
      return;
    }
    const version = this.version;
    const said = await this.#published(version);
    if (said === null) {
      return;
    }
    if (said === this.heads.get(version)) {
      this.#held(version);
    } else {
      this.#diverge(await this.#firstOther(version), "other-head");
    }
  }

  #held(version) {
    this.compared = version;
    this.comparedAt = performance.now();
    this.state = "verified";
  }

  /** The first version whose head is another; heads never meet again once they have parted. */
  async #firstOther(known) {
    let [same, other] = [Math.max(this.compared, this.since), known];
    while (other - same > 1) {
      const middle = Math.floor((same + other) / 2);
      const said = await this.#published(middle);
      if (said === null) {
        break;
      }
      [same, other] = said === this.heads.get(middle) ? [middle, other] : [same, middle];
    }
    return other;
  }

  #later(milliseconds) {
    clearTimeout(this.timer);
    if (!this.stopped) {
      this.timer = setTimeout(() => this.#wake(), milliseconds);
    }
  }


  async #check(line) {
    if (line.version !== this.version + 1) {
      this.#diverge(line.version, "gap");
      return;
    }
    if (!(await this.#openingsHold(line))) {
      this.#diverge(line.version, "opening");
      return;
    }
    this.head = await extend(this.head, line.version, line.publicText);
    this.heads.set(line.version, this.head);
    this.version = line.version;
    this.over ||= line.event.type === "table-closed";
    this.#note(line);
    if (line.event.type === "key-published") {
      await this.#checkKey(line);
    }
  }

  async #openingsHold(line) {
    const wrong = await wrongOpenings(line);
    this.openings += Object.keys(line.opened).length;
    return wrong.length === 0;
  }

  #note(line) {
    const rules = line.batch?.rules;
    if (rules && !this.rules.includes(rules)) {
      this.rules.push(rules);
    }
    this.keyHash = line.event.type === "table-opened" ? line.event.key_hash : this.keyHash;
  }

  async #checkKey(line) {
    if (this.keyHash === null) {
      return;
    }
    this.keyHolds = await checkKey(line.event.key, this.keyHash);
    if (!this.keyHolds) {
      this.#diverge(line.version, "key");
    }
  }

  #diverge(version, reason) {
    this.state = "diverged";
    this.divergedAt = version;
    this.reason = reason;
    this.queue = [];
    this.onChange();
  }
}

/**
 * What the badge says of a check.
 *
 * @param {Verifier|null} verifier
 * @returns {"verified"|"since"|"unverified"|"diverged"}
 */
export function badgeOf(verifier) {
  if (verifier === null || verifier.state === "checking" || verifier.state === "unverified") {
    return "unverified";
  }
  if (verifier.state === "diverged") {
    return "diverged";
  }
  return verifier.since === 0 ? "verified" : "since";
}

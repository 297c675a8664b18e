/** Recomputes the hash chain while lines arrive, a few at a time, so that drawing never waits for it. */

import { available, checkKey, extend, genesis, wrongOpenings } from "../fold/chain.js";

const AT_ONCE = 32;

/**
 * The check of one log as one viewer gets it.
 *
 * `state` is "checking", "verified", "unverified" or "diverged"; `version` how far the chain is computed; `since` the
 * version after which it was (0: from the beginning); `head` the newest head; `openings` how many commitments were
 * opened and held; `divergedAt` and `reason` say where and why it does not add up; `rules` are the tags of the rules.
 */
export class Verifier {
  /**
   * @param {string} game its id: the beginning of the chain.
   * @param {{after: number, onChange: () => void}} options `after`: the version of the snapshot one joined by.
   */
  constructor(game, { after, onChange }) {
    this.game = game;
    this.since = after;
    this.version = after;
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
    // After a snapshot there is nothing to be checked until something comes.
    this.state = available() ? (after > 0 ? "verified" : "checking") : "unverified";
    if (this.state === "unverified") {
      this.reason = "no-crypto";
    }
  }

  /** One more line, in order. */
  add(line) {
    if (this.state === "unverified" || this.state === "diverged") {
      return;
    }
    this.queue.push(line);
    if (!this.running) {
      this.running = true;
      this.#run();
    }
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
  }

  async #run() {
    // A chain that was joined in the middle has no head to go on from: then only gaps and openings can be checked.
    if (this.since === 0) {
      this.head ??= await genesis(this.game);
    }
    let done = 0;
    while (this.queue.length > 0 && !this.stopped && this.state !== "diverged") {
      await this.#check(this.queue.shift());
      done += 1;
      if (done % AT_ONCE === 0) {
        this.onChange();
        await new Promise((resolve) => setTimeout(resolve));
      }
    }
    this.running = false;
    if (this.state === "checking" && !this.stopped) {
      this.state = "verified";
    }
    if (!this.stopped) {
      this.onChange();
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
    if (this.since === 0) {
      this.head = await extend(this.head, line.version, line.publicText);
      this.heads.set(line.version, this.head);
    }
    this.version = line.version;
    this.state = "checking";
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

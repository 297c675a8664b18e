/** Which decisions are open, as far as the page knows (pure): what the service says may be older than what it has taken in. */

/** The decisions of a game that its player has to make or may make. */
export class Asked {
  /** In the order in which they are shown. @type {any[]} */
  #open = [];
  /** The ids of decisions of the player's other seats. @type {string[]} */
  #others = [];
  /** What has been answered, by decision: the version of the receipt. Older answers to our questions are passed over. */
  #done = new Map();
  /** Of the game, as far as it is known here. */
  #version = 0;
  /** Whether the decisions came before the events that ask for them. */
  #early = false;

  /** All that is open, what is asked first, what may be done last. */
  get open() {
    return this.#open;
  }

  /** Their ids. */
  get ids() {
    return new Set(this.#open.map(({ id }) => id));
  }

  /** Their ids, and those of what the same player decides through other eyes. */
  get all() {
    return new Set([...this.ids, ...this.#others]);
  }

  /** The version of the player's own last answer; 0: there is none. */
  get answeredAt() {
    return Math.max(0, ...this.#done.values());
  }

  /** How many the game waits for. */
  get waiting() {
    return this.#open.filter(({ optional, answered }) => !optional && !answered).length;
  }

  /** The version of the game, as far as it is known here. */
  get version() {
    return this.#version;
  }

  /**
   * Take what the service says is open.
   *
   * @param {any} answer the body of `GET …/decisions`, or its list; `others` are the ids of those that are not shown.
   * @param {number} at the version up to which events have come.
   */
  take(answer, at) {
    const list = Array.isArray(answer) ? answer : (answer?.decisions ?? []);
    const version = answer?.version ?? Infinity;
    this.#version = answer?.version ?? this.#version;
    this.#others = answer?.others ?? [];
    this.#open = sorted(list.filter((each) => each.answered || version >= (this.#done.get(each.id) ?? 0)));
    this.reach(at);
  }

  /**
   * Whether what is not asked is over. A pause takes what is asked away and gives it back, and where events have come up to another
   * version than the decisions, there may be one between them.
   *
   * @param {number} at the version up to which events have come; Infinity: nobody knows.
   * @param {{paused_at?: number|null}|null} state of that version.
   */
  isSure(at, state) {
    return !state?.paused_at && (at === Infinity || at === this.#version);
  }

  /** Events have come up to a version; gives whether these decisions had come before the events that ask for them. */
  reach(at) {
    const early = this.#early;
    this.#early = at < this.#version;
    return early;
  }

  /** An answer was taken in: a secret one may be changed; any other decision is over, though older answers may still name it. */
  answered({ id, secret }, receipt) {
    this.#done.set(id, receipt?.version ?? 0);
    this.#open = secret
      ? sorted(this.#open.map((each) => (each.id === id ? { ...each, answered: true } : each)))
      : this.#open.filter((each) => each.id !== id);
  }
}

function sorted(decisions) {
  const rank = (decision) => (decision.kind === "return" ? 0 : decision.optional ? 3 : decision.answered ? 2 : 1);
  return [...decisions].sort((a, b) => rank(a) - rank(b));
}

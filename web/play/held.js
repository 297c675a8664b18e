/**
 * Answers that wait for the moment at which they are to be sent (pure). A game may ask for such a moment, so that the time of an
 * answer tells nothing of what its player had to think about.
 */

/** @typedef {{decision: any, option: any, at: number}} HeldAnswer `at` in milliseconds of the service's clock. */

export class Held {
  /** @type {Map<string, HeldAnswer>} */
  #answers = new Map();

  /** Hold an answer, in place of one that was held for the same decision. */
  hold(decision, option, at) {
    this.#answers.set(decision.id, { decision, option, at });
  }

  /** The answer that is held for a decision; null: none. */
  of(id) {
    return this.#answers.get(id) ?? null;
  }

  /** Take out an answer that is to be sent by now; null: there is none. */
  due(now) {
    const ready = [...this.#answers.values()].find(({ at }) => at <= now) ?? null;
    if (ready !== null) {
      this.#answers.delete(ready.decision.id);
    }
    return ready;
  }

  /** Forget what is held for a decision; whether there was something. */
  drop(id) {
    return this.#answers.delete(id);
  }

  /** Forget what is held for decisions that are open no longer. */
  keep(ids) {
    for (const id of [...this.#answers.keys()].filter((each) => !ids.has(each))) {
      this.#answers.delete(id);
    }
  }
}

/** The last seconds before a deadline, one by one (without a document: timers alone). */

const SECONDS = 10;

/** Browsers cannot set a timer for longer. */
const MOST_MS = 2 ** 31 - 1;

/** Says when each of the last ten seconds begins. */
export class LastSeconds {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;
  /** @type {number|null} */
  #due = null;

  /** @param {{now: () => number, onSecond: (left: number) => void}} options `now` in milliseconds, as deadlines are; `left` from 10 to 1. */
  constructor({ now, onSecond }) {
    this.now = now;
    this.onSecond = onSecond;
  }

  /** Count down to another deadline, in milliseconds; null: to none. */
  set(due) {
    if (due !== this.#due) {
      this.#due = due;
      clearTimeout(this.#timer);
      this.#wait(SECONDS);
    }
  }

  /** Wait for the beginning of a second; those that have begun already are passed over. */
  #wait(most) {
    if (this.#due === null) {
      return;
    }
    const ms = this.#due - this.now();
    const left = Math.min(most, Math.floor(ms / 1000));
    if (left >= 1) {
      this.#timer = setTimeout(() => this.#tick(left), Math.min(ms - 1000 * left, MOST_MS));
    }
  }

  /** The service's clock is learnt of while one waits: what came too soon is waited for again. */
  #tick(left) {
    const early = this.#due !== null && this.#due - this.now() > 1000 * left;
    if (!early) {
      this.onSecond(left);
    }
    this.#wait(early ? left : left - 1);
  }
}

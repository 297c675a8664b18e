/** The moment of a timeline that its reader looks at: chosen beside the board, and shown on it. */

/** @type {WeakMap<object, Lens>} */
const lenses = new WeakMap();

/** The one lens of those who read in the same book. */
export function lensOf(book) {
  const lens = lenses.get(book) ?? new Lens();
  lenses.set(book, lens);
  return lens;
}

class Lens {
  /** How many steps have happened at the moment that is looked at; null: the present. */
  anchor = /** @type {number|null} */ (null);
  #listeners = new Set();

  look(anchor) {
    if (anchor !== this.anchor) {
      this.anchor = anchor;
      this.#listeners.forEach((listener) => listener());
    }
  }

  /** Hear when another moment is looked at; gives how to stop. */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

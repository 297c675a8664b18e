/** Which of the decisions that may be made besides are unfolded. */

export class Unfolded {
  /** Whether they are shown at all. */
  #shown = false;
  #open = new Set();

  /** Whether they are shown at all. */
  get shown() {
    return this.#shown;
  }

  /** Whether a decision is unfolded, once they are shown. */
  has(id) {
    return this.#open.has(id);
  }

  /** Show them, or not; gives whether that is new. */
  show(shown) {
    const isNew = shown !== this.#shown;
    this.#shown = shown;
    return isNew;
  }

  /** Unfold a decision, or fold it up; gives whether that is new. */
  set(id, open) {
    const isNew = open !== this.#open.has(id);
    this.#open[open ? "add" : "delete"](id);
    return isNew;
  }

  /** Forget those that are open no longer. */
  keep(ids) {
    [...this.#open].filter((id) => !ids.has(id)).forEach((id) => this.#open.delete(id));
  }

  /** Those of some decisions that are unfolded now. */
  of(decisions) {
    return this.#shown ? decisions.filter(({ id, optional }) => optional && this.#open.has(id)) : [];
  }
}

/** What somebody points at in a list: told when it changes, and when the list has lost it. */

export class Pointing {
  /** The decision of the option that is pointed at. @type {any} */
  #decision = null;

  /**
   * @param {Element} element the lists are within.
   * @param {((decision: any, option: any) => void)|undefined} tell hears of the option, or of null: none any more.
   */
  constructor(element, tell) {
    this.element = element;
    this.tell = tell;
  }

  at(decision, option) {
    this.#decision = option && decision;
    this.tell?.(decision, option);
  }

  /** What is taken away under a pointer, or with the focus, does not say so itself. */
  look() {
    if (this.#decision !== null && this.element.querySelector(".p-option:is(:hover, :focus)") === null) {
      this.at(this.#decision, null);
    }
  }
}

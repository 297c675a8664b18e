/** Keeps the players of a table told who of the others is connected. */

import { followConnections } from "../net/connections.js";

/** @import { Controller } from "./controller.js" */

/** A part of the page without an element: seats are marked where they are drawn. */
export class Company {
  /** @type {AbortController|null} */
  #following = null;

  /** @param {Controller} controller @param {{mine: () => number[], onChange: () => void}} options */
  constructor(controller, { mine, onChange }) {
    this.controller = controller;
    this.mine = mine;
    this.onChange = onChange;
  }

  /** Begin with a seat at a table that is not over; end with either. */
  update() {
    const wanted = this.mine().length > 0 && this.controller.newestState?.phase !== "finished";
    if (wanted && this.#following === null) {
      this.#following = new AbortController();
      followConnections(this.controller.game, { onChange: this.onChange, signal: this.#following.signal });
    } else if (!wanted) {
      this.stop();
    }
  }

  stop() {
    this.#following?.abort();
    this.#following = null;
  }
}

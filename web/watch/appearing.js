/** When a table comes onto the page: once there is something to see of it, so that it is laid out and drawn once. */

/** After so long its frame stands, and what is in it comes when it has come: a reader sees that something is on its way. */
const PATIENCE_MS = 150;
/** What can be read in the frame alone: why nothing comes. */
const TOLD = new Set(["waiting", "refused"]);

/** @import { Controller } from "./controller.js" */

export class Appearing {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer = undefined;
  #stands = false;

  /** @param {() => void} place puts the table where it is seen. */
  constructor(place) {
    this.place = place;
  }

  /** From now on it is awaited. @param {() => void} draw is called when it comes without anything to see. */
  begin(draw) {
    this.#timer = setTimeout(() => {
      this.#come();
      draw();
    }, PATIENCE_MS);
  }

  /** Whether it stands, to draw something in it; it comes now if there is something. @param {Controller} controller */
  stands({ ready, feed }) {
    if (!this.#stands && (ready || TOLD.has(feed.status))) {
      this.#come();
    }
    return this.#stands;
  }

  /** It is not awaited any more. */
  stop() {
    clearTimeout(this.#timer);
  }

  #come() {
    this.stop();
    if (!this.#stands) {
      this.#stands = true;
      this.place();
    }
  }
}

/** The moments that the scrubber marks, by kind: what events say by their types, and, once a game is over, where it has turned. */

import { markTypes } from "./kinds.js";
import { turningPoint } from "./turning-point.js";

/** @import { Controller } from "./controller.js" */

const TURNING = "turning";

/** Those of the log that is looked at. */
export class Moments {
  #controller;
  #log;
  /** Of which log `#found` is, from where to where. @type {any[]} */
  #read = [];
  /** @type {Map<string, number[]>} */
  #found = new Map();

  /**
   * @param {Controller} controller
   * @param {import("../games/contract.js").GameLog} log the game's.
   */
  constructor(controller, log) {
    this.#controller = controller;
    this.#log = log;
  }

  /** The versions of each kind that there is, in order. */
  get versions() {
    const { timeline, first, last } = this.#controller;
    const read = [timeline, first, last];
    if (timeline && read.some((part, i) => part !== this.#read[i])) {
      this.#read = read;
      this.#found = this.#find(timeline, last);
    }
    return this.#found;
  }

  #find(timeline, last) {
    const byKind = Map.groupBy(timeline.marks(markTypes(this.#log)), ({ kind }) => kind);
    const found = new Map([...byKind].map(([kind, marks]) => [kind, marks.map(({ version }) => version)]));
    const turned = this.#isOver(timeline, last) ? turningPoint(timeline, last, this.#log) : null;
    return turned === null ? found : found.set(TURNING, [turned.at]);
  }

  /** Whether the game is over and all of it is here: of a part nobody knows where the whole has turned. */
  #isOver(timeline, last) {
    return last > 0 && !this.#controller.feed.joinedLate && timeline.at(last).phase === "finished";
  }
}

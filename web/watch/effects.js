/** Shows how a step came about: what moves and what sounds. Loaded when the table stands. */

import { EffectQueue } from "./effect-queue.js";
import { soundOf } from "./sounds.js";
import { wishes } from "../calling/wishes.js";

/** @import { GameMotion } from "../games/contract.js" */

export class Effects {
  /** @param {{board: Element, motion: GameMotion}} options the drawing, and how its game moves. */
  constructor({ board, motion }) {
    this.board = board;
    this.motion = motion;
    this.queue = new EffectQueue({ now: () => performance.now(), sound: (name) => wishes().sound && soundOf(name) });
  }

  /** What the drawing shows, before it is brought up to date. */
  look() {
    return this.motion.look(this.board);
  }

  /**
   * Show how it has become what it shows now.
   *
   * @param {any[]} events in their order.
   * @param {any} before what `look` gave.
   * @param {{still: boolean}} how
   */
  show(events, before, { still }) {
    // Nobody sees it, and it would all come at once.
    if (document.hidden) {
      this.queue.skip();
    } else {
      this.queue.add(this.motion.effects(events, before, this.board), { still });
    }
  }

  /** A sound by itself, where sounds are wanted. */
  sound(name) {
    this.queue.sound(name);
  }

  /** Everything is at its place at once. */
  skip() {
    this.queue.skip();
  }
}

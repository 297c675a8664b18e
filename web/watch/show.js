/** What a table shows beside its board once it stands: how things come about, and the last scene. Neither is waited for. */

import { gameOf } from "../games/registry.js";
import { late, whenIdle } from "../late.js";

/** @import { Book } from "../book.js" */
/** @import { Stage } from "./stage.js" */

export class Show {
  #leave = () => {};
  #started = false;

  /** @param {Stage} stage @param {{book: Book, names: any}} options */
  constructor(stage, { book, names }) {
    this.stage = stage;
    this.book = book;
    this.names = names;
    this.board = gameOf(book.game).board;
  }

  /** The table stands: learn to move, when there is nothing better to do. */
  start() {
    if (!this.#started) {
      this.#started = true;
      whenIdle(() => this.#animate());
    }
  }

  /**
   * Show the last scene.
   *
   * @param {any} state of the end, with everything open.
   * @param {{seat: number|null, won: boolean|null, text: string}} given the reader's seat, what has come of it, and why.
   */
  async finale(state, { seat, won, text }) {
    const had = await haveable([late("watch/finale.js", () => import("./finale.js")), this.board.finale?.()]);
    const [shown, own] = had ?? [];
    const scene = own?.finale(state, { names: this.names, book: this.book, seat, won }) ?? null;
    if (scene !== null && this.stage.element.isConnected) {
      this.#leave();
      const about = gameOf(this.book.game).help.named(null, this.book, `${scene.title}\n${text}`);
      this.#leave = shown.showFinale(this.stage.element, scene, { still: !this.stage.moves, text, about });
      this.stage.effects?.sound(won === false ? "defeat" : "victory");
    }
  }

  stop() {
    this.#leave();
  }

  async #animate() {
    if (this.board.motion === null) {
      return;
    }
    const had = await haveable([this.board.motion(), late("watch/effects.js", () => import("./effects.js"))]);
    if (had !== null) {
      const [{ MOTION }, { Effects }] = had;
      this.stage.animate(new Effects({ board: this.stage.board.element, motion: MOTION }));
    }
  }
}

/**
 * What is being loaded, once it is here; null: it cannot be had now, and the table does without.
 *
 * @param {any[]} coming
 * @returns {Promise<any[]|null>}
 */
async function haveable(coming) {
  try {
    return await Promise.all(coming);
  } catch (error) {
    if (!(error instanceof TypeError)) {
      throw error;
    }
    return null;
  }
}

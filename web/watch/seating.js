/** The seats of a table that has not begun, where one may sit down. */

import { h, clear } from "../dom.js";
import { seatControls } from "../lobby/seats.js";

/** @import { Book } from "../book.js" */
/** @import { Controller } from "./controller.js" */

/** The controls of an open table; nothing once the game has begun. */
export class Seating {
  /**
   * @param {Controller} controller
   * @param {{book: Book, navigate: (address: string) => void, onSeat: (seat: number|null) => void}} options
   *   `onSeat`: the reader has sat down there, or (null) has left.
   */
  constructor(controller, { book, navigate, onSeat }) {
    this.controller = controller;
    this.book = book;
    this.navigate = navigate;
    this.onSeat = onSeat;
    this.controls = null;
    this.element = h("div", { class: "seating", hidden: true });
  }

  /** Draw the newest state of the seats. */
  update() {
    const { controller } = this;
    const state = controller.timeline.at(controller.last);
    const open = state.phase === "open" && !controller.embed;
    this.element.hidden = !open;
    if (!open) {
      this.stop();
      return;
    }
    const view = { id: controller.game, version: controller.last, state };
    if (this.controls === null) {
      this.controls = seatControls({ view, book: this.book, navigate: this.navigate, onSeat: this.onSeat });
      this.element.append(this.controls.element);
    } else {
      this.controls.update(view);
    }
  }

  stop() {
    this.controls?.destroy();
    this.controls = null;
    clear(this.element);
  }
}

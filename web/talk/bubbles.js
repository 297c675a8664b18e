/** What has just been said, shown at the figure of who said it. */

import { called } from "../called.js";
import { h } from "../dom.js";
import { isHeard } from "../net/muted.js";
import { figuresOf, phraseText } from "./targets.js";

/** @import { Controller } from "../watch/controller.js" */

/** How long a bubble stays. */
const SHOWN_MS = 6000;

/** The bubbles over a board. */
export class Bubbles {
  #timers = new Map();
  #seen;

  /**
   * @param {Controller} controller
   * @param {{book: import("../book.js").Book, stage: Element, from: number}} options `stage` holds the board; `from` is the version whose
   *   followers have bubbles.
   */
  constructor(controller, { book, stage, from }) {
    this.controller = controller;
    this.#seen = from;
    this.book = book;
    this.stage = stage;
    this.element = h("div", { class: "talk-bubbles", "aria-hidden": "true" }); // the log tells it to those who do not see
  }

  /** Show what is new; who looks at the past sees no bubbles. */
  update() {
    const { last, following, timeline } = this.controller;
    const from = this.#seen;
    this.#seen = last;
    for (let version = from + 1; following && version <= last; version += 1) {
      const event = timeline.line(version)?.event;
      if (event?.type === "phrase-said") {
        this.#show(event, timeline.at(last));
      }
    }
  }

  stop() {
    for (const [bubble, timer] of this.#timers.values()) {
      clearTimeout(timer);
      bubble.remove();
    }
    this.#timers.clear();
  }

  /** One bubble a seat: what it says next takes the place of what it said. */
  #show(event, state) {
    const place = state.seats[event.seat];
    if (place === undefined || !isHeard(place.player)) {
      return;
    }
    this.#hide(event.seat);
    const who = h("b", { dir: "auto" }, called(event.seat, place));
    const bubble = h("p", { class: "talk-bubble", dataset: { seat: String(event.seat), phrase: event.phrase } }, who, " ", phraseText(event, state, this.book));
    this.element.append(bubble);
    this.#put(bubble, event.seat, state);
    this.#timers.set(event.seat, [bubble, setTimeout(() => this.#hide(event.seat), SHOWN_MS)]);
  }

  #hide(seat) {
    const [bubble, timer] = this.#timers.get(seat) ?? [];
    clearTimeout(timer);
    bubble?.remove();
    this.#timers.delete(seat);
  }

  /** Above the figure, or at the top of the board where the seat has none; never beyond the board's edge. */
  #put(bubble, seat, state) {
    const frame = this.stage.getBoundingClientRect();
    const box = figuresOf(seat, state, this.book.game, this.stage)[0]?.getBoundingClientRect();
    const { width, height } = bubble.getBoundingClientRect();
    const [x, y] = box ? [box.left + box.width / 2 - width / 2, box.top - height] : [frame.left, frame.top];
    const within = (at, least, most) => Math.max(least, Math.min(at, most));
    bubble.style.setProperty("left", `${within(x - frame.left, 0, frame.width - width)}px`);
    bubble.style.setProperty("top", `${within(y - frame.top, 0, frame.height - height)}px`);
  }
}

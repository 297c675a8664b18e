/** Calls whoever sits at the table that is on the page, when it waits for them. */

import { called } from "../called.js";
import { Caller } from "../calling/caller.js";

/** @import { Controller } from "./controller.js" */
/** @import { Playing } from "./playing.js" */

/** The calls of one table: a part of its page. */
export class TableCalls {
  /** @type {Caller|null} */
  #caller = null;
  #drawn = "";

  /** @param {Controller} controller @param {{navigate: (address: string) => void, playing: () => Playing|undefined, mine: () => number[]}} options */
  constructor(controller, { navigate, playing, mine }) {
    this.controller = controller;
    this.navigate = navigate;
    this.playing = playing;
    this.mine = mine;
  }

  /** Something has changed: what is asked, by whom, or until when. */
  update() {
    const { controller } = this;
    const playing = this.playing();
    // A running game asks nothing that is known before the service has said what; another one asks nothing at all.
    const known = controller.ready && (controller.newestState?.phase !== "live" || playing?.answered);
    if (!known || this.mine().length === 0) {
      return;
    }
    this.#caller ??= new Caller({ navigate: this.navigate });
    const calls = this.#calls(playing?.waiting ?? []);
    const drawn = JSON.stringify(calls);
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.#caller.update(calls);
    }
  }

  stop() {
    this.#caller?.close();
  }

  /** @returns {import("../calling/caller.js").Call[]} one at most. */
  #calls(waiting) {
    if (waiting.length === 0) {
      return [];
    }
    const state = this.controller.newestState;
    const mine = this.mine();
    const others = Object.entries(state?.seats ?? {}).filter(([seat]) => !mine.includes(Number(seat)));
    const dues = waiting.flatMap(({ deadline }) => deadline ?? []);
    return [
      {
        game: this.controller.game,
        decisions: waiting.map(({ id }) => id),
        due: dues.length > 0 && !state?.paused_at ? Math.min(...dues) : null,
        others: others.map(([seat, place]) => called(seat, place)),
      },
    ];
  }
}

/** Calls whoever sits at the table that is on the page, when it waits for them, pauses, or goes on. */

import { called } from "../called.js";
import { Caller, newsName, proposalName } from "../calling/caller.js";
import { serverNow } from "../net/clock.js";
import { hasASay, proposalOf } from "../play/pauses.js";

/** @import { Controller } from "./controller.js" */
/** @import { Pausing } from "../play/pausing.js" */
/** @import { Playing } from "./playing.js" */

/** The calls of one table: a part of its page. */
export class TableCalls {
  /** @type {Caller|null} */
  #caller = null;
  #drawn = "";
  /** Whether the game paused by agreement when this was last looked at; null: nobody has looked yet. @type {boolean|null} */
  #paused = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #lapse;

  /**
   * @param {Controller} controller
   * @param {{navigate: (address: string) => void, playing: () => Playing|undefined, pausing: () => Pausing|null|undefined,
   *   mine: () => number[], from: number}} options `from`: the version that was drawn first. What has come since is called for,
   *   though nobody could call yet while this was on its way.
   */
  constructor(controller, { navigate, playing, pausing, mine, from }) {
    this.controller = controller;
    this.from = from;
    this.navigate = navigate;
    this.playing = playing;
    this.pausing = pausing;
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
    this.#caller ??= this.#begin(playing);
    const calls = [...this.#turns(playing?.waiting ?? []), ...this.#proposals(controller.newestState)];
    const drawn = JSON.stringify(calls);
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.#caller.update(calls);
    }
    this.#tell(this.#caller);
  }

  stop() {
    clearTimeout(this.#lapse);
    this.#caller?.close();
  }

  /**
   * What was there when the reader came is not called for. At a table that had not begun that is nothing; of one that ran, the
   * service says only what is asked by now.
   *
   * @param {Playing|undefined} playing
   */
  #begin(playing) {
    const caller = new Caller({ navigate: this.navigate });
    const before = this.controller.timeline.at(this.from);
    const [seat] = this.mine();
    if (before.seats[seat]?.player === this.controller.newestState.seats[seat].player) {
      this.#paused = Boolean(before.pauses?.running);
      const turns = before.phase === "live" ? this.#turns(playing?.waiting ?? []) : [];
      caller.update([...turns, ...this.#proposals(before)]);
    }
    return caller;
  }

  get #table() {
    const mine = this.mine();
    const others = Object.entries(this.controller.newestState?.seats ?? {}).filter(([seat]) => !mine.includes(Number(seat)));
    return { game: this.controller.game, others: others.map(([seat, place]) => called(seat, place)) };
  }

  /** @returns {import("../calling/caller.js").Call[]} one at most. */
  #turns(waiting) {
    if (waiting.length === 0) {
      return [];
    }
    return [{ ...this.#table, why: "turn", decisions: waiting.map(({ id }) => id), due: this.playing()?.due ?? null }];
  }

  /** Somebody would like to pause, and waits for this reader's answer; it lapses by itself. @param {any} state of the table. @returns {import("../calling/caller.js").Call[]} one at most. */
  #proposals(state) {
    clearTimeout(this.#lapse);
    const proposal = proposalOf(state, serverNow());
    const [seat] = this.mine();
    if (proposal === null || proposal.agreed.includes(seat) || !hasASay(state.seats[seat])) {
      return [];
    }
    this.#lapse = setTimeout(() => this.update(), proposal.until - serverNow());
    return [{ ...this.#table, why: "pause", decisions: [proposalName(proposal)], due: null }];
  }

  /** A pause by agreement has begun, or is over; the director's is not called for. @param {Caller} caller */
  #tell(caller) {
    const { pauses, paused_at: since, phase } = this.controller.newestState;
    const [before, paused] = [this.#paused, Boolean(pauses?.running)];
    this.#paused = paused;
    if (before === null || before === paused || (!paused && (since !== null || phase !== "live"))) {
      return;
    }
    const why = paused ? "paused" : "resumed";
    caller.tell({ ...this.#table, why, name: newsName(why, pauses.begun) }, { own: this.pausing()?.takeTurned() ?? false });
  }
}

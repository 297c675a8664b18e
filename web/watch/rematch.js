/** The same table once more: proposing it, hearing of it, and going there. */

import { announce, clear, h, present } from "../dom.js";
import { get, newKey, post } from "../net/api.js";
import { inTurn } from "../net/in-turn.js";
import { Problem } from "../net/problem.js";
import { playerId } from "../net/session.js";
import { listen } from "../net/stream.js";
import { redraw } from "../redraw.js";
import { refusalNote } from "../refusal.js";
import { t } from "../words.js";

/** Notices after which somebody may have proposed a rematch, sat down at it, or called it off. */
const CALLS = new Set(["games", "invited", "seat-taken", "table-closed", "game-started"]);

/**
 * @typedef {Object} Proposal the body of `GET /v1/games/{game}/rematch`.
 * @property {string|null} rematch
 * @property {"open"|"live"|"finished"|null} status
 * @property {number|null} host
 * @property {number[]} missing
 */

/** What there is to say and to do about the rematch of a game that is over. */
export class RematchPanel {
  #read = inTurn(() => this.#fetch());
  #over = new AbortController();
  #begun = false;
  #etag = /** @type {string|null} */ (null);
  #key = newKey();
  #known = /** @type {string|null} */ (null);

  /**
   * @param {{game: string, mine: () => number[], names: any, navigate: (address: string) => void}} options `mine`: the
   *   seats that the reader had.
   */
  constructor({ game, mine, names, navigate }) {
    this.path = `/v1/games/${encodeURIComponent(game)}/rematch`;
    this.mine = mine;
    this.names = names;
    this.navigate = navigate;
    this.trouble = h("div", {});
    this.said = h("div", {});
    this.element = h("div", { class: "rematch" }, this.said, this.trouble);
  }

  /** The game is over, as far as the service says: from now on its rematch is listened for. */
  begin() {
    if (this.#begun) {
      return;
    }
    this.#begun = true;
    this.#read();
    if (playerId() !== null && this.mine().length > 0) {
      listen({ onNotice: (name) => CALLS.has(name) && this.#read(), signal: this.#over.signal });
    }
  }

  stop() {
    this.#over.abort();
  }

  async #fetch() {
    const { signal } = this.#over;
    try {
      const answer = await get(this.path, { etag: this.#etag ?? undefined, signal });
      if (answer.status !== 304) {
        this.#etag = answer.etag;
        this.#draw(answer.body);
      }
    } catch (error) {
      this.#refused(error);
    }
  }

  /** @param {Proposal} proposal */
  #draw(proposal) {
    const [seat] = this.mine();
    clear(this.trouble);
    redraw(this.said, proposal.rematch === null ? this.#none(seat) : this.#some(proposal, seat));
    const isNew = proposal.rematch !== this.#known;
    this.#known = proposal.rematch;
    const sentence = this.said.querySelector("p");
    if (isNew && sentence && proposal.rematch !== null) {
      announce(sentence.textContent);
    }
  }

  #none(seat) {
    return seat === undefined ? [] : [this.#button(t("watch.rematch"))];
  }

  #some({ rematch, status, host, missing }, seat) {
    const go = (text) => h("a", { class: "button primary", href: `/watch/${rematch}`, dataset: { move: "rematch-table" } }, text);
    if (status !== "open") {
      return [h("p", {}, t("watch.rematch.begun")), go(t("watch.rematch.go"))];
    }
    if (!missing.includes(seat)) {
      return present([missing.length > 0 && h("p", {}, t("watch.rematch.waits", { players: this.names.players(missing) })), go(t("watch.rematch.table"))]);
    }
    const who = host === null ? t("watch.rematch.proposed") : t("watch.rematch.proposed_by", { player: this.names.player(host) });
    return [h("p", {}, who), this.#button(t("watch.rematch.join"))];
  }

  #button(text) {
    // Whether one proposes or agrees is the same request: a press that began on one may end on the other.
    return h("button", { type: "button", class: "primary", dataset: { move: "rematch", key: "rematch" }, onclick: () => this.#propose() }, text);
  }

  /** Take one's seat again. The same attempt has the same key, so that it happens once. */
  async #propose() {
    const button = this.said.querySelector("[data-move=rematch]");
    if (button?.getAttribute("aria-disabled") === "true") {
      return;
    }
    button?.setAttribute("aria-disabled", "true");
    clear(this.trouble);
    try {
      const { body } = await post(this.path, {}, { key: this.#key, signal: this.#over.signal });
      this.#key = newKey();
      this.navigate(`/watch/${body.game}`);
    } catch (error) {
      this.#refused(error);
    } finally {
      button?.removeAttribute("aria-disabled");
    }
  }

  #refused(error) {
    if (this.#over.signal.aborted) {
      return;
    }
    if (!(error instanceof Problem)) {
      throw error;
    }
    clear(this.trouble).append(refusalNote(error));
  }
}

/** What a player has missed, on coming back to the table: the last lines of the log, and whether they may act now. */

import { h } from "../dom.js";
import { nameChanges } from "../net/names.js";
import { patch } from "../patch.js";
import { t, tn } from "../words.js";
import { lastSeen, saw } from "./last-seen.js";
import { lastLines } from "./log-text.js";
import { told } from "./story.js";

/** @import { Controller } from "./controller.js" */
/** @import { Playing } from "./playing.js" */

/** So many lines are told; the log has the others. */
const MOST = 8;

/**
 * A computer that is closed stops the page and its connection without a word: the page looks at the time so often, and after so long without a living
 * connection nobody was here. A stream that is dead is found out within five seconds (web/net/stream.js), so before the second beat.
 */
const BEAT_MS = 6_000;
const GONE_MS = 60_000;

/** What is told to whom at which table, until it is closed or answered: a page that is drawn in another language goes on with it. @type {{player: string, game: string, missed: number[]}|null} */
let unread = null;

/** A part of the page. */
export class Away {
  #drawn = "";
  /** How far the reader has seen the game; null: not known yet. */
  #seen = /** @type {number|null} */ (null);
  #begun = false;
  /** Whether nobody looked at the page when something was new. */
  #hidden = false;
  /** When the page was last seen to run and to be connected, by the browser's clock. */
  #aliveAt = Date.now();
  /** Whether the page was stopped or cut off for long, and what came since is perhaps still coming in. */
  #gone = false;
  /** Whether something was asked while this was told: with the answer it has been read. */
  #asked = false;
  #over = new AbortController();

  /**
   * @param {Controller} controller
   * @param {{player: () => string|null, mine: () => number[], playing: () => Playing|undefined, textOf: (version: number) => string,
   *   log: import("../games/contract.js").GameLog, looked: {before: number|null, at: number}|null}} options `player`: whose seats are `mine`; `log` is the game's; `looked`: somebody
   *   looked `at` the version that was drawn first, and had seen the game up to `before`.
   */
  constructor(controller, { player, mine, playing, textOf, log, looked }) {
    this.looked = looked;
    this.controller = controller;
    this.player = player;
    this.mine = mine;
    this.playing = playing;
    this.textOf = textOf;
    this.log = log;
    this.element = h("section", { class: "away", "aria-label": t("watch.away.title"), hidden: true });
    document.addEventListener("visibilitychange", () => this.update(), { signal: this.#over.signal });
    const beats = setInterval(() => this.#beat(), BEAT_MS);
    this.#over.signal.addEventListener("abort", () => clearInterval(beats));
  }

  /** Whether nobody can have followed the game for long: the time has gone on without this page. */
  get #isLate() {
    return Date.now() - this.#aliveAt > GONE_MS;
  }

  /** The first beat after a sleep finds a connection that does not know yet that it is dead; the next one does not. */
  #beat() {
    const connected = this.controller.feed.status === "live";
    this.#gone = this.#isLate || (this.#gone && !connected);
    if (connected) {
      this.#aliveAt = Date.now();
    }
  }

  /** The versions of the events that are told: the names in their sentences may change. */
  get #missed() {
    return unread?.game === this.controller.game && unread.player === this.player() ? unread.missed : [];
  }

  /** Something is new, or somebody looks again. */
  update() {
    const { controller } = this;
    const player = this.player();
    this.#gone ||= this.#isLate;
    if (!controller.ready || !controller.following || player === null || this.mine().length === 0) {
      return;
    }
    if (!this.#begun) {
      this.#begun = true;
      this.#seen = this.looked === null ? lastSeen(player, controller.game) : this.looked.before;
      this.#tell(player);
      this.#seen = this.looked === null ? this.#seen : this.looked.at;
    } else if ((this.#hidden || this.#gone) && !document.hidden) {
      this.#tell(player);
    }
    this.#hidden = document.hidden;
    if (!document.hidden && this.#seen !== controller.last) {
      this.#seen = controller.last;
      saw(player, controller.game, controller.last);
    }
    this.#draw();
  }

  stop() {
    this.#over.abort();
  }

  /** Find out what has been missed. Who has never been here has missed nothing. @param {string} player */
  #tell(player) {
    const { timeline, last, game } = this.controller;
    if (this.#seen === null || this.#seen >= last) {
      return;
    }
    const lines = told(timeline, { from: this.#seen, to: last }, this.log);
    const more = lines.map(({ version }) => version).filter((version) => this.textOf(version) !== "");
    unread = { player, game, missed: [...this.#missed, ...more] };
    this.#asked = false;
  }

  #draw() {
    const asked = this.playing()?.asked ?? null;
    if (this.#asked && asked === null) {
      unread = null;
    }
    this.#asked = asked !== null && !this.#gone; // what was asked before may not be asked any more
    const drawn = JSON.stringify([this.#missed, asked, nameChanges()]);
    this.element.hidden = this.#missed.length === 0;
    if (drawn === this.#drawn) {
      return;
    }
    this.#drawn = drawn;
    const texts = this.#missed.map((version) => this.textOf(version));
    const last = lastLines(texts, MOST);
    const more = texts.length - last.length;
    patch(
      this.element,
      h("h2", {}, t("watch.away.title")),
      more > 0 ? h("p", { class: "muted" }, tn("watch.away.more", more)) : "",
      h("ol", {}, ...last.map((text) => h("li", { class: "listing" }, text))),
      h("p", { class: "away-now" }, asked === null ? t("watch.away.waits") : t("watch.away.asked", { title: asked })),
      h(
        "p",
        { class: "row" },
        asked === null ? "" : h("button", { type: "button", class: "primary", onclick: () => this.playing()?.show() }, t("watch.decide")),
        h("button", { type: "button", dataset: { move: "away-close" }, onclick: () => this.#close() }, t("watch.away.close")),
      ),
    );
  }

  #close() {
    unread = null;
    this.#gone = false;
    this.#aliveAt = Date.now(); // from now on somebody is here
    this.#draw();
  }
}

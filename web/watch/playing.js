/** What the reader may do at this table: answer decisions, or take a seat where it is still open. */

import { focusOn, h } from "../dom.js";
import { gameOf } from "../games/registry.js";
import { get, post } from "../net/api.js";
import { inTurn } from "../net/in-turn.js";
import { pauseAfter, untilWorthTrying } from "../net/pause.js";
import { isPassing } from "../net/problem.js";
import { patch } from "../patch.js";
import { heading } from "../play/decision-card.js";
import { KeptDrafts, KeptStanding } from "../play/kept.js";
import { createPlay } from "../play/play.js";
import { bringUp } from "../play/scrolling.js";
import { sentenceOf } from "../refusal.js";
import { t } from "../words.js";
import { isFree } from "./keys.js";
import { ranOut } from "./time-outs.js";
import { whyNot } from "./why-not.js";

/** @import { Book } from "../book.js" */
/** @import { Controller } from "./controller.js" */

const NOTHING = new Map();
const NONE = [];

/** The panel of somebody who sits at the table. */
export class Playing {
  /** Ask for the decisions; what happens meanwhile makes it ask again. */
  #read = inTurn(() => this.#fetch());
  /** How often that has failed, one time after another. */
  #failures = 0;
  /** Ends the wait for the next attempt. */
  #attempt = new AbortController();

  /**
   * @param {Controller} controller
   * @param {{book: Book, onChoices: () => void, onPoint: (decision: any, option: any) => void}} options `onChoices`: what may be clicked on
   *   the board has changed; `onPoint`: somebody points at an option of a list, or (null) at none any more.
   */
  constructor(controller, { book, onChoices, onPoint }) {
    this.controller = controller;
    this.book = book;
    const { game } = controller;
    const kept = { drafts: new KeptDrafts(game), standing: new KeptStanding(game) };
    this.play = createPlay({ game, book, api: { get, post }, ranOut: ({ seat, at }) => controller.timeline !== null && ranOut(controller.timeline, seat, at), kept, onAnswered: () => this.#read(), onChange: onChoices, onPoint });
    this.past = h(
      "p",
      { class: "banner banner-past" },
      h("span", {}, t("watch.play.past")),
      h("button", { type: "button", onclick: () => controller.follow() }, t("watch.now")),
    );
    this.failed = h("p", { class: "banner banner-broken", role: "alert", hidden: true });
    this.others = h("p", { class: "banner banner-others", hidden: true });
    this.element = h("div", { class: "playing", hidden: true }, this.past, this.failed, this.others, this.play.element);
    /** The reader's own seats: several only at a table that was made so. @type {number[]} */
    this.mine = [];
    this.viewer = controller.viewer;
    this.etag = null;
    /** Whether the service has said what is asked. */
    this.answered = false;
    this.seen = 0;
    this.stopped = false;
  }

  /** What may be clicked on the board now. */
  get choices() {
    return this.#open() ? this.play.choices : NOTHING;
  }

  /** What the player has begun in the game's own forms, or handed in. */
  get begun() {
    return this.#open() ? this.play.begun : NONE;
  }

  /** What can be answered on the board beside what may be clicked. */
  get answers() {
    return this.#open() ? this.play.answers : NONE;
  }

  /** What is asked of the player first, in words; null: nothing. */
  get asked() {
    const first = this.#open() ? this.play.decisions.find((each) => !each.optional && !each.answered) : undefined;
    return first ? heading(first, this.book) : null;
  }

  /** The decisions that wait for the player, whatever is on the page: not those that the page has an answer for. */
  get waiting() {
    const here = !this.element.hidden && this.controller.viewer !== "full";
    return here ? this.play.decisions.filter(({ optional, answered, held }) => !optional && !answered && !held) : [];
  }

  /** Until when the player is to answer, in milliseconds of the service's clock; null: nothing is asked, or no time runs. */
  get due() {
    const dues = this.waiting.flatMap(({ deadline }) => deadline ?? []);
    return dues.length > 0 && !this.controller.newestState?.paused_at ? Math.min(...dues) : null;
  }

  /** Whether the player may yet be asked something. */
  get seated() {
    return !this.element.hidden;
  }

  /** Whether the player has answered, and others have not. */
  get waits() {
    return this.#open() && this.play.waiting === 0 && this.play.decisions.some(({ answered }) => answered);
  }

  /** Bring what is asked into sight, and the keyboard to it. */
  show() {
    const title = this.play.element.querySelector("section[data-decision] h3");
    bringUp(title);
    focusOn(title);
  }

  /** Why a target cannot be chosen while something is asked, in sentences; see `whyNot`. @param {string} target @returns {Promise<string[]>} */
  async reasons(target) {
    const { book, controller } = this;
    const { aim, blank } = gameOf(book.game).board;
    const { choices } = this;
    if (aim === null || !this.#open() || choices.has(target)) {
      return [];
    }
    const state = controller.newestState;
    const offered = (id) => [...choices.values()].flat().filter(({ decision }) => decision.id === id).map(({ option }) => option.meaning ?? {});
    return whyNot(target, {
      game: controller.game,
      decisions: this.waiting,
      aims: (meaning) => aim(meaning, state, book),
      blank: (id, told) => blank(target, [...told, ...offered(id)], state, book),
    });
  }

  /** Whether what may be clicked on the board is on its way. */
  get busy() {
    return this.#open() && this.play.busy;
  }

  /** Ask for the decisions again where something new has happened. */
  update(mine) {
    const { controller } = this;
    const seated = mine.length > 0 && controller.live();
    this.mine = mine;
    if (mine.length > 1 && this.viewer !== controller.viewer) {
      this.seen = 0; // each seat is played through its own eyes
      this.etag = null;
    }
    this.viewer = controller.viewer;
    this.element.hidden = !seated || controller.timeline.at(controller.last).phase !== "live";
    const here = this.#open();
    this.past.hidden = here;
    this.play.element.hidden = !here;
    if (!this.element.hidden && this.seen !== controller.last) {
      this.seen = controller.last;
      this.#read();
    }
  }

  stop() {
    this.stopped = true;
    this.#attempt.abort();
    this.play.destroy();
  }

  /** Keys are for what is decided first, and then for moving through the game. @param {KeyboardEvent} event @returns {boolean} whether this one was. */
  press(event) {
    const taken = this.#open() && !event.shiftKey && isFree(event) && this.play.press(event.key);
    if (taken) {
      event.preventDefault();
    }
    return taken;
  }

  /** Whether the present is on the page: nobody decides while looking at the past. */
  #open() {
    return !this.element.hidden && this.controller.following && this.controller.viewer !== "full";
  }

  /** Of several seats, the decisions of the one through which one looks; the others that are asked are a click away. */
  #ofThisSeat(body) {
    const { controller, mine } = this;
    const here = (seat) => mine.length < 2 || !controller.viewer.startsWith("seat:") || controller.viewer === `seat:${seat}`;
    const others = body.decisions.filter(({ seat }) => !here(seat));
    const asked = others.filter(({ optional, answered }) => !optional && !answered);
    const seats = [...new Set(asked.map(({ seat }) => seat))];
    this.others.hidden = seats.length === 0;
    patch(
      this.others,
      seats.map((seat) => h("button", { type: "button", dataset: { seat: String(seat) }, onclick: () => controller.arrive(`seat:${seat}`) }, t("watch.play.other", { seat }))),
    );
    return { ...body, decisions: body.decisions.filter(({ seat }) => here(seat)), others: others.map(({ id }) => id) };
  }

  async #fetch() {
    this.#attempt.abort();
    if (this.stopped) {
      return;
    }
    try {
      const { status, body, etag } = await get(`/v1/games/${this.controller.game}/decisions`, { etag: this.etag ?? undefined });
      if (this.stopped) {
        return;
      }
      const state = this.controller.newestState; // another view may still be coming in
      this.failed.hidden = true;
      this.#failures = 0;
      if (status === 200) {
        this.etag = etag;
        this.answered = true;
        this.play.update(this.#ofThisSeat(body), { state, at: this.controller.last });
      } else {
        this.play.look(state, this.controller.last);
      }
    } catch (problem) {
      if (!this.stopped) {
        this.#fail(problem);
      }
    }
  }

  /** Say that what is asked could not be read; where that may pass, it is read again in a while. */
  async #fail(problem) {
    const passing = isPassing(problem);
    this.failed.hidden = false;
    patch(
      this.failed,
      h("span", {}, t(passing ? "play.unread_passing" : "play.unread", { why: sentenceOf(problem) })),
      h("button", { type: "button", onclick: () => this.#read() }, t("watch.retry")),
    );
    this.#failures += 1;
    if (passing) {
      const { signal } = (this.#attempt = new AbortController());
      await untilWorthTrying(pauseAfter(this.#failures, problem), problem, signal);
      signal.aborted || this.#read();
    }
  }
}

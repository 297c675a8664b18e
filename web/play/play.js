/** The panel in which a player answers: every open decision, drawn from its options, and the same options on the board. */

import { announce, h } from "../dom.js";
import { gameOf } from "../games/registry.js";
import { serverNow } from "../net/clock.js";
import { isRefusal } from "../net/problem.js";
import { patch } from "../patch.js";
import { showTimeLeft } from "./time-left.js";
import { panelCards } from "./panel-cards.js";
import { HEADING, focusedIn, keepInSight, refocus } from "./focus.js";
import { Held } from "./held.js";
import { Forms } from "./forms.js";
import { BoardOffer } from "./board-offer.js";
import { Asked } from "./asked.js";
import { Drafts, emptyDraft, handedIn } from "./drafts.js";
import { bringUp, scrollUpTo } from "./scrolling.js";
import { Sending } from "./sending.js";
import { Pointing } from "./pointing.js";
import { StandingAnswers } from "./standing.js";
import { Unfolded } from "./unfolded.js";
import { Walking } from "./walking.js";
import { t } from "../words.js";

/** @import { Book } from "../book.js" */

const TICK_MS = 250;
/** Browsers cannot set a timer for longer. */
const MOST_MS = 2 ** 31 - 1;

/**
 * The panel of a game.
 *
 * @param {PlayOptions} options `ranOut` is whether the log says that a decision's time was over; `kept` is what outlives a reload of what is begun, and of what is left to the page; `onAnswered` hears
 *   of each answer that was taken in, with its receipt, and with null of each refusal after which the decisions should be read
 *   again; `onChange` is called when `choices` has changed, `onPoint` with the option of a list that somebody points at, or null.
 * @returns {Play} `update(decisions, {state})` takes the body of `GET …/decisions`, or its list, and the table's state. `choices` maps
 *   what can be clicked on the board to entries `{decision, option, text, choose(), narrow(key)}`, `answers` are what it has buttons for; `waiting` is how many
 *   decisions the game waits for.
 */
export function createPlay(options) {
  return new Play(options);
}

/**
 * @typedef {{game: string, book: Book, api: {get: (path: string) => Promise<{body: any}>,
 *   post: (path: string, body: any, options?: {key?: string, signal?: AbortSignal, onWait?: (giveUp: () => void) => void}) => Promise<{body: any}>},
 *   ranOut: (open: import("./drafts.js").Open) => boolean,
 *   kept?: {drafts: import("./kept.js").KeptDrafts, standing: import("./kept.js").KeptStanding},
 *   onAnswered?: (receipt: any) => void, onChange?: () => void,
 *   onPoint?: (decision: any, option: any) => void}} PlayOptions
 */

class Play {
  #asked = new Asked();
  #drafts;
  #unfolded = new Unfolded();
  #state = /** @type {Told.TableState|null} */ (null);
  /** Whether the service is being asked, so that what can be chosen is on its way. */
  busy = false;
  /** The id of what is to be answered first. @type {string|null} */
  #next = null;
  /** The answer that is on its way. */
  #sending = /** @type {Sending|null} */ (null);
  #held = new Held();
  #standing;
  #walking;
  #pointing;
  #forms;
  #offered;

  /** @param {PlayOptions} options */
  constructor({ game, book, api, ranOut, kept, onAnswered, onChange, onPoint }) {
    this.game = game;
    this.book = book;
    this.api = api;
    this.onAnswered = onAnswered;
    this.onChange = onChange;
    /** What is asked in forms, and what has been begun there. @type {import("../games/contract.js").Begun[]} */
    this.begun = [];
    this.choices = new Map();
    /** @type {import("../games/contract.js").Answer[]} */
    this.answers = [];
    this.#drafts = new Drafts((id) => this.#held.drop(id), ranOut, kept?.drafts);
    this.#standing = new StandingAnswers(this.#plays.forms.standing, kept?.standing);
    this.#walking = new Walking({
      api,
      path: (decision) => this.#path(decision),
      drafts: this.#drafts,
      isOpen: (id) => this.#decisions.some((each) => each.id === id),
      version: () => this.#asked.version,
      onRefused: () => this.onAnswered?.(null),
    });
    this.element = h("section", { class: "p-panel", "aria-label": t("play.label") });
    this.#pointing = new Pointing(this.element, onPoint);
    this.#forms = new Forms({
      element: this.element,
      book,
      drawn: this.#plays.forms.drawn,
      drafts: this.#drafts,
      decisions: () => this.#decisions,
      state: () => this.#state,
      chosen: (decision) => this.#chosen(decision),
      change: ({ id }, begun) => this.#change(id, { begun }),
    });
    this.#offered = new BoardOffer({
      element: this.element,
      book,
      drafts: this.#drafts,
      forms: this.#forms,
      state: () => this.#state,
      take: (decision, option) => this.#take(decision, option),
      draw: () => this.#draw(),
    });
    this.timer = setInterval(() => this.#tick(), TICK_MS);
    this.#draw();
  }

  /** What the game brings to the page. */
  get #plays() {
    return gameOf(this.book.game);
  }

  get #decisions() {
    return this.#asked.open;
  }

  /** How many decisions the game waits for from this player. */
  get waiting() {
    return this.#asked.waiting;
  }

  /** All that is asked or may be done, as it is shown; `held`: its answer waits to be sent; `branch`: the id of the branch that is open, or null. */
  get decisions() {
    return this.#decisions.map((each) => ({ ...each, held: this.#held.of(each.id) !== null, branch: this.#walking.branches(each).at(-1)?.id ?? null }));
  }

  update(answer, { state = this.#state, at = Infinity } = {}) {
    const before = this.#asked.ids;
    this.#state = state;
    this.#asked.take(answer, at);
    const { all } = this.#asked; // with what another seat of the same player has begun
    this.#held.keep(all);
    this.#drafts.take(this.#asked, at, this.#plays.forms, state);
    if (this.#sending?.again && !all.has(this.#sending.id)) {
      this.#sending.end(); // what is to be given again is over
    }
    this.#unfolded.keep(all);
    this.#stand();
    this.#draw();
    this.#walkAgain();
    const open = this.#decisions.filter((each) => !each.optional && !each.answered && this.#standing.answer(each, state) === null);
    const next = open[0]?.id ?? null;
    const asked = open.find(({ id }) => !before.has(id)) ?? (next === this.#next ? undefined : open[0]);
    if (asked) {
      scrollUpTo(this.element);
      announce(t("play.asked", { title: this.#plays.words.title(asked, this.book) }));
    }
    if (next !== null && [HEADING, `decision-${this.#next}`].includes(focusedIn(this.element) ?? "")) {
      document.getElementById(`decision-${next}`)?.focus({ preventScroll: true }); // what was answered stands below it now, or has gone
    }
    this.#next = next;
  }

  /** The game has moved on, and the decisions are as they were: those that came before their events are drawn anew. */
  look(state, at = Infinity) {
    const before = this.#standing.on;
    this.#state = state;
    const replaced = this.#drafts.take(this.#asked, at, this.#plays.forms, state);
    this.#stand();
    if (this.#asked.reach(at) || replaced || before !== this.#standing.on) {
      this.#draw();
    }
  }

  /** A key (`KeyboardEvent.key`) that was pressed anywhere on the page, for the form that has the focus or is asked first: whether it meant something there. */
  press(key) {
    const pressed = this.busy ? null : this.#forms.press(key);
    if (pressed !== null) {
      this.#change(pressed.decision.id, { begun: pressed.begun });
      announce(pressed.said ?? "");
    }
    return pressed !== null;
  }

  /** The option that waits to be sent, or that is known to be handed in. */
  #chosen(decision) {
    const told = this.#plays.forms.handedIn(decision, this.#state);
    return this.#held.of(decision.id)?.option.id ?? handedIn(decision, this.#drafts.of(decision.id), told);
  }

  destroy() {
    this.#sending?.end();
    clearInterval(this.timer);
    this.element.remove();
  }

  #change(id, part, focus = null) {
    this.#drafts.change(id, part);
    this.#draw(focus);
    keepInSight(this.element);
  }

  async #send(decision, option) {
    if (this.busy) {
      return;
    }
    const sending = new Sending({ decision, option, before: this.#drafts.of(decision.id).sent, onWait: () => this.#tellKept(decision, option) });
    this.busy = true;
    this.#sending = sending;
    this.#change(decision.id, { problem: null, sent: sending.sent });
    let receipt = null;
    let heard = true;
    try {
      receipt = await sending.post(this.api, this.#path(decision));
      this.#answered(decision, option, receipt);
    } catch (problem) {
      heard = isRefusal(problem);
      if (!sending.givenUp) {
        this.#drafts.change(decision.id, { problem, confirming: false, ...(heard && { sent: null }) });
      }
    }
    this.busy = false;
    this.#sending = null;
    this.#draw();
    if (heard) {
      this.onAnswered?.(receipt);
    }
  }

  /** The service did not take an answer, and the page gives it again. */
  #tellKept(decision, option) {
    this.#draw();
    bringUp(this.element.querySelector(".p-again"));
    announce(t("play.again", { option: this.book.path(decision, option.id, this.#state) ?? "" }));
  }

  /** A leaf is handed in, a branch is opened; either way the player sees to this decision, and not the page. */
  #take(decision, option) {
    if (this.#standing.answer(decision, this.#state) !== null) {
      this.#standing.takeInHand(decision.id);
      this.#held.drop(decision.id);
    }
    if (option.branch) {
      this.#walk(decision, [...this.#walking.branches(decision), option], `level-${decision.id}`);
    } else {
      this.#answer(decision, option);
    }
  }

  /** Hand a leaf in, at the moment that the game asks for. */
  #answer(decision, option) {
    const now = serverNow();
    const at = this.#plays.forms.moment(decision, this.#state, now);
    if (at === null || at <= now) {
      this.#held.drop(decision.id);
      this.#send(decision, option);
      return;
    }
    const here = focusedIn(this.element) !== null;
    this.#held.hold(decision, option, at);
    setTimeout(() => this.#tick(), Math.min(at - now, MOST_MS));
    this.#change(decision.id, { problem: null, walk: [], keys: [], search: "" });
    bringUp(here && this.element.querySelector(".p-held"));
    announce(t("play.announce_held"));
  }

  /** Answer what is left to the page, each at its moment; once that is over, no more. */
  #stand() {
    if (this.#standing.ends(this.#state)) {
      announce(t("play.standing_over"));
    }
    const now = serverNow();
    for (const decision of this.#decisions.filter(({ id }) => id !== this.#sending?.id && this.#held.of(id) === null)) {
      const option = this.#standing.answer(decision, this.#state);
      if (option !== null) {
        this.#held.hold(decision, option, this.#plays.forms.moment(decision, this.#state, now) ?? now);
      }
    }
  }

  /** What the player has chosen stays; what only the page has chosen, and what is only begun, does not. */
  #switch(scope) {
    const isPages = (decision) => this.#standing.answer(decision, this.#state) !== null;
    this.#decisions.filter(isPages).forEach(({ id }) => this.#held.drop(id));
    this.#standing.set(scope, this.#decisions.map(({ id }) => id).filter((id) => this.#held.of(id) !== null));
    this.#decisions.filter(isPages).forEach(({ id }) => this.#drafts.drop(id));
    this.#stand();
    this.#draw();
    announce(t(scope === null ? "play.standing_off" : "play.standing_on"));
  }

  /** Leave the branch that was opened last. */
  #back(decision) {
    const branches = this.#walking.branches(decision);
    const left = branches.pop();
    this.#walk(decision, branches, `option-${decision.id}-${left?.id}`);
  }

  /** Show what is below the last of some branches, of which each leads to the next; the focus goes to `focus` if it was here. */
  async #walk(decision, branches, focus) {
    if (this.busy) {
      return;
    }
    const here = focusedIn(this.element) !== null;
    this.busy = true;
    this.#change(decision.id, { problem: null });
    const shown = await this.#walking.show(decision, branches);
    this.busy = false;
    this.#draw(here ? focus : null);
    const last = branches.at(-1);
    if (shown && last) {
      bringUp(here && this.element.querySelector(`#level-${CSS.escape(decision.id)}`));
      announce(t("play.announce_level", { option: this.book.option(decision, last, this.#state) }));
    }
  }

  /** The game has moved on: what is shown of a tree may have changed. */
  async #walkAgain() {
    if (await this.#walking.again(this.#decisions)) {
      this.#draw();
    }
  }

  #path({ id }) {
    return `/v1/games/${encodeURIComponent(this.game)}/decisions/${encodeURIComponent(id)}`;
  }

  #answered(decision, option, receipt) {
    this.#drafts.change(decision.id, { ...emptyDraft(), chosen: option.id });
    this.#asked.answered(decision, receipt);
    this.#unfolded.set(decision.id, false);
    announce(t("play.announce_taken", { option: this.book.path(decision, option.id, this.#state) ?? "" }));
  }

  #draw(focus = null) {
    const kept = focus ?? focusedIn(this.element);
    patch(this.element, h("h2", { id: HEADING, tabindex: "-1" }, t(this.waiting ? "play.heading" : "play.label")), this.#cards());
    this.#tick();
    refocus(this.element, kept);
    this.#pointing.look();
    this.#offer();
  }

  #cards() {
    // Whoever has given up is asked nothing any more, not even what one may always do.
    const offer = this.#decisions.length > 0 ? this.#standing.offer(this.#state) : null;
    return panelCards({
      decisions: this.#decisions,
      waiting: this.waiting,
      gone: this.#drafts.gone,
      standing: { offer, on: this.#standing.on, onSwitch: (scope) => this.#switch(scope) },
      unfolded: this.#unfolded,
      given: (decision) => this.#given(decision),
      onMore: (open) => this.#unfolded.show(open) && this.#offer(),
      onFold: (id, open) => this.#unfolded.set(id, open) && this.#offer(),
    });
  }

  #given(decision) {
    const draft = this.#drafts.of(decision.id);
    return {
      decision,
      decisions: this.#decisions,
      draft,
      held: this.#held.of(decision.id),
      again: this.#sending?.again && this.#sending.id === decision.id ? this.#sending : null,
      book: this.book,
      state: this.#state,
      busy: this.busy,
      chosen: this.#chosen(decision),
      keyed: this.#forms.keyed?.id === decision.id,
      change: (part, focus) => this.#change(decision.id, part, focus),
      take: (option) => this.#take(decision, option),
      send: (other, option) => {
        this.#held.drop(decision.id); // what is at hand beside a decision is instead of an answer
        this.#answer(other, option);
      },
      back: () => this.#back(decision),
      point: (of, option) => this.#pointing.at(of, option),
    };
  }

  /** What can be chosen on the board now. */
  #offer() {
    const unfolded = this.#unfolded.of(this.#decisions);
    const asked = this.#decisions.filter((each) => !each.optional && (!each.answered || this.#drafts.of(each.id).changing));
    this.begun = this.#forms.begun(this.busy);
    ({ choices: this.choices, answers: this.answers } = this.busy ? this.#offered.of([], []) : this.#offered.of(asked, unfolded));
    this.onChange?.();
  }

  #tick() {
    // One command at a time: what cannot go now goes with the next tick.
    const due = this.busy ? null : this.#held.due(serverNow());
    if (due !== null) {
      this.#send(due.decision, due.option);
    }
    showTimeLeft(this.element, serverNow());
  }
}

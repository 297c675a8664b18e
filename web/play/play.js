/** The panel in which a player answers: every open decision, drawn from its options, and the same options on the board. */

import { announce, clear, h, present } from "../dom.js";
import { gameOf } from "../games/registry.js";
import { serverNow } from "../net/clock.js";
import { isRefusal } from "../net/problem.js";
import { showTimeLeft } from "./time-left.js";
import { decisionCard, optionalCard } from "./decision-card.js";
import { focusedIn, refocus } from "./focus.js";
import { Held } from "./held.js";
import { emptyDraft, handedIn, onBoard, sorted } from "./drafts.js";
import { bringUp, scrollUpTo } from "./scrolling.js";
import { StandingAnswers, standingSwitch } from "./standing.js";
import { levelKnown } from "./walk.js";
import { t } from "../words.js";

/** @import { Book } from "../book.js" */

const TICK_MS = 250;
/** Browsers cannot set a timer for longer. */
const MOST_MS = 2 ** 31 - 1;

/**
 * The panel of a game.
 *
 * @param {PlayOptions} options `onAnswered` hears of each answer that was taken in, with its receipt, and with null
 *   of each refusal after which the decisions should be read again; `onChange` is called when `choices` has changed.
 * @returns {Play} `update(decisions, {state})` takes the body of `GET …/decisions`, or its list, and the table's state. `choices` maps
 *   what can be clicked on the board to entries `{decision, option, text, choose(), narrow(key)}`; `waiting` is how many
 *   decisions the game waits for.
 */
export function createPlay(options) {
  return new Play(options);
}

/**
 * @typedef {{game: string, book: Book, api: {get: (path: string) => Promise<{body: any}>,
 *   post: (path: string, body: any) => Promise<{body: any}>}, onAnswered?: (receipt: any) => void, onChange?: () => void}} PlayOptions
 */

class Play {
  #decisions = [];
  #drafts = new Map();
  #open = new Set();
  /** What has been answered, by decision: the version of the receipt. Older answers to our questions are passed over. */
  #done = new Map();
  #state = /** @type {Told.TableState|null} */ (null);
  /** Of the game, as far as it is known here. */
  #version = 0;
  /** Whether the decisions came before the events that ask for them. */
  #late = false;
  /** Whether the service is being asked, so that what can be chosen is on its way. */
  busy = false;
  /** The decision whose answer is on its way. */
  #sending = /** @type {string|null} */ (null);
  #held = new Held();
  #more = false;
  #standing;

  /** @param {PlayOptions} options */
  constructor({ game, book, api, onAnswered, onChange }) {
    this.game = game;
    this.book = book;
    this.api = api;
    this.onAnswered = onAnswered;
    this.onChange = onChange;
    this.choices = new Map();
    this.#standing = new StandingAnswers(this.#plays.forms.standing);
    this.element = h("section", { class: "p-panel", "aria-label": t("play.label") });
    this.timer = setInterval(() => this.#tick(), TICK_MS);
    this.#draw();
  }

  /** What the game brings to the page. */
  get #plays() {
    return gameOf(this.book.game);
  }

  /** How many decisions the game waits for from this player. */
  get waiting() {
    return this.#decisions.filter((decision) => !decision.optional && !decision.answered).length;
  }

  /** All that is asked or may be done, in the order in which it is shown; `held`: its answer waits to be sent. */
  get decisions() {
    return this.#decisions.map((each) => ({ ...each, held: this.#held.of(each.id) !== null }));
  }

  update(answer, { state = this.#state, at = Infinity } = {}) {
    const list = Array.isArray(answer) ? answer : (answer?.decisions ?? []);
    const version = answer?.version ?? Infinity;
    this.#version = answer?.version ?? this.#version;
    this.#late = at < this.#version;
    const before = new Set(this.#decisions.map(({ id }) => id));
    this.#state = state;
    this.#decisions = sorted(list.filter((each) => each.answered || version >= (this.#done.get(each.id) ?? 0)));
    const ids = new Set(this.#decisions.map(({ id }) => id));
    this.#held.keep(ids);
    for (const id of [...this.#drafts.keys(), ...this.#open].filter((each) => !ids.has(each))) {
      this.#drafts.delete(id);
      this.#open.delete(id);
    }
    this.#stand();
    this.#draw();
    this.#walkAgain();
    const asked = this.#decisions.find((each) => !each.optional && !each.answered && !before.has(each.id) && this.#standing.answer(each, state) === null);
    if (asked) {
      scrollUpTo(this.element);
      announce(t("play.asked", { title: this.#plays.words.title(asked, this.book) }));
    }
  }

  /** The game has moved on, and the decisions are as they were: those that came before their events are drawn anew. */
  look(state, at = Infinity) {
    const before = this.#standing.on;
    this.#state = state;
    this.#stand();
    if (this.#late || before !== this.#standing.on) {
      this.#late = at < this.#version;
      this.#draw();
    }
  }

  destroy() {
    clearInterval(this.timer);
    this.element.remove();
  }

  #draft(id) {
    return this.#drafts.get(id) ?? emptyDraft();
  }

  #change(id, part, focus = null) {
    this.#drafts.set(id, { ...this.#draft(id), ...part });
    this.#draw(focus);
  }

  async #send(decision, option) {
    if (this.busy) {
      return;
    }
    this.busy = true;
    this.#sending = decision.id;
    this.#change(decision.id, { problem: null });
    let receipt = null;
    let heard = true;
    try {
      receipt = (await this.api.post(this.#path(decision), { option: option.id })).body;
      this.#answered(decision, option, receipt);
    } catch (problem) {
      heard = isRefusal(problem);
      this.#drafts.set(decision.id, { ...this.#draft(decision.id), problem, confirming: false });
    }
    this.busy = false;
    this.#sending = null;
    this.#draw();
    if (heard) {
      this.onAnswered?.(receipt);
    }
  }

  /** A leaf is handed in, a branch is opened; either way the player sees to this decision, and not the page. */
  #take(decision, option) {
    if (this.#standing.answer(decision, this.#state) !== null) {
      this.#standing.takeInHand(decision.id);
      this.#held.drop(decision.id);
    }
    if (option.branch) {
      const walk = this.#draft(decision.id).walk;
      this.#walk(decision, [...walk.map(({ branch }) => branch), option], `level-${decision.id}`);
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
    for (const decision of this.#decisions.filter(({ id }) => id !== this.#sending && this.#held.of(id) === null)) {
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
    this.#decisions.filter(isPages).forEach(({ id }) => this.#drafts.delete(id));
    this.#stand();
    this.#draw();
    announce(t(scope === null ? "play.standing_off" : "play.standing_on"));
  }

  /** Leave the branch that was opened last. */
  #back(decision) {
    const branches = this.#draft(decision.id).walk.map(({ branch }) => branch);
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
    const shown = await this.#show(decision, branches);
    this.busy = false;
    this.#draw(here ? focus : null);
    const last = branches.at(-1);
    if (shown && last) {
      bringUp(here && this.element.querySelector(`#level-${CSS.escape(decision.id)}`));
      announce(t("play.announce_level", { option: this.book.option(decision, last, this.#state) }));
    }
  }

  /** Put the level below the last branch into the draft; a refusal leads back to the beginning, and the decisions are read anew. */
  async #show(decision, branches) {
    const { walk } = this.#draft(decision.id);
    const last = branches.at(-1);
    let part;
    try {
      part = { walk: last ? [...walk.slice(0, branches.length - 1), await this.#level(decision, last)] : [], keys: [], search: "" };
    } catch (problem) {
      part = { problem, ...(isRefusal(problem) && { walk: [], keys: [], search: "" }) };
    }
    if (this.#draft(decision.id).walk !== walk || !this.#decisions.some(({ id }) => id === decision.id)) {
      return false;
    }
    this.#drafts.set(decision.id, { ...this.#draft(decision.id), ...part });
    if (part.problem && part.walk) {
      this.onAnswered?.(null);
    }
    return part.problem === undefined;
  }

  async #level(decision, branch) {
    const known = levelKnown(this.#draft(decision.id).walk, branch.id, this.#version);
    if (known !== null) {
      return known;
    }
    const { body } = await this.api.get(`${this.#path(decision)}/options/${encodeURIComponent(branch.id)}`);
    return { branch, options: body.options, version: body.version };
  }

  /** The game has moved on: what is shown of a tree may have changed. */
  async #walkAgain() {
    const walked = this.#decisions.filter(({ id }) => (this.#draft(id).walk.at(-1)?.version ?? Infinity) < this.#version);
    for (const decision of walked) {
      await this.#show(decision, this.#draft(decision.id).walk.map(({ branch }) => branch));
    }
    if (walked.length > 0) {
      this.#draw();
    }
  }

  #path({ id }) {
    return `/v1/games/${encodeURIComponent(this.game)}/decisions/${encodeURIComponent(id)}`;
  }

  /** A secret choice stays on show and may be changed; any other decision is over, though older answers may still name it. */
  #answered(decision, option, receipt) {
    this.#drafts.set(decision.id, { ...emptyDraft(), chosen: option.id });
    this.#done.set(decision.id, receipt?.version ?? 0);
    this.#open.delete(decision.id);
    this.#decisions = decision.secret
      ? sorted(this.#decisions.map((each) => (each.id === decision.id ? { ...each, answered: true } : each)))
      : this.#decisions.filter((each) => each.id !== decision.id);
    announce(t("play.announce_taken", { option: this.book.path(decision, option.id, this.#state) ?? "" }));
  }

  #draw(focus = null) {
    const kept = focus ?? focusedIn(this.element);
    clear(this.element).append(h("h2", {}, t(this.waiting ? "play.heading" : "play.label")), ...this.#cards());
    this.#tick();
    refocus(this.element, kept);
    this.#offer();
  }

  #cards() {
    const asked = this.#decisions.filter((decision) => !decision.optional || decision.kind === "return");
    const optional = this.#decisions.filter((decision) => !asked.includes(decision));
    const offer = this.#standing.offer(this.#state);
    return present([
      standingSwitch({ offer, on: this.#standing.on, onSwitch: (scope) => this.#switch(scope) }),
      this.waiting === 0 && h("p", { class: "p-note p-idle" }, t(asked.some((each) => each.answered) ? "play.wait_for_others" : "play.nothing")),
      ...asked.map((decision) => decisionCard(this.#given(decision))),
      optional.length > 0 && this.#optional(optional),
    ]);
  }

  #optional(optional) {
    return h(
      "details",
      { class: "p-more", open: this.#more, ontoggle: (event) => this.#foldMore(event) },
      h("summary", { id: "play-more" }, t("play.optional")),
      optional.map((decision) =>
        optionalCard(this.#given(decision), {
          open: this.#open.has(decision.id),
          onToggle: (open) => this.#fold(decision.id, open),
        }),
      ),
    );
  }

  #given(decision) {
    const draft = this.#draft(decision.id);
    return {
      decision,
      decisions: this.#decisions,
      draft,
      held: this.#held.of(decision.id),
      book: this.book,
      state: this.#state,
      busy: this.busy,
      chosen: this.#held.of(decision.id)?.option.id ?? handedIn(decision, draft, this.#plays.forms.handedIn(decision, this.#state)),
      change: (part, focus) => this.#change(decision.id, part, focus),
      take: (option) => this.#take(decision, option),
      send: (other, option) => {
        this.#held.drop(decision.id); // what is at hand beside a decision is instead of an answer
        this.#answer(other, option);
      },
      back: () => this.#back(decision),
    };
  }

  #foldMore(event) {
    if (event.target.open !== this.#more) {
      this.#more = event.target.open;
      this.#offer();
    }
  }

  #fold(id, open) {
    if (open !== this.#open.has(id)) {
      this.#open[open ? "add" : "delete"](id);
      this.#offer();
    }
  }

  /** What can be chosen on the board: of a voluntary decision that is unfolded, or else of all that are asked. */
  #offer() {
    const unfolded = this.#more ? this.#decisions.filter((each) => each.optional && this.#open.has(each.id)) : [];
    const asked = this.#decisions.filter((each) => !each.optional && (!each.answered || this.#draft(each.id).changing));
    const entry = (decision, option) => ({ decision, option, text: this.book.option(decision, option, this.#state), choose: () => this.#take(decision, option), narrow: (key) => this.#narrow(key) });
    const { board, forms } = this.#plays;
    const listed = this.busy ? [] : (unfolded.length ? unfolded : asked).filter(({ kind }) => !(kind in forms.drawn));
    this.choices = onBoard(listed, (id) => this.#draft(id), entry, board.targets);
    this.onChange?.();
  }

  /** Keep only the options that touch `key`, or all again if it was kept already. */
  #narrow(key) {
    const ids = new Set((this.choices.get(key) ?? []).map(({ decision }) => decision.id));
    for (const id of ids) {
      const draft = this.#draft(id);
      const keys = draft.keys.includes(key) ? draft.keys.filter((each) => each !== key) : [...draft.keys, key];
      this.#drafts.set(id, { ...draft, keys });
    }
    this.#draw();
    const [first] = ids;
    this.element.querySelector(`[data-decision="${CSS.escape(first)}"]`)?.scrollIntoView({ block: "nearest" });
    announce(t("play.announce_narrowed"));
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

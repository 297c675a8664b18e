/** What a player has begun to choose, decision by decision, and what is known to be handed in (pure). */

import { narrowed } from "./grouping.js";
import { optionsAt, walkFrom } from "./walk.js";

/**
 * What a player has begun to choose of one decision.
 *
 * @typedef {Object} Draft
 * @property {any} begun what the form of its kind has made of it so far; null: nothing.
 * @property {import("./walk.js").Level[]} walk
 * @property {string[]} keys what the board has narrowed the list to.
 * @property {string} search
 * @property {string|null} meant the option that a finger has met once on the board.
 * @property {string|null} chosen the option that was handed in from this page.
 * @property {import("./sending.js").Sent|null} sent what was sent last and has not been answered, with its key: if it is sent again, it happens once.
 * @property {any} problem with which the service refused the last attempt.
 * @property {boolean} confirming whether it is being asked again.
 * @property {boolean} changing whether what is handed in is being changed.
 * @property {boolean} replaced whether what was begun before has given way to another answer, and nothing has been begun since.
 */

/**
 * Whose a decision is, and a version at which it was open, so that the log can tell how it ended.
 *
 * @typedef {{seat: number, at: number}} Open
 */

/** Something is handed in, and nobody here knows what. */
const UNKNOWN = "";

/** The drafts of a panel, by the ids of decisions. What nothing has been begun of has an empty one. */
export class Drafts {
  /** @type {Map<string, Draft>} */
  #drafts = new Map();
  /** What was handed in of each decision when it was looked at last: an option's id, `UNKNOWN`, or null. @type {Map<string, string|null>} */
  #handed = new Map();
  /** Where each decision that has to be answered in time was open the last time. @type {Map<string, Open>} */
  #opened = new Map();
  /** The version at which all was sure the last time. */
  #settled = 0;
  /** Why something that was begun has gone with its decision: its time was over, or it was made elsewhere; null: nothing has, or something has been begun since. @type {"late"|"decided"|null} */
  gone = null;
  #onReplaced;
  #ranOut;
  #kept;

  /**
   * @param {(id: string) => boolean} onReplaced hears of a decision whose draft was dropped because another answer has come in; whether an
   *   answer waited to be sent, and does so no longer.
   * @param {(open: Open) => boolean} ranOut whether the log says that the time of a decision was over.
   * @param {import("./kept.js").KeptDrafts} [kept] what outlives a reload; without it nothing does.
   */
  constructor(onReplaced, ranOut, kept) {
    this.#onReplaced = onReplaced;
    this.#ranOut = ranOut;
    this.#kept = kept;
  }

  /**
   * Go on with what was begun of decisions, as far as it still holds: forget the drafts of those that are open no longer, and whatever was begun
   * before another answer came in elsewhere, as in a second tab.
   *
   * @param {import("./asked.js").Asked} asked what is open.
   * @param {number} at the version up to which events have come; Infinity: nobody knows.
   * @param {import("../games/contract.js").GameForms} forms the game's.
   * @param {Told.TableState|null} state
   * @returns {boolean} whether another answer has come in to any.
   */
  take(asked, at, forms, state) {
    if (asked.isSure(at, state)) {
      this.#keep(asked);
    }
    const decisions = asked.open;
    const { version } = asked;
    decisions.filter(({ deadline = null }) => deadline !== null).forEach(({ id, seat }) => this.#opened.set(id, { seat, at: version }));
    decisions.forEach((each) => this.#resume(each, forms.drawn[each.kind]));
    const replaced = decisions.filter((each) => this.#isReplaced(each, forms.handedIn(each, state)));
    for (const { id } of replaced) {
      const begun = isBegun(this.of(id));
      this.drop(id);
      if (this.#onReplaced(id) || begun) {
        this.change(id, { replaced: true });
      }
    }
    return replaced.length > 0;
  }

  /** Whether another answer is handed in than before, and not from here. */
  #isReplaced(decision, told) {
    const { id } = decision;
    const { chosen, sent } = this.of(id);
    const now = decision.answered ? (told ?? chosen ?? UNKNOWN) : null;
    const before = this.#handed.has(id) ? this.#handed.get(id) : now;
    if (now === UNKNOWN && before) {
      return false; // the view through which one looks now does not tell
    }
    this.#handed.set(id, now);
    const own = now === chosen || now === sent?.option || (now === UNKNOWN && sent !== null);
    return now !== null && now !== before && before !== UNKNOWN && !own;
  }

  /** Go on with what was begun of a decision before the page was loaded anew. */
  #resume(decision, form) {
    const kept = this.#drafts.has(decision.id) ? null : (this.#kept?.of(decision.id) ?? null);
    if (kept === null) {
      return;
    }
    const begun = form && kept.begun ? form.resume(decision, kept.begun) : null;
    const walk = form ? [] : walkFrom(decision, kept.walk);
    if (begun !== null || walk.length > 0) {
      this.#drafts.set(decision.id, { ...emptyDraft(), begun, walk, changing: kept.changing === true });
      this.#handed.set(decision.id, typeof kept.over === "string" ? kept.over : null);
    }
  }

  /** The draft of a decision. */
  of(id) {
    return this.#drafts.get(id) ?? emptyDraft();
  }

  /** Put a part into a draft, and leave the rest of it as it is. */
  change(id, part) {
    const before = this.of(id);
    const draft = { ...before, replaced: false, ...part };
    this.gone = draft.sent !== null || (isBegun(draft) && !isBegun(before)) ? null : this.gone;
    this.#drafts.set(id, draft);
    this.#kept?.put(id, draft, { over: this.#handed.get(id) ?? null, open: this.#opened.get(id) ?? null });
  }

  /** Begin a decision anew. */
  drop(id) {
    this.#drafts.delete(id);
    this.#kept?.put(id, null);
  }

  /** Forget decisions that are open no longer. What was begun of them is missed, unless the player has just answered something. */
  #keep(asked) {
    const unkept = this.#kept?.keep(asked.all) ?? new Map();
    const own = this.#settled < asked.answeredAt || [...this.#drafts.values()].some(({ sent }) => sent !== null);
    // What was refused because it is over has a problem, and no walk any more.
    const begun = [...this.#drafts].filter(([id, draft]) => !asked.all.has(id) && (isBegun(draft) || draft.problem !== null)).map(([id]) => id);
    const missed = [...begun, ...[...unkept.keys()].filter((id) => !this.#drafts.has(id))];
    if (missed.length > 0 && !own) {
      const opened = missed.map((id) => this.#opened.get(id) ?? unkept.get(id) ?? null);
      this.gone = opened.some((open) => open !== null && this.#ranOut(open)) ? "late" : "decided";
    }
    this.#settled = asked.version;
    for (const known of [this.#drafts, this.#handed, this.#opened]) {
      [...known.keys()].filter((id) => !asked.all.has(id)).forEach((id) => known.delete(id));
    }
  }
}

/**
 * A decision that nothing has been begun of.
 *
 * @returns {Draft}
 */
export function emptyDraft() {
  return { begun: null, walk: [], keys: [], search: "", meant: null, chosen: null, sent: null, problem: null, confirming: false, changing: false, replaced: false };
}

/** Whether there is something to keep of a draft. @param {Draft} draft */
export function isBegun({ begun, walk }) {
  return begun !== null || walk.length > 0;
}

/**
 * The option that has been handed in, as far as it can be known: the view tells some, the rest is remembered from this
 * page.
 *
 * @param {Object} decision
 * @param {Object} draft
 * @param {string|null} told what the view tells, see `GameForms.handedIn`.
 * @returns {string|null} an option's id.
 */
export function handedIn(decision, draft, told) {
  return decision.answered ? (told ?? draft.chosen) : null;
}

/**
 * The options of the level that a decision shows that the board tells apart by no target, but for those that have been chosen already.
 *
 * @param {{options: Array}} decision
 * @param {Draft} draft its.
 * @param {(option: Object) => string[]} targets see `GameBoard.targets`.
 */
export function besides(decision, { keys, walk }, targets) {
  return narrowed(optionsAt(decision, walk), keys, targets).filter((option) => targets(option).every((key) => keys.includes(key)));
}

/**
 * What can be chosen on the board: the options of the level that each decision shows.
 *
 * @param {Array} decisions those that may be answered there.
 * @param {(id: string) => Object} draftOf
 * @param {(decision: Object, option: Object) => Object} entryOf makes the entry of an option.
 * @param {(option: Object) => string[]} targets see `GameBoard.targets`.
 * @returns {Map<string, Array>} entries by key.
 */
export function onBoard(decisions, draftOf, entryOf, targets) {
  const choices = new Map();
  for (const decision of decisions) {
    const { keys, walk } = draftOf(decision.id);
    for (const option of narrowed(optionsAt(decision, walk), keys, targets)) {
      for (const key of targets(option)) {
        choices.set(key, [...(choices.get(key) ?? []), entryOf(decision, option)]);
      }
    }
  }
  return choices;
}

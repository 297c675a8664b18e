/** Calls the reader to tables that wait for them, or pause, or go on: on the tab, by sound, by the browser's notifications. */

import { serverNow } from "../net/clock.js";
import { listing, t, tn } from "../words.js";
import { reserve } from "./reserved.js";
import { LastSeconds } from "./last-seconds.js";
import { mayNotify, notify } from "./notices.js";
import { soundCall, soundTick } from "./sound.js";
import { markTab } from "./tab.js";
import { onWishes, wishes } from "./wishes.js";

/**
 * A table that waits for the reader.
 *
 * @typedef {object} Call
 * @property {string} game its id.
 * @property {"turn"|"pause"|"watch"} why it waits for a decision, for an answer to whoever would like to pause, or for whoever watches over it.
 * @property {string[]} decisions the ids of those that it waits for: one at least. What asks for a pause counts as one.
 * @property {number|null} due the earliest of their deadlines, in milliseconds of the service's clock; null: none.
 * @property {string[]} others who else sits there.
 * @property {boolean} [there] it was there already when the reader came: it is shown, and not called for.
 * @property {string} [what] what it is called for, where that is no decision of the reader.
 */

/**
 * What has become of a table, and asks nothing of the reader.
 *
 * @typedef {object} News
 * @property {string} game its id.
 * @property {"paused"|"resumed"} why
 * @property {string} name tells it from other news of this table.
 * @property {string[]} others who else sits there.
 */

/**
 * What is said of tables that call.
 *
 * @typedef {object} Says
 * @property {(calls: Call[], news: News|null) => string} tab empty if there is nothing to say.
 * @property {(about: Call|News) => {title: string, text: string}} notice
 */

/** @type {Says} */
const OWN_TABLES = {
  tab: markOf,
  notice: ({ why, others }) => ({
    title: t(`calling.notice.${why}`),
    text: others.length > 0 ? t(`calling.notice.${why}.with`, { names: listing(others) }) : t("calling.notice.alone"),
  }),
};

/**
 * What stands for a wish to pause among the decisions of a call: the same in all tabs, of which one calls.
 *
 * @param {{seat: number, until: number}} proposal
 */
export const proposalName = ({ seat, until }) => `pause-${seat}-${until}`;

/**
 * What tells news of a table's pauses from each other, the same in all tabs.
 *
 * @param {"paused"|"resumed"} why
 * @param {number} number how many pauses the players had agreed on by then.
 */
export const newsName = (why, number) => `${why}-${number}`;

/** Calls on behalf of one page, as long as that is shown. */
export class Caller {
  /** @type {Call[]|null} */
  #calls = null;
  /** What the browser shows, by the names of the notifications. @type {Map<string, Notification>} */
  #notices = new Map();
  /** What has happened while nobody looked, the last of it. @type {News|null} */
  #news = null;
  #over = new AbortController();
  #seconds = new LastSeconds({ now: serverNow, onSecond: () => this.#tick() });

  /** @param {{navigate: (address: string) => void, says?: Says}} options */
  constructor({ navigate, says = OWN_TABLES }) {
    this.navigate = navigate;
    this.says = says;
    const stop = onWishes(() => this.#show());
    const { signal } = this.#over;
    signal.addEventListener("abort", stop);
    document.addEventListener("visibilitychange", () => document.hidden || this.#seen(), { signal });
  }

  /**
   * Tell which tables wait now, all of them. Those of the first time were there when the reader came: they are shown, and
   * nobody has to be called for them.
   *
   * @param {Call[]} calls
   */
  async update(calls) {
    const first = this.#calls === null;
    this.#calls = calls;
    this.#show();
    const reserved = await Promise.all(calls.map(({ game, decisions }) => reserve(decisions.map((id) => `${game}/${id}`))));
    if (!first && !this.#over.signal.aborted) {
      this.#callFor(calls.filter(({ there }, i) => reserved[i] && !there));
    }
  }

  /**
   * Tell what has become of a table. The tab has a mark of it until somebody looks.
   *
   * @param {News} news
   * @param {{own: boolean}} how `own`: the reader has just done it, here; then no other tab tells of it either.
   */
  async tell(news, { own }) {
    const fresh = await reserve([`${news.game}/${news.name}`]);
    if (!fresh || own || this.#over.signal.aborted) {
      return;
    }
    if (document.hidden && wishes().calls) {
      this.#news = news;
      this.#show();
    }
    this.#callFor([news]);
  }

  /** The page goes: nothing is marked, shown or counted any more. */
  close() {
    this.#over.abort();
    this.#seconds.set(null);
    this.#closeAll();
    markTab("");
  }

  #show() {
    const called = wishes().calls ? (this.#calls ?? []) : [];
    markTab(wishes().calls ? this.says.tab(called, this.#news) : "");
    const dues = called.flatMap(({ due }) => due ?? []);
    this.#seconds.set(dues.length > 0 ? Math.min(...dues) : null);
    const shown = new Set([...called, ...(this.#news === null ? [] : [this.#news])].map(nameOf));
    [...this.#notices.keys()].filter((name) => !shown.has(name)).forEach((name) => this.#close(name));
  }

  #callFor(fresh) {
    const { calls, sound, notices } = wishes();
    if (!calls) {
      return;
    }
    if (fresh.length > 0 && sound) {
      soundCall();
    }
    // Who looks at the page sees it there.
    if (notices && document.hidden && mayNotify()) {
      fresh.forEach((call) => this.#notify(call));
    }
  }

  /** @param {Call|News} about */
  #notify(about) {
    const name = nameOf(about);
    this.#close(name);
    const shown = notify({ name, ...this.says.notice(about), onOpen: () => this.navigate(`/watch/${about.game}`) });
    if (shown !== null) {
      this.#notices.set(name, shown);
    }
  }

  /** Hidden tabs are given time once a second or less: a tick there would stumble. */
  #tick() {
    const { calls, sound } = wishes();
    if (calls && sound && !document.hidden) {
      soundTick();
    }
  }

  #close(name) {
    this.#notices.get(name)?.close();
    this.#notices.delete(name);
  }

  #closeAll() {
    [...this.#notices.keys()].forEach((name) => this.#close(name));
  }

  /** Somebody looks at the page again. */
  #seen() {
    this.#closeAll();
    this.#news = null;
    this.#show();
  }
}

/** What the tab says: whoever would like to pause waits least long. */
function markOf(called, news) {
  const turns = called.filter(({ why }) => why === "turn").length;
  if (turns < called.length) {
    return t("calling.tab.pause");
  }
  return turns > 0 ? tn("calling.tab", turns) : news === null ? "" : t(`calling.tab.${news.why}`);
}

/** A later one takes the place of one of the same name: each table has one for its decisions, and one for its pauses. */
function nameOf({ game, why }) {
  return why === "turn" || why === "watch" ? game : `${game}/pause`;
}

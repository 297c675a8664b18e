/** Calls the reader to the tables that wait for a decision: on the tab, by sound, by the browser's notifications. */

import { serverNow } from "../net/clock.js";
import { read, write } from "../net/storage.js";
import { listing, t, tn } from "../words.js";
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
 * @property {string[]} decisions the ids of those that it waits for: one at least.
 * @property {number|null} due the earliest of their deadlines, in milliseconds of the service's clock; null: none.
 * @property {string[]} others who else sits there.
 * @property {string} [what] what it is called for, where that is no decision of the reader.
 */

/**
 * What is said of tables that call.
 *
 * @typedef {object} Says
 * @property {(count: number) => string} tab
 * @property {(call: Call) => {title: string, text: string}} notice
 */

/** @type {Says} */
const OWN_TURN = {
  tab: (count) => tn("calling.tab", count),
  notice: ({ others }) => ({
    title: t("calling.notice.title"),
    text: others.length > 0 ? t("calling.notice.with", { names: listing(others) }) : t("calling.notice.alone"),
  }),
};

/** What any tab has called for, by game and decision: others, and this one loaded anew, do not call again. */
const KEPT = "parlour.called";
const MOST_KEPT = 100;

/** Calls on behalf of one page, as long as that is shown. */
export class Caller {
  /** @type {Call[]|null} */
  #calls = null;
  /** @type {Map<string, Notification>} */
  #notices = new Map();
  #over = new AbortController();
  #seconds = new LastSeconds({ now: serverNow, onSecond: () => this.#tick() });

  /** @param {{navigate: (address: string) => void, says?: Says}} options */
  constructor({ navigate, says = OWN_TURN }) {
    this.navigate = navigate;
    this.says = says;
    const stop = onWishes(() => this.#show());
    const { signal } = this.#over;
    signal.addEventListener("abort", stop);
    document.addEventListener("visibilitychange", () => document.hidden || this.#closeAll(), { signal });
  }

  /**
   * Tell which tables wait now, all of them. Those of the first time were there when the reader came: they are shown, and
   * nobody has to be called for them.
   *
   * @param {Call[]} calls
   */
  update(calls) {
    const first = this.#calls === null;
    this.#calls = calls;
    const fresh = calls.filter(({ game, decisions }) => claim(decisions.map((id) => `${game}/${id}`)));
    this.#show();
    if (!first && wishes().calls) {
      this.#callFor(fresh);
    }
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
    markTab(called.length > 0 ? this.says.tab(called.length) : "");
    const dues = called.flatMap(({ due }) => due ?? []);
    this.#seconds.set(dues.length > 0 ? Math.min(...dues) : null);
    const waiting = new Set(called.map(({ game }) => game));
    [...this.#notices.keys()].filter((game) => !waiting.has(game)).forEach((game) => this.#close(game));
  }

  #callFor(fresh) {
    const { sound, notices } = wishes();
    if (fresh.length > 0 && sound) {
      soundCall();
    }
    // Who looks at the page sees it there.
    if (notices && document.hidden && mayNotify()) {
      fresh.forEach((call) => this.#notify(call));
    }
  }

  #notify(call) {
    const { game } = call;
    const shown = notify({ name: game, ...this.says.notice(call), onOpen: () => this.navigate(`/watch/${game}`) });
    if (shown !== null) {
      this.#notices.set(game, shown);
    }
  }

  /** Hidden tabs are given time once a second or less: a tick there would stumble. */
  #tick() {
    const { calls, sound } = wishes();
    if (calls && sound && !document.hidden) {
      soundTick();
    }
  }

  #close(game) {
    this.#notices.get(game)?.close();
    this.#notices.delete(game);
  }

  #closeAll() {
    [...this.#notices.keys()].forEach((game) => this.#close(game));
  }
}

/** Keep that somebody is being called for these; whether nobody has been for one of them. */
function claim(names) {
  let kept = [];
  try {
    const found = JSON.parse(read(KEPT) ?? "[]");
    kept = Array.isArray(found) ? found : [];
  } catch {
    // Not written by this page: as good as nothing.
  }
  const fresh = names.filter((name) => !kept.includes(name));
  if (fresh.length > 0) {
    write(KEPT, JSON.stringify([...kept, ...fresh].slice(-MOST_KEPT)));
  }
  return fresh.length > 0;
}

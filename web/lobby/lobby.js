/** The lobby: my tables, open, live and finished ones, fresh as long as somebody looks. */

import { Caller } from "../calling/caller.js";
import { announce, clear, focusOn, focusedElement, h } from "../dom.js";
import { wantWords } from "../languages.js";
import { post } from "../net/api.js";
import { serverNow } from "../net/clock.js";
import { Rest } from "../net/pause.js";
import { inRounds } from "../net/rounds.js";
import { onChange, playerId } from "../net/session.js";
import { listen } from "../net/stream.js";
import { refusalNote } from "../refusal.js";
import { language, t } from "../words.js";
import { Calls } from "./calls.js";
import { drawFilter } from "./filter.js";
import { Heard } from "./heard.js";
import { drawHero } from "./hero.js";
import { GamePages } from "./pages.js";
import { beginLesson } from "../lesson/begin.js";
import { lessonOf } from "../lesson/kept.js";
import { PauseCalls } from "./pauses.js";
import { playNow } from "./play-now.js";
import { filterOf, queriesOf } from "./queries.js";
import { isOwn, refreshTimes } from "./rows.js";
import { Screens } from "./screens.js";
import { SeatPanel } from "./seat-panel.js";
import { TableSection } from "./section.js";
import { troubleNote } from "./trouble.js";
import { WayBack } from "./way-back.js";

const EVERY_MS = 5_000;
/** Finished games change seldom: every so many rounds. */
const FINISHED_ROUNDS = 6;

wantWords(["lobby", "board"]);

/**
 * Show the lobby.
 *
 * @param {HTMLElement} root
 * @param {{navigate: (address: string, how?: {replace?: boolean}) => void}} context
 * @returns {() => void} unmount: ends its requests, streams and timers.
 */
export function mount(root, { navigate }) {
  let starting = false;
  let left = false;
  const play = async (game, name, begin = playNow) => {
    if (starting) {
      return;
    }
    starting = true; // who arrives on the way to a table is not shown the lobby again
    try {
      const table = await begin(game, name);
      navigate(`/watch/${table}`);
    } catch (error) {
      starting = false;
      if (!left) {
        anew();
        lobby.refuse(error);
      }
    } finally {
      starting = false;
    }
  };
  let lobby = new Lobby(root, navigate, play);
  const anew = () => {
    if (!starting) {
      lobby.close();
      lobby = new Lobby(root, navigate, play);
    }
  };
  const stop = onChange(anew);
  const onAddress = () => new URL(location.href).pathname === "/" && lobby.isElsewhere() && anew();
  addEventListener("popstate", onAddress);
  return () => {
    left = true;
    stop();
    removeEventListener("popstate", onAddress);
    lobby.close();
  };
}

/** Where a lesson has been begun it goes on. */
async function learn(game, name) {
  return lessonOf(game) ?? beginLesson(game, name);
}

/** The lobby as one reader sees it under one filter; for another reader or filter there is another one. */
class Lobby {
  #over = new AbortController();
  #calls = new Calls();
  #heard = new Heard();
  /** @type {Caller|null} */
  #caller = null;
  #panels = new Map();
  #round = 0;
  #rest = new Rest();
  #pauses = new PauseCalls();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #lapse;
  #screens = new Screens();
  /** Whether there has been a reason for a new round since the last one began. */
  #hurried = false;

  constructor(root, navigate, play) {
    this.navigate = navigate;
    this.play = play;
    this.learn = (game, name) => play(game, name, learn);
    this.me = playerId();
    this.lang = language();
    this.filter = filterOf(location.href);
    this.hero = drawHero(this.me !== null, { play: this.play, learn: this.learn });
    this.trouble = h("div", { class: "trouble", "aria-live": "polite" });
    this.pages = this.#makePages();
    this.sections = this.#makeSections();
    this.wayBack = new WayBack();
    /** What was said last of a seat that could not be taken. @type {HTMLElement|null} */
    this.refused = null;
    const filter = drawFilter(this.filter, this.lang, (wish) => navigate(addressOf(wish), { replace: true }));
    clear(root).append(
      h(
        "div",
        { class: "lobby" },
        this.wayBack.element,
        this.hero,
        this.trouble,
        this.sections.mine?.element ?? "",
        filter,
        ...["open", "live", "finished"].map((name) => this.sections[name].element),
        this.sections.myFinished?.element ?? "",
        people(),
      ),
    );
    this.root = root;
    this.#caller = this.me === null ? null : new Caller({ navigate });
    this.#run();
  }

  /** Whether the address asks for another filter. */
  isElsewhere() {
    return addressOf(filterOf(location.href)) !== addressOf(this.filter);
  }

  /** Say why there is no table to play at. */
  refuse(error) {
    const hero = drawHero(this.me !== null, { play: this.play, learn: this.learn });
    hero.append(refusalNote(error));
    this.hero.replaceWith(hero);
    this.hero = hero;
  }

  /** End everything that goes on. */
  close() {
    this.#over.abort();
    clearTimeout(this.#lapse);
    this.#panels.forEach((panel) => panel.close());
    this.#caller?.close();
    this.#screens.stop();
  }

  #makePages() {
    const queries = Object.entries(queriesOf(this.filter, this.me));
    return Object.fromEntries(queries.map(([name, query]) => [name, new GamePages(query)]));
  }

  #makeSections() {
    const link = (key) => h("a", { href: "/?page=new" }, t(key));
    const section = (name, empty) => {
      const onMore = () => {
        this.pages[name]?.widen();
        this.#hurry(true);
      };
      return new TableSection({ name, title: t(`lobby.${name}.title`), empty, onMore });
    };
    return {
      mine: this.me === null ? null : section("mine", [t("lobby.mine.empty")]),
      myFinished: this.me === null ? null : section("myFinished", [t("lobby.myFinished.empty")]),
      open: section("open", [t("lobby.open.empty"), " ", link("lobby.open.empty.link")]),
      live: section("live", [t("lobby.live.empty")]),
      finished: section("finished", [t("lobby.finished.empty")]),
    };
  }

  async #run() {
    const { signal } = this.#over;
    if (this.me !== null) {
      const onNotice = (name, body) => {
        this.#calls.hear(body);
        this.#hear(name === "games" ? body : [body]);
        this.#pauses.hear(name, body);
        this.#hurry();
      };
      listen({ onNotice, signal });
    }
    const onShow = () => document.visibilityState === "visible" && this.#hurry(true);
    document.addEventListener("visibilitychange", onShow, { signal });
    await inRounds(() => this.#refresh(), { signal, every: EVERY_MS, rest: (ms) => this.#wait(ms), tell: (problem) => this.#tell(problem) });
  }

  /** Wait for the next round: a while, or until there is a reason; while nobody looks and the lists know all, until somebody does. */
  async #wait(ms) {
    if (!this.#hurried) {
      await this.#rest.take(document.visibilityState === "visible" || this.#heard.isAhead ? ms : 2 ** 31 - 1, this.#over.signal);
    }
  }

  /** What is over comes into no list of those that go on. */
  #hear(told) {
    for (const { game, version, result } of told) {
      result ? this.#heard.forget(game) : this.#heard.hear(game, version);
    }
  }

  #hurry(all = false) {
    if (all) {
      this.#round = 0;
    }
    this.#hurried = true;
    this.#rest.wake();
  }

  async #refresh() {
    const { signal } = this.#over;
    this.#hurried = false;
    const due = Object.entries(this.pages).filter(
      ([name]) => !["finished", "myFinished"].includes(name) || this.#round % FINISHED_ROUNDS === 0,
    );
    const begun = this.#round;
    this.#round += 1;
    try {
      await Promise.all(due.map(([, pages]) => pages.refresh(signal)));
    } catch (error) {
      this.#round = Math.min(this.#round, begun); // what could not be read is due in the next round, too
      throw error;
    }
    const mine = [...(this.pages.myLive?.rows ?? []), ...(this.pages.myOpen?.rows ?? [])];
    this.#heard.read(mine);
    const asking = await this.#calls.refresh(mine, signal);
    if (signal.aborted) {
      return;
    }
    await this.#draw(mine);
    // Whoever has left meanwhile is called by the page on which they are now.
    signal.aborted || this.#say(asking, mine);
  }

  async #draw(mine) {
    const now = serverNow();
    const sit = (row) => this.#sit(row);
    const around = (row) => ({ me: this.me, calls: this.#calls.count(row.id), now, sit, panel: this.#panel(row), screen: this.#screens.of(row) });
    const show = (section, rows, more) => section.update(rows, around, { lang: this.lang, more });
    const first = (row) => (this.#calls.count(row.id) > 0 ? 0 : row.status === "live" ? 1 : 2);
    const own = new Set(mine.map((row) => row.id));
    const others = (name) => this.pages[name].rows.filter((row) => !own.has(row.id) && !isOwn(row, this.me));
    const ordered = [...mine].sort((a, b) => first(a) - first(b));
    const focused = focusIn(this.root);
    await Promise.all([
      this.wayBack.update(ordered, { me: this.me, lang: this.lang, asks: (game) => this.#calls.count(game) > 0 }),
      this.sections.mine && show(this.sections.mine, ordered, false),
      this.sections.myFinished && show(this.sections.myFinished, this.pages.myFinished.rows, this.pages.myFinished.more),
      show(this.sections.open, others("open"), this.pages.open.more),
      show(this.sections.live, others("live"), this.pages.live.more),
      show(this.sections.finished, others("finished"), this.pages.finished.more),
    ]);
    // "No game is being played" would be wrong where all that are played are among one's own.
    for (const name of ["open", "live", "finished"]) {
      const { rows, more } = this.pages[name];
      const some = rows.length > 0 || mine.some(({ status }) => status === name);
      const { element } = this.sections[name];
      element.hidden = !more && some && others(name).length === 0 && !element.contains(this.refused);
    }
    refreshTimes(this.root, now);
    focused.restore();
  }

  /** The panel of an open table, the same one as long as the table is open. */
  #panel(row) {
    if (row.status !== "open") {
      return null;
    }
    if (!this.#panels.has(row.id)) {
      const onChanged = () => this.#hurry(true);
      const { lang, navigate } = this;
      this.#panels.set(row.id, new SeatPanel(row.id, { lang, navigate, onChanged, signal: this.#over.signal }));
    }
    const panel = this.#panels.get(row.id);
    panel.moved(row.version);
    return panel.element;
  }

  #say(asking, mine) {
    const now = serverNow();
    this.#caller?.update([...this.#calls.waiting(mine, this.me), ...this.#pauses.waiting(mine, this.me, now)]);
    // By now the table's own page, where the reader may just have done it, has said so.
    this.#pauses.takeNews(mine, this.me).forEach((news) => this.#caller?.tell(news, { own: false }));
    clearTimeout(this.#lapse);
    const lapse = this.#pauses.nextLapse(now);
    if (lapse !== null) {
      this.#lapse = setTimeout(() => this.#hurry(), lapse - now);
    }
    if (asking.length > 0 && mine.length > 0) {
      announce(t("lobby.said.calls"));
    }
  }

  async #tell(problem) {
    clear(this.trouble).append(...(problem === null ? [] : [await troubleNote(problem)]));
  }

  /** Sit down at the first free seat, and go to the table. */
  async #sit(row) {
    if (this.me === null) {
      this.navigate(`/?page=account&next=${encodeURIComponent(`/watch/${row.id}`)}`);
      return;
    }
    try {
      await post(`/v1/games/${row.id}/seats`, {});
      this.navigate(`/watch/${row.id}`);
    } catch (error) {
      this.#refuseSeat(row.id, error);
    }
  }

  /** Say why there is no seat, above the list in which it was asked for: the table itself may be in another list by now, or in none. */
  #refuseSeat(game, error) {
    this.refused?.remove();
    this.refused = refusalNote(error);
    this.refused.tabIndex = -1;
    const list = this.root.querySelector(`[data-game="${game}"]`)?.closest(".lobby-section") ?? this.sections.open.element;
    list.hidden = false;
    list.querySelector("h2")?.after(this.refused);
    this.refused.focus();
    this.#hurry(true);
  }
}

/** The ways to what finished games come to. */
function people() {
  const link = (page, key) => h("a", { class: "button", href: `/?page=${page}` }, t(key));
  return h("p", { class: "row people-links" }, link("finished", "nav.finished"), link("leaderboards", "nav.leaderboards"), link("rules", "nav.rules"), link("wall", "nav.wall"));
}

/** Where the focus is among the tables, to bring it back when its table has gone from one list to another. */
function focusIn(root) {
  const before = focusedElement();
  const game = before?.closest("[data-game]")?.getAttribute("data-game");
  const restore = () => {
    if (before !== null && game && document.activeElement === document.body) {
      const row = root.querySelector(`[data-game="${game}"]`);
      focusOn(row?.querySelector(`[data-action="${before.dataset.action}"]`) ?? row?.querySelector("summary, a"));
    }
  };
  return { restore };
}

function addressOf(filter) {
  const given = Object.entries(filter).filter(([, value]) => value !== "");
  return given.length > 0 ? `/?${new URLSearchParams(given)}` : "/";
}

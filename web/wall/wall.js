/** The wall: many tables at once, what matters most first, for whoever watches over them. */

import { loadBook } from "../books.js";
import { Caller } from "../calling/caller.js";
import { announce, clear, h } from "../dom.js";
import { wantWords } from "../languages.js";
import { reconcile } from "../lobby/keyed.js";
import { Screens } from "../lobby/screens.js";
import { troubleNote } from "../lobby/trouble.js";
import { serverNow } from "../net/clock.js";
import { Rest } from "../net/pause.js";
import { inRounds } from "../net/rounds.js";
import { language, t, tn } from "../words.js";
import { choiceOf } from "./choice.js";
import { drawChooser, shortened } from "./chooser.js";
import { drawEntry, matterText, nameOfTable, signEntry, tickEntry } from "./entry.js";
import { asBefore, byUrgency, mattersOf } from "./matters.js";
import { WallReading } from "./reading.js";

wantWords(["lobby", "board", "wall"]);

/** How often the tables are asked for: while somebody looks, and while nobody does, who may have to be called. */
const EVERY_MS = 2500;
const UNSEEN_MS = 15_000;
const TICK_MS = 500;
/** Who points at something that has no pointer hovers over nothing. */
const HOVERS = matchMedia("(hover: hover)");

/**
 * Show the wall that the address asks for.
 *
 * @param {HTMLElement} root
 * @param {{navigate: (address: string, how?: {replace?: boolean}) => void}} context
 * @returns {() => void} unmount: ends its requests and timers.
 */
export function mount(root, { navigate }) {
  const wall = new WallPage(root, navigate);
  return () => wall.close();
}

class WallPage {
  #over = new AbortController();
  #screens = new Screens({ last: true });
  #tables = /** @type {any[]} */ ([]);
  #books = new Map();
  #known = new Set();
  #first = true;
  #rest = new Rest();

  constructor(root, navigate) {
    this.choice = choiceOf(location.href);
    this.reading = new WallReading(this.choice);
    this.caller = new Caller({
      navigate,
      says: {
        tab: (calls) => (calls.length > 0 ? tn("wall.tab", calls.length) : ""),
        notice: (about) => ({ title: t("wall.notice"), text: "what" in about ? (about.what ?? "") : "" }),
      },
    });
    const { tournament } = this.choice;
    this.trouble = h("div", { class: "trouble", "aria-live": "polite" });
    this.said = h("div", { class: "wall-said" });
    this.list = h("ul", { class: "wall", "aria-label": t("wall.list") });
    clear(root).append(
      h(
        "div",
        { class: "lobby wall-page" },
        h("h1", { tabindex: "-1" }, tournament === "" ? t("wall.title") : t("wall.title.tournament", { code: tournament })),
        h("p", { class: "lead" }, t("wall.lead")),
        tournament !== "" && h("p", {}, h("a", { href: `/?${new URLSearchParams({ page: "new", tournament })}`, dataset: { action: "open-another" } }, t("wall.tournament.open"))),
        drawChooser(this.choice, { lang: language(), onChoose: (address) => navigate(address) }),
        this.trouble,
        this.said,
        this.list,
      ),
    );
    this.timer = setInterval(() => this.#tick(), TICK_MS);
    document.addEventListener("visibilitychange", () => document.hidden || this.#rest.wake(), { signal: this.#over.signal });
    this.#run();
  }

  close() {
    this.#over.abort();
    clearInterval(this.timer);
    this.caller.close();
    this.#screens.stop();
  }

  #run() {
    return inRounds(() => this.#refresh(), { signal: this.#over.signal, every: EVERY_MS, rest: (ms) => this.#wait(ms), tell: (problem) => this.#tell(problem) });
  }

  async #tell(problem) {
    clear(this.trouble).append(...(problem === null ? [] : [await troubleNote(problem)]));
  }

  /** Wait for the next round, or until somebody looks again. */
  async #wait(ms) {
    await this.#rest.take(document.hidden ? Math.max(ms, UNSEEN_MS) : ms, this.#over.signal);
  }

  async #refresh() {
    const { signal } = this.#over;
    const { tables, missing } = await this.reading.read(signal);
    await Promise.all(tables.map((table) => this.#learn(table)));
    if (signal.aborted) {
      return;
    }
    const held = this.list.contains(document.activeElement) || (HOVERS.matches && this.list.matches(":hover"));
    this.#tables = held ? asBefore(tables, this.#order) : byUrgency(tables, serverNow());
    this.#draw();
    this.#explain(missing);
    this.#call();
    this.#first = false;
  }

  get #order() {
    return this.#tables.map(({ id }) => id);
  }

  /** What a rulebook calls things, before its first table is drawn. */
  async #learn({ game, rulebook }) {
    const title = `${game} ${rulebook}`;
    if (!this.#books.has(title)) {
      this.#books.set(title, await loadBook(game, rulebook, language()));
    }
  }

  #bookOf({ game, rulebook }) {
    return this.#books.get(`${game} ${rulebook}`);
  }

  #draw() {
    const now = serverNow();
    // A table is read as everybody may see it, so that its version is one of which everybody may see the board.
    // A code is shown to those who have chosen whose tables they see, not to whoever looks at all of them.
    const { tables, host, tournament } = this.choice;
    const tournaments = (tables !== null || host !== "") && tournament === "";
    const screen = (table) => this.#screens.of({ ...table, delay: null });
    reconcile(this.list, this.#tables, {
      key: ({ id }) => id,
      sign: (table) => signEntry(table, { book: this.#bookOf(table) }),
      draw: (table) => drawEntry(table, { book: this.#bookOf(table), screen: screen(table), now, tournaments }),
    });
    this.#tick();
  }

  #tick() {
    const now = serverNow();
    const known = new Map(this.#tables.map((table) => [table.id, table]));
    for (const element of this.list.children) {
      if (element instanceof HTMLElement) {
        tickEntry(element, known.get(element.dataset.game), now);
      }
    }
  }

  /** What of the address cannot be shown, and why there may be less than one expects. */
  #explain(missing) {
    const { unreadable, left, tables, tournament } = this.choice;
    const empty = () => t(tables !== null ? "wall.none" : tournament === "" ? "wall.vacant" : "wall.vacant.tournament");
    const said = [
      ...(unreadable.length > 0 ? [t("wall.unreadable", { what: shortened(unreadable) })] : []),
      ...(missing.length > 0 ? [tn("wall.missing", missing.length)] : []),
      ...(left > 0 ? [tn("wall.left", left)] : []),
      ...(this.reading.more ? [t("wall.more")] : []),
      ...(this.#tables.length === 0 ? [empty()] : []),
    ];
    const text = said.join("\n");
    if (this.said.dataset.text !== text) {
      this.said.dataset.text = text;
      clear(this.said).append(...said.map((each) => h("p", { class: "note" }, each)));
    }
  }

  /** Call for what is new, and say it. */
  #call() {
    const calling = this.#tables.map((table) => ({ table, matters: mattersOf(table).filter(({ calls }) => calls) })).filter(({ matters }) => matters.length > 0);
    const told = (table, matters) => t("wall.said", { table: nameOfTable(table, this.#bookOf(table)), what: matters.map((matter) => matterText(matter, table, this.#bookOf(table))).join(" ") });
    this.caller.update(
      calling.map(({ table, matters }) => ({ game: table.id, why: /** @type {const} */ ("watch"), decisions: matters.map(({ id }) => `wall-${id}`), due: null, others: [], what: told(table, matters) })),
    );
    const fresh = calling.map(({ table, matters }) => ({ table, matters: matters.filter(({ id }) => !this.#known.has(`${table.id} ${id}`)) })).filter(({ matters }) => matters.length > 0);
    this.#known = new Set(calling.flatMap(({ table, matters }) => matters.map(({ id }) => `${table.id} ${id}`)));
    if (!this.#first && fresh.length > 0) {
      announce(fresh.map(({ table, matters }) => told(table, matters)).join(" "));
    }
  }
}

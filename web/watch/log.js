/** The log: what happens as sentences, by turn and phase; behind its filter every event has one. */

import { h, clear } from "../dom.js";
import { seen } from "../fold/lines.js";
import { gameOf } from "../games/registry.js";
import { isHeard, onMuted } from "../net/muted.js";
import { nameExchanges, nameOf } from "../net/names.js";
import { aboutSign } from "../term.js";
import { tables } from "../tables.js";
import { t } from "../words.js";
import { OPENING, chapterAfter, resumed } from "./chapters.js";
import { icon } from "./icons.js";
import { createFilter } from "./log-filter.js";
import { LogSight, inTwoFrames } from "./log-sight.js";
import { concerns, sentence } from "./log-text.js";
import { QUIET, kindOf } from "./kinds.js";
import { Story } from "./story.js";

/** @import { Address } from "./place.js" */
/** @import { Controller } from "./controller.js" */

/**
 * The log panel.
 *
 * @param {Controller} controller
 * @param {{names: object, address: Address, onCopy: (version: number) => void,
 *   named: (event: any, text: string) => {title: string, content: Node[]}|null}} options `onCopy`: somebody wants the link of a line; `named`:
 *   what there is to know of what an event and its sentence name.
 * @returns {{element: HTMLElement, update: () => void, textOf: (version: number) => string,
 *   aboutOf: (version: number) => {title: string, content: Node[]}|null, chapterText: (version: number) => string, appear: () => void, stop: () => void}}
 */
export function createLog(controller, options) {
  return new Log(controller, options);
}

class Log {
  constructor(controller, { names, address, onCopy, named }) {
    this.controller = controller;
    this.names = names;
    this.own = gameOf(names.game).log;
    this.address = address;
    this.onCopy = onCopy;
    this.named = named;
    this.entries = new Map();
    this.story = new Story(this.own);
    this.opening = OPENING;
    this.chapter = this.opening;
    /** @type {HTMLElement|null} */
    this.body = null;
    this.list = h("div", { class: "log-lines", onclick: (event) => this.#click(event), onkeydown: (event) => this.#key(event) });
    const isMuted = (seat) => !isHeard(this.#places[seat]?.player);
    this.filter = createFilter({ names, log: this.own, seats: () => this.#seats(), isMuted, onChange: () => this.#refilter() });
    const text = t("watch.log.copy");
    this.copy = h("button", { type: "button", class: "log-copy sign-button", "aria-label": text, title: text, dataset: { move: "copy-line" } }, icon("link"));
    this.element = h(
      "section",
      { class: "log", "aria-label": t("watch.log") },
      h("h2", {}, t("watch.log")),
      this.filter.element,
      this.list,
    );
    this.sight = new LogSight(this.list);
    this.unmuted = onMuted(() => this.#refilter());
    this.#reset();
  }

  /** Draw what is new, and mark the line that is shown. */
  update() {
    const { timeline } = this.controller;
    if (timeline !== this.timeline) {
      this.#reset();
    }
    if (!timeline) {
      return;
    }
    this.#append();
    this.#rename();
    this.#mark();
  }

  /** The list comes into sight only now. */
  appear() {
    this.sight.appear();
  }

  /** Nothing of it runs any more. */
  stop() {
    this.sight.stop();
    this.unmuted();
  }

  /** An event in words. */
  textOf(version) {
    const line = this.controller.timeline.line(version);
    return line === null ? "" : this.#sentence(line);
  }

  /** What there is to know of what an event in words names; null: nothing. */
  aboutOf(version) {
    const line = this.controller.timeline.line(version);
    return line === null ? null : this.named(seen(line), this.#sentence(line));
  }

  /** The turn and phase of a version, in words. */
  chapterText(version) {
    return this.#title(this.entries.get(version)?.chapter ?? this.opening);
  }

  #reset() {
    this.timeline = this.controller.timeline;
    this.entries = new Map();
    this.nameless = [];
    this.exchanges = nameExchanges();
    // After a snapshot the first line is the one that follows it.
    const { first = 0, last = 0 } = this.timeline ?? {};
    const joins = last > 0 && this.timeline.line(first) === null;
    this.drawn = joins ? first : 0;
    this.opening = joins ? resumed(tables.turn(this.timeline.at(first))) : OPENING;
    this.chapter = this.opening;
    this.body = null;
    this.current = null;
    this.sight.show(null);
    this.story = new Story(this.own);
    clear(this.list);
  }

  #append() {
    const { last } = this.timeline;
    if (this.drawn === last) {
      return;
    }
    this.filter.refresh();
    for (let version = this.drawn + 1; version <= last; version += 1) {
      this.#add(this.timeline.line(version));
    }
    this.drawn = last;
  }

  /** A name may come after the line that has it, and another one in its place. */
  #rename() {
    if (this.exchanges !== nameExchanges()) {
      this.exchanges = nameExchanges();
      this.filter.refresh();
      this.entries.forEach((entry) => this.#say(entry));
    }
    const before = this.nameless.length;
    this.nameless = this.nameless.filter(({ line }) => nameOf(line.event.seat, line.event) === undefined);
    if (this.nameless.length < before) {
      // Other lines name the seat as well, as the one by which the game begins.
      this.entries.forEach((entry) => this.#say(entry));
    }
  }

  #say({ link, line }) {
    link.querySelector(".log-text").textContent = this.#sentence(line);
  }

  /** Say anew what an event has another sentence for since this one. */
  #sayAgain(event) {
    this.entries.forEach((entry) => concerns(entry.line.event, event) && this.#say(entry));
  }

  #add(line) {
    const chapter = chapterAfter(this.chapter, line.event, this.own);
    const same = chapter.turn === this.chapter.turn && chapter.part === this.chapter.part;
    const body = (same ? this.body : null) ?? this.#open(chapter);
    this.body = body;
    this.chapter = chapter;
    const kind = kindOf(line.event.type, this.own);
    const link = h(
      "a",
      { href: this.address.href({ ...this.controller.exactPlace, at: line.version }), tabindex: "-1" },
      h("span", { class: "log-version" }, String(line.version)),
      h("span", { class: "log-text" }, this.#sentence(line)),
    );
    const about = this.#about(line);
    const item = h("li", { dataset: { v: line.version, kind, type: line.event.type } }, link, about);
    const entry = { item, link, kind, chapter, line, about };
    item.hidden = !this.filter.passes(entry);
    body.append(item);
    if (body.parentElement !== null) {
      body.parentElement.hidden &&= item.hidden;
    }
    this.entries.set(line.version, entry);
    this.story.tell(line).forEach((each) => this.#quieten(this.entries.get(each.version)));
    if (line.event.type === "seat-taken") {
      this.nameless.push(entry);
      this.#sayAgain(line.event);
    }
  }

  /** What need not be told any more becomes a note. */
  #quieten(entry) {
    entry.kind = QUIET;
    entry.item.dataset.kind = QUIET;
    entry.item.hidden = !this.filter.passes(entry);
    const section = /** @type {HTMLElement} */ (entry.item.closest("section"));
    section.hidden = section.querySelector("li:not([hidden])") === null;
  }

  /** What opens what there is to know of things that a line names; null: nothing. Keys reach that of the line that is shown. */
  #about(line) {
    return aboutSign(this.named(seen(line), this.#sentence(line)), { class: "log-about", tabindex: "-1" });
  }

  /** Begin a chapter; gives the list of its lines. */
  #open(chapter) {
    const body = h("ol", { class: "log-part" });
    this.list.append(h("section", { class: `log-chapter part-${chapter.part}`, hidden: true }, h("h3", {}, this.#title(chapter)), body));
    return body;
  }

  get #sections() {
    return /** @type {HTMLElement[]} */ ([...this.list.children]);
  }

  #sentence(line) {
    const event = seen(line);
    return sentence({ ...event, ...this.own.beside(event, { version: line.version, timeline: this.timeline }) }, this.names);
  }

  /** Mark the line that is shown, or the last one before it that the filter lets through. */
  #mark() {
    let version = this.controller.shown;
    while (this.entries.get(version)?.item.hidden) {
      version -= 1;
    }
    const entry = this.entries.get(version);
    if (entry === this.current) {
      return;
    }
    this.#unmark();
    this.current = entry ?? null;
    if (!entry) {
      this.sight.show(null);
      return;
    }
    entry.item.classList.add("current");
    entry.item.closest("section").classList.add("current");
    entry.link.setAttribute("aria-current", "step");
    entry.link.setAttribute("tabindex", "0");
    entry.about?.setAttribute("tabindex", "0");
    this.copy.onclick = () => this.onCopy(entry.line.version);
    entry.item.append(this.copy);
    this.sight.show(entry.item);
  }

  #unmark() {
    if (this.current) {
      const { item, link, about } = this.current;
      item.classList.remove("current");
      item.closest("section")?.classList.remove("current");
      link.removeAttribute("aria-current");
      link.setAttribute("tabindex", "-1");
      about?.setAttribute("tabindex", "-1");
    }
  }

  #click(event) {
    const link = event.target.closest("a[href]");
    const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (link && plain) {
      event.preventDefault();
      this.controller.pause();
      this.controller.seek(Number(link.parentElement.dataset.v));
    }
  }

  /** Within the log the arrows go from line to line. */
  #key(event) {
    const item = event.target.closest("li");
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!item || way === undefined) {
      return;
    }
    event.preventDefault();
    let version = Number(item.dataset.v) + way;
    while (this.entries.get(version)?.item.hidden) {
      version += way;
    }
    const entry = this.entries.get(version);
    if (entry === undefined) {
      return;
    }
    entry.link.focus();
    // What came into sight with it may have moved it out again.
    inTwoFrames(() => entry.link === document.activeElement && entry.link.scrollIntoView({ block: "nearest" }));
  }

  #refilter() {
    for (const entry of this.entries.values()) {
      entry.item.hidden = !this.filter.passes(entry);
    }
    for (const section of this.#sections) {
      section.hidden = section.querySelector("li:not([hidden])") === null;
    }
    this.list.classList.toggle("filtered", this.filter.active());
    this.#mark();
    this.sight.seek();
  }

  get #places() {
    const state = this.timeline && this.timeline.last > 0 ? this.timeline.at(this.timeline.last) : null;
    return state?.seats ?? {};
  }

  #seats() {
    return Object.entries(this.#places).map(([seat, { characters }]) => ({ seat: Number(seat), characters }));
  }

  #title({ turn, part }) {
    if (part === "begin") {
      return t(`watch.chapter.${this.names.turn}`, { turn });
    }
    const title = t(this.names.key(`watch.part.${part}`));
    return turn > 0 && part !== "end" ? t(`watch.chapter.in.${this.names.turn}`, { turn, part: title }) : title;
  }
}

/** The page of one game: its parts, and how a change runs through them. */

import { announce, h } from "../dom.js";
import { get } from "../net/api.js";
import { session } from "../net/session.js";
import { t } from "../words.js";
import { createBadge } from "./badge.js";
import { createBanners, isOwn } from "./banners.js";
import { showChanges } from "./changes.js";
import { Controller } from "./controller.js";
import { copyText } from "./dialogs.js";
import { momentLink, showDownloads } from "./downloads.js";
import { speakToParent } from "./embed.js";
import { icon } from "./icons.js";
import { listenToKeys, showHelp } from "./keys.js";
import { createLog } from "./log.js";
import { namesOf } from "./names.js";
import { Narrator } from "./narrator.js";
import { Playing } from "./playing.js";
import { createResult } from "./result.js";
import { createScrubber, marksLegend } from "./scrubber.js";
import { Seating } from "./seating.js";
import { Stage } from "./stage.js";
import { listenToSwipes } from "./swipe.js";
import { createTransport } from "./transport.js";
import { createViewpoint, viewersOf } from "./viewpoint.js";

/** Where there is little room, what is not needed all the time is folded up. */
const NARROW = window.matchMedia("(max-width: 48rem)");

function signButton(name, key, sign, act) {
  return h("button", { type: "button", class: "sign-button", "aria-label": t(key), title: t(key), dataset: { move: name }, onclick: act }, sign);
}

/** A game on the page. */
export class Page {
  /**
   * @param {{game: string, embed: boolean, archive: object|null, address: Address, opening: Opening, place: object,
   *   navigate: (address: string) => void}}
   *   options see `opening.js` and `place.js`.
   */
  constructor({ game, embed, archive, address, opening, place, navigate }) {
    const { viewer, newest, book, notice } = opening;
    this.embed = embed;
    this.archive = archive;
    this.address = address;
    this.navigate = navigate;
    this.book = book;
    this.usual = viewer;
    this.notice = notice;
    this.noChoices = new Map();
    this.controller = new Controller({ game, viewer, place, newest, archive, embed, onChange: (change) => this.#update(change) });
    this.names = namesOf(book, () => this.controller.newestState ?? {});
    this.#compose();
  }

  /** Begin to listen to the game. */
  start() {
    this.unlisten = this.embed ? () => {} : this.#listenToKeys();
    this.controller.start();
  }

  /** Go where the back button leads. */
  goto(place) {
    this.controller.goto(place, this.usual);
  }

  stop() {
    this.unlisten?.();
    clearTimeout(this.noticeEnd);
    this.controller.stop();
    this.stage.stop();
    this.log.stop();
    this.scrubber.stop();
    this.barSize?.disconnect();
    this.parent?.stop();
    this.playing?.stop();
    this.seating?.stop();
  }

  #compose() {
    const { controller, names, address, embed, book } = this;
    const say = (text) => announce(text);
    this.log = createLog(controller, { names, address, onCopy: (version) => this.#copy(version) });
    this.narrator = new Narrator(controller, { textOf: (version) => this.log.textOf(version), say });
    this.stage = new Stage(controller, {
      book,
      onCell: (cell) => this.#cell(cell),
      caption: (from, to) => this.narrator.told(from, to),
    });
    listenToSwipes(this.stage.element, (direction) => controller.ready && controller.step(direction));
    this.scrubber = createScrubber(controller, { chapterText: (version) => this.log.chapterText(version) });
    this.title = h("h1", { tabindex: "-1" });
    this.where = h("p", { class: "chapter" });
    const transport = createTransport(controller, { small: embed });
    this.parts = [createBanners(controller, { names, notice: () => this.notice, mine: () => this.#mine() }), createResult(controller, { names }), transport, this.scrubber];
    const [banners, result] = this.parts;
    const bar = h("footer", { class: "watch-bar" }, this.scrubber.element, h("div", { class: "bar-line" }, transport.element, !embed && marksLegend()));
    this.badge = createBadge(controller, { say });
    this.parts.push(this.badge);
    this.element = embed ? this.#small(banners, bar) : this.#large(banners, result, bar, say);
  }

  #small(banners, bar) {
    this.stage.caption.tabIndex = 0; // in a frame it scrolls, and whoever has no mouse must reach it
    this.parent = speakToParent(this.controller);
    this.whole = h("a", { class: "whole", target: "_blank", rel: "noopener" }, t("watch.whole"));
    return h("article", { class: "watch watch-embed" }, h("header", { class: "watch-head" }, h("div", { class: "watch-names" }, this.title, this.where), h("div", { class: "tools" }, this.badge.element, this.whole)), banners.element, this.stage.element, bar);
  }

  #large(banners, result, bar, say) {
    const { controller, names, book, address } = this;
    const viewpoint = createViewpoint(controller, { names, mine: () => this.#mine() });
    this.parts.push(viewpoint);
    const save = () => controller.ready && showDownloads(controller, { address, say });
    const signs = [
      ...this.stage.tools,
      signButton("copy", "watch.copy_link", icon("link"), () => this.#copy(controller.shown)),
      signButton("save", "watch.save", icon("save"), save),
      signButton("keys", "watch.keys", "?", showHelp),
    ];
    const tools = h(
      "details",
      { class: "watch-tools", open: !NARROW.matches },
      h("summary", {}, t("watch.tools")),
      h("div", { class: "tools" }, viewpoint.element, signs),
    );
    this.status = h("span", { class: "status" });
    // What sticks above the bar must know how high it is.
    this.barSize = new ResizeObserver(() => this.element.style.setProperty("--bar-height", `${bar.offsetHeight}px`));
    this.barSize.observe(bar);
    const acts = this.archive ? [] : this.#acts(book);
    return h(
      "article",
      { class: "watch" },
      h("header", { class: "watch-head" }, h("div", { class: "watch-names" }, this.title, this.where, this.status, this.badge.element), tools),
      banners.element,
      h("div", { class: "watch-body" }, this.stage.element, h("div", { class: "watch-column" }, acts, result.element, this.stage.side), this.log.element),
      bar,
    );
  }

  #acts(book) {
    const onChoices = () => this.#update({ reason: "data", jump: false });
    this.playing = new Playing(this.controller, { book, onChoices });
    this.seating = new Seating(this.controller, { book, navigate: this.navigate, onChanged: () => this.#lookAsOneself() });
    return [this.seating.element, this.playing.element];
  }

  /** A change runs from the controller through everything that shows it. */
  #update(change) {
    const { controller, element } = this;
    if (!element) {
      return;
    }
    this.#sayStatus(controller.feed.status);
    element.dataset.status = controller.feed.status;
    element.dataset.viewer = controller.viewer;
    const own = isOwn(controller.viewer, this.#mine());
    element.classList.toggle("not-public", controller.viewer !== "public" && !own);
    element.classList.toggle("own-view", own);
    if (this.status) {
      this.status.dataset.state = controller.feed.status;
      this.status.textContent = t(`watch.status.${controller.feed.status}`, { why: controller.feed.problem?.title ?? "" });
    }
    if (!controller.ready) {
      this.parts.forEach((part) => part.update(change));
      return;
    }
    if (this.#sitDown()) {
      return;
    }
    this.log.update();
    this.playing?.update(this.#mine());
    this.seating?.update();
    this.stage.update(change, this.playing?.choices ?? this.noChoices);
    this.parts.forEach((part) => part.update(change));
    this.#head();
    if (change.reason !== "data") {
      this.narrator.speak();
    }
    this.#writeAddress(change);
    this.parent?.update();
    element.dataset.version = String(controller.shown);
  }

  /** A connection that breaks or comes back is said once. */
  #sayStatus(status) {
    const before = this.element.dataset.status;
    if (status === "waiting" && before === "live") {
      announce(t("watch.status.lost"));
    } else if (status === "live" && this.wasLost) {
      announce(t("watch.status.live"));
    }
    this.wasLost = status === "waiting" || (this.wasLost && status === "connecting");
  }

  #head() {
    const { controller, names } = this;
    const { state, shown } = controller;
    const mode = state.mode ? names.mode(state.mode) : "";
    this.title.textContent = t("watch.title", { rulebook: names.rulebook(), mode });
    const last = state.play?.last_turn;
    const chapter = this.log.chapterText(shown);
    this.where.textContent = last ? t("watch.chapter.of", { chapter, last }) : chapter;
    if (this.whole) {
      this.whole.href = `/watch/${controller.game}${controller.following ? "" : `?at=${shown}`}`;
    }
  }

  #writeAddress(change) {
    if (!this.embed && change.reason !== "data") {
      this.address.write(this.controller.place, change.jump);
    }
  }

  /** A click on a room: its history. What may be chosen there is the play panel's business, and comes first. */
  #cell(cell) {
    if (this.controller.ready && !this.embed) {
      showChanges(this.controller, cell, { names: this.names, log: this.log });
    }
  }

  #copy(version) {
    copyText(momentLink(this.controller, this.address, version), (text) => {
      this.notice = text;
      announce(text);
      this.parts[0].update();
      clearTimeout(this.noticeEnd);
      this.noticeEnd = setTimeout(() => {
        this.notice = null;
        this.parts[0].update();
      }, 4000);
    });
  }

  #listenToKeys() {
    const { controller, stage } = this;
    return listenToKeys(controller, {
      text: () => stage.toggleText(),
      motion: () => stage.toggleMotion(),
      copy: () => this.#copy(controller.shown),
      viewers: () => viewersOf(controller, this.#mine()),
    });
  }

  /** Whoever sits at the table sees it from there, unless another view was asked for. */
  #sitDown() {
    const { controller } = this;
    const [seat] = this.#mine();
    if (controller.asked !== null || controller.viewer !== "public" || seat === undefined) {
      return false;
    }
    this.usual = `seat:${seat}`;
    controller.become(this.usual);
    return true;
  }

  /** A seat's view is not late where the public one is, so it is asked for whether one sits at the table now. */
  async #lookAsOneself() {
    const { controller } = this;
    if (controller.asked === null && controller.viewer === "public") {
      const { body } = await get(`/v1/games/${controller.game}`);
      if (body.viewer !== controller.viewer && controller.asked === null) {
        this.usual = body.viewer;
        controller.become(body.viewer);
      }
    }
  }

  /** The reader's own seats. */
  #mine() {
    const player = this.archive || this.embed ? null : (session()?.player ?? null);
    const seats = Object.entries(this.controller.newestState?.seats ?? {});
    return player === null ? [] : seats.filter(([, seat]) => seat.player === player).map(([seat]) => Number(seat));
  }
}

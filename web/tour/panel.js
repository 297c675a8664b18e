/** A tour: one leads through a game, the others see what is shown there, each with their own rights, until they look away. */

import { announce, clear, h } from "../dom.js";
import { del, post, put } from "../net/api.js";
import { Problem } from "../net/problem.js";
import { followTour } from "../net/stream.js";
import { refusalNote } from "../refusal.js";
import { copyText } from "../watch/copying.js";
import { viewersOf } from "../watch/viewpoint.js";
import { redraw } from "../redraw.js";
import { t } from "../words.js";
import { mayLead } from "./entrance.js";
import { Marks } from "./marks.js";

/** @import { Controller } from "../watch/controller.js" */
/** @import { Mark } from "./marks.js" */

/** How soon those who follow hear of a move of their leader, in milliseconds; of several, the last. */
const TELL_MS = 150;
/** More marks than so many at once say nothing any more. */
const MARKS_MAX = 24;

export class TourPanel {
  #over = new AbortController();
  #info = /** @type {any} */ (null);
  /** The follower has gone somewhere by themselves. */
  #away = false;
  /** Where the follower is being brought; null: they are there. */
  #bringing = /** @type {any} */ (null);
  /** Where the leader was when it was told last. */
  #told = "";
  /** What is being told: what comes next waits for it, or it could be overtaken. */
  #telling = Promise.resolve();
  #marks = /** @type {Mark[]} */ ([]);
  #tool = /** @type {"arrow"|"circle"|null} */ (null);
  #timer = /** @type {ReturnType<typeof setTimeout>|undefined} */ (undefined);
  #drawn = "";

  /** @param {Controller} controller @param {{address: import("../watch/place.js").Address, stage: Element, mine: () => number[]}} options */
  constructor(controller, { address, stage, mine }) {
    this.controller = controller;
    this.address = address;
    this.mine = mine;
    this.said = h("div", { class: "tour-said" });
    this.trouble = h("div", { role: "alert" });
    this.element = h("section", { class: "tour", "aria-label": t("watch.tour.label") }, this.said, this.trouble);
    this.marks = new Marks(stage, (mark) => this.#mark(mark));
    address.tour !== null && this.#follow();
    this.#draw();
  }

  get #path() {
    return `/v1/games/${encodeURIComponent(this.controller.game)}/tours`;
  }

  get #tour() {
    return `${this.#path}/${encodeURIComponent(this.address.tour ?? "")}`;
  }

  get #leading() {
    return this.#info?.leading === true;
  }

  /** What is shown has changed: whoever leads tells it, whoever follows may have looked away. */
  update() {
    const { controller } = this;
    if (!controller.ready || this.#info === null) {
      this.#draw();
      return;
    }
    if (this.#leading) {
      this.#timer ??= setTimeout(() => this.#tell(), TELL_MS);
    } else if (this.#bringing !== null) {
      this.#bring();
    } else if (!this.#away && !this.#isThere(this.#info.place)) {
      this.#away = true;
    }
    this.#draw();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#over.abort();
    this.marks.stop();
  }

  #follow() {
    this.#over.abort();
    this.#over = new AbortController();
    const { signal } = this.#over;
    followTour(this.#tour, {
      onTour: (info) => this.#heard(info),
      onStatus: ({ state, problem }) => (state === "ended" || state === "refused") && this.#ended(problem),
      signal,
    });
  }

  #heard(info) {
    const led = this.#leading;
    this.#info = info;
    if (!this.#leading) {
      this.#tool = null;
      this.marks.use(null);
      this.marks.show(info.place.marks);
      if (!this.#away) {
        this.#bringing = info.place;
        this.#bring();
      }
    } else if (!led) {
      this.#away = false;
      this.#bringing = null;
      this.#marks = info.place.marks;
      const { offered: _, ...where } = info.place;
      this.#told = JSON.stringify(where);
      this.marks.show(this.#marks);
      announce(t("watch.tour.leading"));
    }
    this.#draw();
  }

  #ended(problem) {
    this.address.join(null);
    this.#info = null;
    this.#away = false;
    this.#bringing = null;
    this.marks.use(null);
    this.marks.show([]);
    clear(this.trouble).append(problem ? refusalNote(problem) : h("p", {}, t("watch.tour.over")));
    this.#draw();
  }

  /** The view of a place, as far as it is open to the reader. */
  #eyes({ eyes }) {
    return viewersOf(this.controller, this.mine()).includes(eyes) ? eyes : this.controller.viewer;
  }

  #isThere(place) {
    const { controller } = this;
    const at = place.at ?? controller.last;
    return controller.shown === Math.min(at, controller.last) && controller.viewer === this.#eyes(place);
  }

  /** Go where the leader is, one step after another: another view is loaded first. */
  #bring() {
    const { controller } = this;
    const place = this.#bringing;
    if (place === null || !controller.ready) {
      return;
    }
    const eyes = this.#eyes(place);
    if (controller.viewer !== eyes) {
      controller.look(eyes, { jump: false });
    } else if (this.#isThere(place)) {
      this.#bringing = null;
    } else if (place.at === null) {
      this.#bringing = null;
      controller.follow();
    } else {
      controller.pause();
      controller.seek(place.at, { jump: false });
    }
  }

  #place() {
    const { controller } = this;
    const at = controller.following && controller.live() ? null : controller.shown;
    return { at, eyes: controller.live() ? "public" : controller.viewer, marks: this.#marks };
  }

  /** Tell where the leader is, if that is new. The lead is offered for as long as they stay there, whatever else happens on their page. */
  #tell({ offered = false } = {}) {
    this.#timer = undefined;
    const told = this.#telling.then(() => this.#tellNow(offered));
    this.#telling = told.catch(() => {}); // whoever tells hears of it
    return told;
  }

  async #tellNow(offered) {
    const place = this.#place();
    const text = JSON.stringify(place);
    if ((offered || text !== this.#told) && this.#leading && this.controller.ready) {
      this.#told = text;
      await this.#try(() => put(this.#tour, { ...place, offered }, { signal: this.#over.signal }));
    }
  }

  #mark(mark) {
    this.#marks = [...this.#marks, mark].slice(-MARKS_MAX);
    this.marks.show(this.#marks);
    this.#tell();
  }

  #clear() {
    this.#marks = [];
    this.marks.show([]);
    this.#tell();
  }

  #use(tool) {
    this.#tool = this.#tool === tool ? null : tool;
    this.marks.use(this.#tool);
    this.#draw();
  }

  /** Lead a new tour. */
  async begin() {
    await this.#try(async () => {
      const { body } = await post(this.#path);
      this.address.join(body.tour);
      this.#heard(body);
      this.#follow();
      await this.#tell(); // a tour begins at the end, and this one where its leader is
    });
  }

  /** Do something of which the service may say no: then it is said why, and nothing else happens. */
  async #try(act) {
    clear(this.trouble);
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      !this.#over.signal.aborted && this.trouble.append(refusalNote(error));
    }
  }

  #draw() {
    const { controller } = this;
    const may = mayLead(controller, this.mine);
    const key = JSON.stringify([may, this.#info?.leading, this.#info?.place.offered, this.#away, this.#tool]);
    if (key === this.#drawn) {
      return;
    }
    this.#drawn = key;
    const button = (move, text, act, pressed) => h("button", { type: "button", dataset: { move }, onclick: act, ...(pressed !== undefined && { "aria-pressed": String(pressed) }) }, text);
    if (this.#info === null) {
      redraw(this.said, may && button("tour-begin", t("watch.tour.begin"), () => this.begin()));
    } else if (this.#leading) {
      redraw(
        this.said,
        h("p", {}, t("watch.tour.leading")),
        button("tour-link", t("watch.tour.link"), () => copyText(new URL(`/watch/${controller.game}?tour=${this.address.tour}`, location.href).href, announce)),
        button("tour-arrow", t("watch.tour.arrow"), () => this.#use("arrow"), this.#tool === "arrow"),
        button("tour-circle", t("watch.tour.circle"), () => this.#use("circle"), this.#tool === "circle"),
        button("tour-clear", t("watch.tour.clear"), () => this.#clear()),
        button("tour-offer", t("watch.tour.offer"), () => this.#tell({ offered: true }), this.#info.place.offered),
        button("tour-end", t("watch.tour.end"), () => this.#try(() => del(this.#tour))),
      );
    } else {
      const back = () => {
        this.#away = false;
        this.#bringing = this.#info.place;
        this.#bring();
        this.#draw();
      };
      redraw(
        this.said,
        h("p", {}, this.#away ? t("watch.tour.away") : t("watch.tour.following")),
        this.#away && button("tour-back", t("watch.tour.back"), back),
        may && this.#info.place.offered && button("tour-take", t("watch.tour.take"), () => this.#try(async () => this.#heard((await post(`${this.#tour}/leader`)).body))),
      );
    }
  }
}

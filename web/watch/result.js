/** The end of a game: who has won and why, who was what, and what one may go on with. */

import { clear, h, present } from "../dom.js";
import { isVoid, neverBegan, wasPlayed } from "../ends.js";
import { gameOf } from "../games/registry.js";
import { get } from "../net/api.js";
import { learnFromView } from "../net/names.js";
import { viewPath } from "../net/paths.js";
import { Problem } from "../net/problem.js";
import { patch } from "../patch.js";
import { scrollUpTo } from "../play/scrolling.js";
import { sentenceOf } from "../refusal.js";
import { tables } from "../tables.js";
import { aboutSign } from "../term.js";
import { t } from "../words.js";
import { keepRecord } from "./files.js";
import { released } from "./pressing.js";
import { turningPoint } from "./turning-point.js";
import { fortune, verdict } from "./verdict.js";

/** @import { Controller } from "./controller.js" */

/** The end of the game that is shown, once it is over. */
export class Result {
  #drawn = null;
  #whole = null;
  #asked = false;
  /** Whether the game has ended before its reader's eyes, and the last scene has not been shown yet. */
  #ends = false;
  #wasLive;
  #over = new AbortController();

  /**
   * @param {Controller} controller
   * @param {{book: import("../book.js").Book, names: any, mine: () => number[], rematch: Element|null, say: (text: string) => void, share: () => void, textOf: (version: number) => string, aboutOf: (version: number) => {title: string, content: Node[]}|null, wasLive: boolean,
   *   onUncovered: (whole: any) => void, onFinale: ((state: any, given: {seat: number|null, won: boolean|null, text: string}) => void)|null}} options `mine`: the
   *   reader's own seats; `wasLive`: the game ran when the table was drawn first; `rematch` stands among what one may go on with; `onFinale` shows the last scene of a state in which all is open; null: there is none;
   *   `onUncovered` hears of such a state, where the view that is open does not have it.
   */
  constructor(controller, { book, names, mine, rematch, say, share, textOf, aboutOf, onFinale, onUncovered, wasLive }) {
    this.#wasLive = wasLive;
    this.share = share;
    this.textOf = textOf;
    this.aboutOf = aboutOf;
    this.book = book;
    this.onFinale = onFinale;
    this.onUncovered = onUncovered;
    this.controller = controller;
    this.names = names;
    this.mine = mine;
    this.say = say;
    this.told = h("div", { class: "result-told" });
    this.cast = h("div", {});
    this.turning = h("p", { class: "result-turning", hidden: true });
    this.scene = h("button", { type: "button", hidden: true, dataset: { move: "finale" }, onclick: () => this.#finale() }, t("watch.finale.show"));
    this.answer = h("output", { class: "result-answer" });
    this.acts = this.#acts(rematch);
    this.element = h("section", { class: "result", hidden: true, "aria-label": t("watch.result") }, this.told, this.acts, this.cast);
  }

  update() {
    const { controller } = this;
    const state = controller.ready ? controller.state : null;
    const over = state?.phase === "finished" && Boolean(state.result);
    if (wasPlayed(controller.newestState)) {
      this.#uncover(controller.newestState);
    }
    this.element.hidden = !over;
    if (over && this.#drawn !== state) {
      this.#drawn = state;
      this.acts.hidden = neverBegan(state);
      patch(this.told, this.#sentences(state));
      if (!neverBegan(state)) {
        this.#drawCast(state);
        this.#drawTurning();
      }
      if (this.#wasLive) {
        scrollUpTo(this.element);
        this.#ends = true;
      }
    }
    if (this.#ends && this.#open !== null) {
      this.#ends = false;
      this.#finale();
    }
    this.#wasLive = controller.live();
  }

  stop() {
    this.#over.abort();
  }

  /** The state at the end, with everything open; null: it is not here. */
  get #open() {
    const { controller } = this;
    return this.#whole ?? (controller.viewer === "full" || controller.archive ? controller.newestState : null);
  }

  #finale() {
    const state = this.#open;
    if (state?.result && !isVoid(state.result)) {
      const [seat = null] = this.mine();
      const came = seat === null ? "drew" : fortune(state.result, seat);
      this.onFinale?.(state, { seat, won: came === "drew" ? null : came === "won", text: gameOf(this.names.game).words.ending(state, this.names) ?? "" });
    }
  }

  /** A link to the moment at which the game has turned. */
  #drawTurning() {
    const { controller, names } = this;
    const found = turningPoint(controller.timeline, controller.last, gameOf(names.game).log);
    this.turning.hidden = found === null;
    if (found !== null) {
      const act = (event) => {
        event.preventDefault();
        controller.pause();
        controller.seek(found.at);
      };
      clear(this.turning).append(h("a", { href: `?at=${found.at}`, dataset: { move: "turning" }, onclick: act }, t("watch.turning")), " ", h("span", { class: "listing" }, this.textOf(found.version)), " ", ...present([aboutSign(this.aboutOf(found.version))]));
    }
  }

  /** Whoever was in the panel of a game that ends, goes on with the first of them. */
  #sentences(state) {
    const { names } = this;
    const { result } = state;
    const [seat] = this.mine();
    const own = seat !== undefined && !isVoid(result);
    const why = isVoid(result) ? null : gameOf(names.game).words.ending(state, names);
    const said = present([verdict(result, names), why]).join(" ");
    const outcome = names.word(`outcome.${result.outcome}`);
    const about = aboutSign(gameOf(names.game).help.named(null, this.book, `${outcome}\n${said}`));
    return present([
      own && h("p", { class: "result-own", tabindex: "-1" }, t(`watch.result.you.${fortune(result, seat)}`)),
      h("div", { class: "result-said", tabindex: own ? null : "-1" }, h("h2", {}, outcome), said && h("p", { class: "result-why" }, said), " ", about),
      typeof result.score === "number" && h("p", {}, t("watch.result.score", { score: result.score })),
      result.cause && h("p", {}, t("watch.result.cause", { cause: names.word(`reason.${result.cause}`) })),
      ...(neverBegan(state) ? this.#instead() : []),
    ]);
  }

  /** What there is to say and to do where nothing was played. */
  #instead() {
    const open = h("a", { class: "button primary", href: `/?page=new&game=${this.names.game}` }, t("nav.new"));
    return present([h("p", {}, t("watch.result.unplayed")), !this.controller.archive && h("p", {}, open)]);
  }

  #acts(rematch) {
    const { controller } = this;
    const button = (name, text, act) => h("button", { type: "button", dataset: { move: name }, onclick: act }, text);
    const tell = (text) => {
      this.answer.textContent = text;
      this.say(text);
    };
    const replay = async () => {
      await controller.toFirst();
      controller.play();
    };
    const record = controller.archive ? null : button("record", t("watch.result.record"), () => keepRecord(controller, tell));
    return h(
      "div",
      { class: "result-acts" },
      rematch,
      this.turning,
      h("p", { class: "row" }, button("replay", t("watch.result.replay"), replay), this.scene, button("share", t("watch.share"), this.share), record),
      this.answer,
    );
  }

  /** Once a game is over nothing of it is secret. The board goes on to tell no more than its view knew, until it is asked to. */
  #drawCast(state) {
    const { controller } = this;
    const cast = this.#castOf(this.#whole ?? state);
    const whole = controller.viewer === "full" || controller.archive;
    const reveal = whole ? null : h("button", { type: "button", dataset: { move: "reveal" }, onclick: () => controller.look("full") }, t("watch.result.full"));
    patch(this.cast, cast, reveal);
    this.scene.hidden = this.onFinale === null || this.#open === null || isVoid(state.result);
  }

  #castOf(state) {
    const { names } = this;
    return gameOf(names.game).board.cast(state, { book: this.book, names, fortune: (seat) => fortune(state.result, seat) });
  }

  /** Ask once for the view in which everything is open; until it is here the result is busy. */
  async #uncover(state) {
    const { controller } = this;
    if (this.#asked || controller.archive || controller.viewer === "full" || this.#castOf(state) === null) {
      return;
    }
    this.#asked = true;
    this.element.setAttribute("aria-busy", "true");
    try {
      const { body } = await get(viewPath(controller.game, "full"), { signal: this.#over.signal });
      await released(); // what is drawn anew then may be what is pressed
      learnFromView(body);
      this.#whole = tables.fromView(body.state);
      this.onUncovered(this.#whole);
      if (this.#drawn !== null) {
        this.#drawCast(this.#drawn);
        this.update();
      }
    } catch (error) {
      if (this.#over.signal.aborted) {
        return;
      }
      if (!(error instanceof Problem)) {
        throw error;
      }
      this.#asked = false; // with the next change it is tried again
      this.answer.textContent = sentenceOf(error);
    } finally {
      this.element.removeAttribute("aria-busy");
    }
  }
}

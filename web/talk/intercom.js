/** The intercom: the phrases of the game, their targets, and whom one does not want to hear. */

import { called } from "../called.js";
import { announce, focusOn, h } from "../dom.js";
import { post } from "../net/api.js";
import { isAllMuted, isMuted, mute, muteAll } from "../net/muted.js";
import { nameExchanges } from "../net/names.js";
import { patch } from "../patch.js";
import { focusedIn } from "../play/focus.js";
import { sentenceOf } from "../refusal.js";
import { t } from "../words.js";
import { phraseText, targetAt, targetsOf } from "./targets.js";

/** @import { Controller } from "../watch/controller.js" */

/** The value of the target that is none. */
const EVERYBODY = "";

/** The panel with which a player talks. */
export class Intercom {
  /** The phrase whose target is being chosen. */
  #aiming = /** @type {any} */ (null);
  #busy = false;
  /** How often names had been exchanged when it was drawn. */
  #exchanges = nameExchanges();
  #problem = /** @type {unknown} */ (null);
  #mine = /** @type {number[]} */ ([]);
  #onTap = (event) => this.#tapped(event);

  /**
   * @param {Controller} controller
   * @param {{book: import("../book.js").Book, stage: Element}} options `stage` holds the board, on which a target can be tapped.
   */
  constructor(controller, { book, stage }) {
    this.controller = controller;
    this.book = book;
    this.stage = stage;
    this.body = h("div", { class: "talk-body" });
    this.element = h("details", { class: "talk", hidden: true, ontoggle: () => this.#aim(null) }, h("summary", { id: "talk-open" }, t("play.talk.label")), this.body);
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && this.#aiming !== null && this.#aim(null));
    stage.addEventListener("click", this.#onTap, true);
  }

  /** Who sits at the table of a running game may talk. */
  update(mine) {
    const { controller, book } = this;
    this.#mine = mine;
    const phrases = book.json.phrases ?? []; // an older service has none
    const shown = mine.length > 0 && phrases.length > 0 && controller.live() && this.#state.phase === "live";
    if (this.element.hidden === shown || this.#exchanges !== nameExchanges()) {
      this.element.hidden = !shown;
      this.#exchanges = nameExchanges();
      this.#draw();
    }
  }

  stop() {
    this.stage.removeEventListener("click", this.#onTap, true);
  }

  get #state() {
    return this.controller.timeline.at(this.controller.last);
  }

  /** Choose the target of a phrase, or (null) none any more. */
  #aim(phrase) {
    this.#aiming = phrase;
    this.#problem = null;
    this.stage.classList.toggle("talk-aiming", phrase !== null);
    this.#draw();
    if (phrase !== null) {
      focusOn(document.getElementById("talk-target"));
      announce(t("play.talk.aim", { phrase: phrase.name }));
    }
  }

  /** A tap on the board is the target while one is being chosen, and nothing else. */
  #tapped(event) {
    if (this.#aiming === null || this.element.hidden || !(event.target instanceof Element)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const given = { state: this.#state, game: this.book.game, within: this.stage };
    const found = targetAt(event.target, targetsOf(this.#aiming, this.#state, this.book), given);
    if (found !== null) {
      this.#say(this.#aiming, found.target);
    }
  }

  async #say(phrase, target) {
    if (this.#busy) {
      return;
    }
    this.#busy = true;
    this.#problem = null;
    this.#draw();
    try {
      await post(`/v1/games/${encodeURIComponent(this.controller.game)}/phrases`, { phrase: phrase.id, ...target });
      announce(t("play.talk.said", { phrase: phraseText({ phrase: phrase.id, ...target }, this.#state, this.book) }));
      this.#busy = false;
      this.#aim(null);
      focusOn(document.getElementById(`talk-${phrase.id}`));
    } catch (problem) {
      this.#busy = false;
      this.#problem = problem;
      this.#draw();
    }
  }

  #draw() {
    const kept = focusedIn(this.body);
    const open = this.element.open && !this.element.hidden;
    patch(this.body, open ? this.#content() : []);
    if (kept !== null && focusedIn(this.body) === null) {
      focusOn(document.getElementById(kept));
    }
  }

  #content() {
    const problem = h("p", { class: "talk-problem", role: "alert" }, this.#problem === null ? "" : sentenceOf(this.#problem));
    return [...(this.#aiming === null ? this.#phrases() : this.#targets(this.#aiming)), problem, this.#mutes()];
  }

  #phrases() {
    const take = (phrase) => (phrase.aims.every((aim) => aim === "nothing") ? this.#say(phrase, {}) : this.#aim(phrase));
    const button = (phrase) => h("button", { type: "button", id: `talk-${phrase.id}`, dataset: { phrase: phrase.id }, "aria-disabled": this.#busy ? "true" : null, onclick: () => take(phrase) }, phrase.name);
    return [h("ul", { class: "talk-phrases" }, this.book.json.phrases.map((phrase) => h("li", {}, button(phrase))))];
  }

  #targets(phrase) {
    const targets = targetsOf(phrase, this.#state, this.book);
    const all = phrase.aims.includes("nothing") ? [{ value: EVERYBODY, text: t("play.talk.everybody"), target: {} }] : [];
    const listed = [...all, ...targets];
    const select = h("select", { id: "talk-target" }, listed.map(({ value, text }) => h("option", { value }, text)));
    const say = () => {
      const { value: chosen } = /** @type {HTMLSelectElement} */ (document.getElementById("talk-target"));
      const found = listed.find(({ value }) => value === chosen);
      if (found !== undefined) {
        this.#say(phrase, found.target);
      }
    };
    return [
      h("p", { class: "talk-aim" }, h("label", { for: "talk-target" }, t("play.talk.aim", { phrase: phrase.name })), select),
      h("p", { class: "talk-acts" }, h("button", { type: "button", id: "talk-say", "aria-disabled": this.#busy ? "true" : null, onclick: say }, t("play.talk.say")), h("button", { type: "button", id: "talk-back", onclick: () => this.#aim(null) }, t("play.back"))),
    ];
  }

  #mutes() {
    const others = Object.entries(this.#state.seats).filter(([seat, { bot }]) => !this.#mine.includes(Number(seat)) && !bot);
    const box = (id, text, checked, act) => h("label", {}, h("input", { type: "checkbox", id, checked, onchange: (event) => act(event.target.checked) }), " ", text);
    return h(
      "fieldset",
      { class: "talk-mutes" },
      h("legend", {}, t("play.talk.mute")),
      box("talk-mute-all", t("play.talk.mute_all"), isAllMuted(), muteAll),
      others.map(([seat, place]) => box(`talk-mute-${seat}`, called(seat, place), isMuted(place.player), (muted) => mute(place.player, muted))),
    );
  }
}

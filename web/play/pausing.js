/** The panel of pauses by agreement: ask for one, answer, and play on. */

import { called } from "../called.js";
import { announce, focusOn, focusedElement, h, present } from "../dom.js";
import { post } from "../net/api.js";
import { serverNow } from "../net/clock.js";
import { patch } from "../patch.js";
import { sentenceOf } from "../refusal.js";
import { calmed, refuseStrayed } from "../watch/pressing.js";
import { listing, moment, t, tn } from "../words.js";
import { focusedIn } from "./focus.js";
import { hasASay, proposalOf } from "./pauses.js";
import { bringUp } from "./scrolling.js";

/** @import { Controller } from "../watch/controller.js" */

/** The lengths that are offered, in minutes. */
const LENGTHS = [5, 10, 20, 60, 12 * 60, 24 * 60];

/** By these a pause begins and ends. */
const TURNS = ["pause-began", "table-resumed"];

const lengthOf = (minutes) => (minutes < 60 || minutes % 60 > 0 ? tn("play.pause.minutes", minutes) : tn("play.pause.hours", minutes / 60));

/** What players of a running game see of its pauses. */
export class Pausing {
  #busy = false;
  #minutes = LENGTHS[1];
  #problem = /** @type {unknown} */ (null);
  #asked = "";
  #seat = /** @type {number|undefined} */ (undefined);
  /** Whether the reader's own vote has begun or ended a pause, and nobody has asked yet. */
  #turned = false;
  /** Whether somebody has asked before the service's answer to that vote was there. */
  #taken = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #lapse = undefined;
  #stopped = false;

  /**
   * @param {Controller} controller
   * @param {{home: HTMLElement, shelf: HTMLElement}} places `home` is among all else that there is to do, `shelf` always in sight.
   */
  constructor(controller, { home, shelf }) {
    this.controller = controller;
    this.home = home;
    this.shelf = shelf;
    this.body = h("div", { class: "pausing-body" });
    // Whoever is asked by somebody else is not taken away from where they are.
    const show = () => this.element.open && this.#asked === "" && bringUp(this.element);
    this.summary = h("summary", { id: "pausing-open" }, t("play.pause.label"));
    this.element = h("details", { class: "pausing", hidden: true, ontoggle: show }, this.summary, this.body);
    refuseStrayed(this.element);
  }

  /** Whether the reader has done it by a vote here, when a pause begins or ends. Asked once for each. */
  takeTurned() {
    const turned = this.#busy || this.#turned;
    this.#taken = this.#busy;
    this.#turned = false;
    return turned;
  }

  /** Whoever plays a running game may propose a pause. */
  update(mine) {
    [this.#seat] = mine;
    this.#draw();
    this.#call();
  }

  stop() {
    this.#stopped = true;
    clearTimeout(this.#lapse);
  }

  get #state() {
    return this.controller.newestState;
  }

  get #running() {
    return this.#state.pauses?.running ?? null;
  }

  /** What may still be answered. */
  get #proposal() {
    return proposalOf(this.#state, serverNow());
  }

  /** Whoever may answer, take back or end one sees it at once; once it has lapsed, it goes. */
  #call() {
    clearTimeout(this.#lapse);
    const proposal = this.#proposal;
    if (proposal !== null) {
      this.#lapse = setTimeout(() => {
        this.#draw();
        this.#call();
      }, proposal.until - serverNow());
    }
    // Where it comes and goes there is more or less of what stands above it: that would take it from under a finger.
    calmed(() => this.#stopped || this.#arrange());
  }

  #arrange() {
    const { controller } = this;
    const proposal = this.#proposal;
    const there = hasASay(this.#state.seats[this.#seat ?? 0]);
    // The director's pause is the director's.
    const open = this.#state.paused_at === null || this.#running !== null;
    this.element.hidden = !(there && open && controller.live() && this.#state.phase === "live");
    const asked = proposal !== null && !proposal.agreed.includes(this.#seat ?? 0) ? `${proposal.seat} ${proposal.until}` : "";
    if (asked !== this.#asked && !this.element.hidden) {
      this.#asked = asked;
      this.element.open ||= asked !== "";
    }
    this.#shelve(!this.element.hidden && (proposal !== null || this.#running !== null));
  }

  /** As long as there is a pause to answer, to take back or to end, it is in sight, however much else there is. Whoever is in the panel stays there. */
  #shelve(on) {
    const place = on ? this.shelf : this.home;
    if (this.element.parentNode === place) {
      return;
    }
    const focused = focusedElement();
    place.append(this.element);
    this.element.open ||= on;
    this.element.contains(focused) && focusOn(focused, { preventScroll: true });
  }

  async #post(what, body) {
    if (this.#busy) {
      return;
    }
    this.#busy = true;
    this.#taken = false;
    this.#problem = null;
    this.#draw();
    try {
      const made = await post(`/v1/games/${encodeURIComponent(this.controller.game)}/${what}`, body);
      this.#turned = !this.#taken && made.body.events.some(({ event }) => TURNS.includes(event.type));
    } catch (problem) {
      this.#problem = problem;
      announce(sentenceOf(problem));
    }
    this.#busy = false;
    this.#draw();
  }

  #draw() {
    const kept = focusedIn(this.body);
    const [said, ...content] = this.#running !== null ? this.#pause(this.#running) : this.#proposal !== null ? this.#question(this.#proposal) : this.#form();
    patch(this.summary, said);
    const problem = h("p", { class: "pausing-problem", role: "alert" }, this.#problem === null ? "" : sentenceOf(this.#problem));
    patch(this.body, ...content, problem);
    if (kept !== null && focusedIn(this.body) === null) {
      focusOn(document.getElementById(kept) ?? this.summary);
    }
  }

  #who(seats) {
    return listing(seats.map((seat) => called(seat, this.#state.seats[seat])));
  }

  #button(id, text, act) {
    return h("button", { type: "button", id, "aria-disabled": this.#busy ? "true" : null, onclick: act }, text);
  }

  #vote(vote, text) {
    return this.#button(`pausing-${vote}`, text, () => this.#post("pause-votes", { vote }));
  }

  // What each of these gives begins with what the panel is called: on a phone the shelf has no room for a heading beside what is asked.

  #form() {
    const choose = (event) => void (this.#minutes = Number(event.target.value));
    const options = LENGTHS.map((minutes) => h("option", { value: minutes, selected: minutes === this.#minutes }, lengthOf(minutes)));
    return [
      t("play.pause.label"),
      h("p", {}, t("play.pause.about")),
      h("p", { class: "pausing-acts" }, h("label", { for: "pausing-length" }, t("play.pause.length")), h("select", { id: "pausing-length", onchange: choose }, options), this.#button("pausing-ask", t("play.pause.ask"), () => this.#post("pause-proposals", { minutes: this.#minutes }))),
    ];
  }

  #question({ seat, minutes, agreed }) {
    const own = seat === this.#seat;
    const others = agreed.filter((each) => each !== seat);
    const acts = agreed.includes(this.#seat) ? [!own && t("play.pause.waiting"), own && this.#vote("decline", t("play.pause.back"))] : [this.#vote("agree", t("play.pause.agree")), this.#vote("decline", t("play.pause.decline"))];
    return present([
      t("play.pause.proposed", { who: this.#who([seat]), length: lengthOf(minutes) }),
      // The shelf grows upwards: what comes in later stands above what may be pressed, and moves it from under no finger.
      others.length > 0 && h("p", {}, t("play.pause.agreed", { who: this.#who(others) })),
      h("p", { class: "pausing-acts" }, acts),
    ]);
  }

  #pause({ until, resuming }) {
    return present([
      t("play.pause.running", { time: moment(until) }),
      resuming.length > 0 && h("p", {}, t("play.pause.resuming", { who: this.#who(resuming) })),
      h("p", { class: "pausing-acts" }, resuming.includes(this.#seat) ? t("play.pause.waiting") : this.#vote("resume", t("play.pause.resume"))),
    ]);
  }
}

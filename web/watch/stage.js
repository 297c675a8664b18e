/** The table itself: the board as a drawing or a table, who takes part, what stands beside it, the clock. */

import { called } from "../called.js";
import { onWishes, wish, wishes } from "../calling/wishes.js";
import { clear, focusOn, h } from "../dom.js";
import { seen } from "../fold/lines.js";
import { gameOf } from "../games/registry.js";
import { connectionChanges } from "../net/connections.js";
import { nameChanges } from "../net/names.js";
import { patch } from "../patch.js";
import { focusedIn } from "../play/focus.js";
import { rulesLink } from "../rules-address.js";
import { aboutSign } from "../term.js";
import { t } from "../words.js";
import { Answers } from "./answers.js";
import { createClock } from "./clock.js";
import { icon } from "./icons.js";
import { lists } from "./log-text.js";
import { createPeople } from "./people.js";
import { touched } from "./touched.js";

/** @import { Book } from "../book.js" */
/** @import { Controller } from "./controller.js" */
/** @import { Effects } from "./effects.js" */

/** A board is drawn anew when its scale changes by one part of so many. */
const STEPS = 50;

const CALM = window.matchMedia("(prefers-reduced-motion: reduce)");

function toggle(name, sign, on, act) {
  const text = t(`watch.${name}`);
  return h("button", { type: "button", class: "sign-button", "aria-pressed": String(on), "aria-label": text, title: text, dataset: { move: name }, onclick: act }, icon(sign));
}

/** The table of one game. */
export class Stage {
  /**
   * @param {Controller} controller
   * @param {{book: Book, onCell: (target: string) => void, caption: (from: number, to: number) => Array<{text: string, about: {title: string, content: Node[]}|null}>}} options
   *   `caption`: what the step between two versions did, in words, and what there is to know of what these name.
   */
  constructor(controller, { book, onCell, caption }) {
    this.controller = controller;
    this.book = book;
    this.captionOf = caption;
    this.effects = /** @type {Effects|null} */ (null);
    this.asText = false;
    this.drawn = 0;
    this.viewer = null;
    /** What is told of it: what has happened since then, by the names that were known. */
    this.since = 0;
    this.names = 0;
    /** The state at the end with everything open, once it is known. */
    this.whole = null;
    this.offer = { choices: new Map(), begun: /** @type {any[]} */ ([]), answers: /** @type {any[]} */ ([]) };
    /** How many units of the drawing are a pixel of the screen. */
    this.unit = 1;
    this.extent = /** @type {string|null} */ (null);
    const { board, help } = gameOf(book.game);
    this.game = board;
    const pressed = (target, how) => how === "click" && onCell(target);
    this.board = board.create({ book, onCell: pressed });
    this.text = h("div", { class: "text-board", hidden: true, role: "region", tabindex: "0", "aria-label": t("watch.text") });
    this.caption = h("p", { class: "caption" });
    this.toggle = toggle("text", "table", false, () => this.toggleText());
    this.motion = toggle("motion", "motion", true, () => this.toggleMotion());
    this.sound = toggle("sound", "sound", false, () => wish({ sound: !wishes().sound }));
    this.tools = [this.toggle, this.motion, this.sound];
    this.unwish = onWishes(() => this.#showWishes());
    const { above, below, over } = board.panels({ book, onCell: pressed });
    this.answers = new Answers(this.board);
    this.element = h("div", { class: "stage" }, this.board.element, this.text, this.answers.element, over);
    this.clock = createClock();
    this.people = createPeople({ book, onCell: pressed });
    this.beside = [...above, this.people, ...below];
    this.side = h("div", { class: "side" }, this.beside.map(({ element }) => element), help.legend(book), !controller.archive && !controller.embed && rulesLink(book));
    this.#showWishes();
    this.size = new ResizeObserver(() => this.#measure());
    this.size.observe(this.board.element);
  }

  /**
   * Draw what is shown.
   *
   * @param {{reason: string}} change
   * @param {{choices: Map, begun: any[], answers: any[]}} offer what may be clicked, what is begun, and what can be answered besides, from the play panel.
   */
  update(change, { choices, begun, answers }) {
    const { controller } = this;
    const { shown, viewer, timeline } = controller;
    const running = controller.live();
    const live = controller.following && running;
    this.offer = { choices, begun, answers };
    this.fit();
    if (this.#isDrawn([shown, viewer, timeline, choices, begun, answers, live, running, nameChanges(), connectionChanges(), this.unit, this.whole])) {
      return;
    }
    const { state } = controller;
    const from = this.#before(change);
    const goesOn = (change.reason === "step" || change.reason === "live") && this.viewer === viewer && this.drawn > 0 && this.drawn < shown;
    const before = goesOn && this.#shows() ? (this.effects?.look() ?? null) : null;
    this.board.update(state, { viewer, choices, begun, changed: touched(timeline, from, shown, this.game.touched), unit: this.unit });
    this.answers.update(answers);
    this.#show(from, before);
    if (this.asText) {
      clear(this.text).append(this.game.text(state, this.book));
    }
    // What spectators see late is no present: its clock stands as it stood.
    const late = Boolean(state.delay) && viewer === "public";
    this.clock.update(state, { live: live && !late, at: timeline.line(shown)?.at });
    const history = this.#history();
    const of = (seat) => (state.seats[seat] ? called(seat, state.seats[seat]) : t("board.seat", { seat }));
    const kept = focusedIn(this.side);
    const open = state.phase === "finished" && this.whole !== null ? this.whole : state;
    this.beside.forEach((part) => part.update(part === this.people ? open : state, { viewer, choices, answers, history, running, called: of }));
    if (kept !== null && focusedIn(this.side) === null) {
      focusOn(document.getElementById(kept));
    }
    const moved = this.drawn !== shown || this.viewer !== viewer;
    this.since = moved ? from : this.since;
    if (moved || this.names !== nameChanges()) {
      this.names = nameChanges(); // they come after the events that have them
      this.#tell(this.since, shown);
    }
    this.drawn = shown;
    this.viewer = viewer;
  }

  /** A board that comes to know its map is larger or smaller by it; the place that it has on the screen is the same. Measured before, it is drawn once. */
  fit() {
    this.board.fit(this.controller.state);
    const extent = this.board.element.getAttribute("viewBox");
    if (extent !== this.extent) {
      this.extent = extent;
      this.#scale();
    }
  }

  /** Whether all that a picture is made of is as it was. */
  #isDrawn(parts) {
    const same = this.parts?.every((part, i) => part === parts[i]) ?? false;
    this.parts = parts;
    return same;
  }

  /** At the end of the game let its players say what they were; the board goes on to tell no more than its view knew. */
  uncover(whole) {
    this.whole = whole;
    this.update({ reason: "data" }, this.offer);
  }

  /** Mark on the board what an option is about; null: none. */
  point(decision, option) {
    this.board.point(decision, option);
  }

  /** The board as a table, or drawn again. */
  toggleText() {
    this.asText = !this.asText;
    this.toggle.setAttribute("aria-pressed", String(this.asText));
    this.text.hidden = !this.asText;
    this.board.element.toggleAttribute("hidden", this.asText);
    this.answers.element.hidden = this.asText;
    clear(this.text);
    if (this.asText && this.controller.ready) {
      this.text.append(this.game.text(this.controller.state, this.book));
    }
  }

  /** Draw moves moving, or not. */
  toggleMotion() {
    wish({ motion: !wishes().motion });
  }

  /** From now on show how things come about. */
  animate(effects) {
    this.effects = effects;
    this.element.dataset.effects = "ready";
  }

  /** Whether anything moves: the reader, or their system, may not want it to. */
  get moves() {
    return wishes().motion && !CALM.matches;
  }

  #shows() {
    return this.moves || wishes().sound;
  }

  /** How the step that was drawn came about; `before` is null: that is not shown. */
  #show(from, before) {
    const { shown, viewer, timeline } = this.controller;
    if (before !== null) {
      const lines = Array.from({ length: shown - from }, (_, i) => timeline.line(from + 1 + i)).filter((line) => line !== null);
      this.effects?.show(lines.map(seen), before, { still: !this.moves });
    } else if (this.drawn !== shown || this.viewer !== viewer) {
      this.effects?.skip();
    }
  }

  #showWishes() {
    const { motion, sound } = wishes();
    this.motion.setAttribute("aria-pressed", String(motion));
    this.sound.setAttribute("aria-pressed", String(sound));
    this.element.classList.toggle("calm", !motion);
    if (!this.moves) {
      this.effects?.skip();
    }
  }

  /** What is written on the board is as large as people can read, however small the board: it is drawn for its size. */
  #measure() {
    const { unit } = this;
    if (!this.#scale()) {
      return;
    }
    this.answers.place();
    if (unit !== this.unit && this.controller.ready) {
      this.update({ reason: "data" }, this.offer);
    }
  }

  /** @returns {boolean} whether it could be measured. */
  #scale() {
    const drawing = this.board.element;
    const { width, height } = drawing.getBoundingClientRect();
    if (!(drawing instanceof SVGSVGElement) || width === 0 || height === 0) {
      return false;
    }
    const extent = drawing.viewBox.baseVal;
    this.unit = Math.ceil(STEPS * Math.max(extent.width / width, extent.height / height)) / STEPS;
    drawing.style.setProperty("--unit", String(this.unit));
    return true;
  }

  /** Nothing of it runs any more. */
  stop() {
    this.size.disconnect();
    this.unwish();
    this.effects?.skip();
    this.board.destroy();
    [this.clock, ...this.beside].forEach((part) => part.destroy());
  }

  /** The version after which what is shown is new: what was shown before, or the step that led here. */
  #before({ reason }) {
    const { shown, timeline, first } = this.controller;
    if ((reason === "live" || reason === "step") && this.drawn > 0 && this.drawn < shown) {
      return Math.max(this.drawn, first);
    }
    return shown > first ? timeline.previousStep(shown) : shown - 1;
  }

  /** What the turn that is shown has come to so far. */
  #history() {
    const { shown, timeline } = this.controller;
    const begin = timeline.turns().findLast(({ version }) => version <= shown)?.version ?? timeline.first;
    const lines = Array.from({ length: shown - begin + 1 }, (_, i) => timeline.line(begin + i)).filter((line) => line !== null);
    const stateAt = (version) => timeline.at(version);
    return this.game.history(lines.map((line) => ({ version: line.version, event: seen(line) })), { stateAt });
  }

  #tell(from, to) {
    const said = this.captionOf(from, to);
    patch(this.caption, said.map(({ text, about }) => h("span", { class: lists(text) && "listing" }, `${text} `, aboutSign(about), " ")));
  }
}

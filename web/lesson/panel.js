/** What a lesson says beside the board: the steps, the hint for the present one, and where to go on when all are done. */

import { announce, clear, h, present } from "../dom.js";
import { gameOf } from "../games/registry.js";
import { playNow } from "../lobby/play-now.js";
import { Problem } from "../net/problem.js";
import { patch } from "../patch.js";
import { refusalNote } from "../refusal.js";
import { aboutSign } from "../term.js";
import { t } from "../words.js";
import { beginLesson } from "./begin.js";
import { keepLesson } from "./kept.js";
import { progressOf } from "./progress.js";

/** @import { Lesson } from "../games/contract.js" */
/** @import { Controller } from "../watch/controller.js" */

/** A part of the page of a lesson's table. */
export class LessonPanel {
  #drawn = "";
  #going = false;

  /**
   * @param {Controller} controller
   * @param {{book: import("../book.js").Book, lesson: Lesson, navigate: (address: string) => void}} options `book`: of the game that is learnt.
   */
  constructor(controller, { book, lesson, navigate }) {
    this.controller = controller;
    this.book = book;
    this.lesson = lesson;
    this.navigate = navigate;
    this.body = h("div", {});
    this.trouble = h("div", {});
    this.element = h("section", { class: "lesson", "aria-label": t("watch.lesson") }, this.body, this.trouble);
  }

  /** Say what the newest state asks for, whatever moment is shown. */
  update() {
    const { controller, lesson } = this;
    if (!controller.ready) {
      return;
    }
    const progress = progressOf(lesson, controller.timeline);
    const { phase, play } = controller.timeline.at(controller.last);
    const step = lesson.steps[progress.done];
    const hint = step && !progress.stuck && phase === "live" ? step.hint(play) : "";
    const drawn = JSON.stringify([progress, hint]);
    if (drawn === this.#drawn) {
      return;
    }
    this.#drawn = drawn;
    if (step === undefined) {
      keepLesson(this.book.game, null);
    }
    const said = this.#said(progress, hint);
    this.element.dataset.step = step?.id ?? "done";
    patch(this.body, this.#head(progress, hint), said.map((text) => h("p", {}, text)), this.#ways(progress));
    announce(said.join(" "));
  }

  stop() {
    this.#going = true; // what is on its way leads nowhere any more
  }

  #said({ done, other, stuck }, hint) {
    if (done === this.lesson.steps.length) {
      return [t("watch.lesson.done")];
    }
    if (stuck) {
      return [t("watch.lesson.stuck")];
    }
    return present([other && t("watch.lesson.other"), hint]);
  }

  /** The steps, of which it says what is done; what there is to know of all that they and the hint name; and the way to begin again. */
  #head({ done, stuck }, hint) {
    const { steps } = this.lesson;
    const texts = [hint, ...steps.map(({ name }) => name())];
    const about = aboutSign(gameOf(this.book.game).help.named(null, this.book, texts.join("\n")));
    const item = (step, i) =>
      h("li", { "aria-current": i === done ? "step" : null, class: i < done ? "lesson-done" : null }, step.name(), i < done && h("span", { class: "unseen" }, ` (${t("watch.lesson.step.done")})`));
    const again = this.#button("again", "watch.lesson.again", stuck, () => beginLesson(this.book.game, ""));
    return h("div", { class: "lesson-steps" }, h("div", { class: "lesson-head" }, h("h2", {}, t("watch.lesson")), about, again), h("ol", {}, steps.map(item)));
  }

  /** Where to go on: to a table that counts. */
  #ways({ done }) {
    const over = done === this.lesson.steps.length;
    return over ? [h("p", { class: "row" }, this.#button("play", "lobby.play_now", true, () => playNow(this.book.game, "")))] : [];
  }

  #button(name, key, primary, open) {
    const go = async () => {
      if (this.#going) {
        return;
      }
      this.#going = true;
      clear(this.trouble);
      try {
        this.navigate(`/watch/${await open()}`);
      } catch (error) {
        if (!(error instanceof Problem)) {
          throw error;
        }
        this.trouble.append(refusalNote(error));
      } finally {
        this.#going = false;
      }
    };
    return h("button", { type: "button", class: primary ? "primary" : null, dataset: { lesson: name }, onclick: go }, t(key));
  }
}

/** What a table has beside its board, its log and its decisions: talk, calls, the way back, a lesson, the end. It is loaded once those stand. */

import { h } from "../dom.js";
import { wasPlayed } from "../ends.js";
import { gameOf, loadLesson } from "../games/registry.js";
import { lessonOf } from "../lesson/kept.js";
import { session } from "../net/session.js";
import { Bubbles } from "../talk/bubbles.js";
import { Intercom } from "../talk/intercom.js";
import { TourEntrance } from "../tour/entrance.js";
import { Away } from "./away.js";
import { TableCalls } from "./calls.js";
import { Company } from "./company.js";
import { PARTS } from "./later-parts.js";
import { RematchPanel } from "./rematch.js";
import { Result } from "./result.js";

/** @import { Controller } from "./controller.js" */

/**
 * @typedef {object} ExtrasGiven
 * @property {import("../book.js").Book} book
 * @property {any} names
 * @property {import("./stage.js").Stage} stage holds the board.
 * @property {(version: number) => string} textOf an event in words.
 * @property {(version: number) => {title: string, content: Node[]}|null} aboutOf what there is to know of what these words name.
 * @property {() => number[]} mine the reader's own seats.
 * @property {() => import("./playing.js").Playing|undefined} playing
 * @property {() => import("../play/pausing.js").Pausing|null|undefined} pausing
 * @property {(address: string) => void} navigate
 * @property {import("./place.js").Address} address
 * @property {(text: string) => void} say
 * @property {() => void} onChange somebody has come or gone.
 * @property {() => void} share give the table's address away.
 * @property {((state: any, given: {seat: number|null, won: boolean|null, text: string}) => void)|null} onFinale as in `result.js`.
 * @property {(part: "lesson"|"tour", act: (made: any) => void, bring?: () => Promise<any>) => Promise<boolean>} load
 * @property {{before: number|null, at: number}|null} looked as in `away.js`.
 * @property {boolean} wasLive whether the game ran then.
 * @property {number} from the version that was drawn first: what is said after it has a bubble, and what is asked after it is called for.
 */

/** The later parts of a table's page; a frame has bubbles alone, and a file from disk the end. */
export class Extras {
  /** @param {Controller} controller @param {ExtrasGiven} given */
  constructor(controller, given) {
    const { book, names, stage, mine, say, from, wasLive, share, textOf, aboutOf, onFinale } = given;
    this.controller = controller;
    this.mine = mine;
    this.bubbles = new Bubbles(controller, { book, stage: stage.element, from });
    stage.element.append(this.bubbles.element);
    const lives = !controller.archive && !controller.embed;
    this.rematch = lives ? new RematchPanel({ game: controller.game, mine, names, navigate: given.navigate }) : null;
    this.result = controller.embed ? null : new Result(controller, { book, names, mine, rematch: this.rematch?.element ?? null, say, share, textOf, aboutOf, onFinale, wasLive, onUncovered: (whole) => stage.uncover(whole) });
    this.intercom = lives ? new Intercom(controller, { book, stage: stage.element }) : null;
    this.tour = lives ? new TourEntrance(controller, { address: given.address, stage: stage.element, mine, load: given.load }) : null;
    this.away = lives ? this.#away(given) : null;
    this.parts = lives ? this.#unseen(given) : [];
    this.lesson = lives && lessonOf(book.game) === controller.game ? this.#teach(given) : null;
  }

  /** The panel of a lesson, which comes into its place when it is there. @param {ExtrasGiven} given */
  #teach({ book, navigate, load }) {
    const element = h("div", {});
    const show = ([lesson, { LessonPanel }]) => {
      const panel = new LessonPanel(this.controller, { book, lesson, navigate });
      element.append(panel.element);
      this.parts.push(panel);
      panel.update();
    };
    load("lesson", show, () => Promise.all([loadLesson(book.game), PARTS.lesson()]));
    return { element };
  }

  /** Something has changed. */
  update() {
    const { controller, intercom, rematch, result, away } = this;
    if (controller.ready) {
      if (wasPlayed(controller.newestState)) {
        rematch?.begin();
      }
      intercom?.update(this.mine());
      this.bubbles.update();
    }
    result?.update();
    this.tour?.update();
    if (controller.ready) {
      [away, ...this.parts].forEach((part) => part?.update());
    }
  }

  stop() {
    [this.bubbles, this.rematch, this.result, this.intercom, this.tour, this.away, ...this.parts].forEach((part) => part?.stop());
  }

  /** @param {ExtrasGiven} given */
  #away({ book, mine, playing, textOf, looked }) {
    const player = () => session()?.player ?? null;
    return new Away(this.controller, { player, mine, playing, textOf, log: gameOf(book.game).log, looked });
  }

  /** Those that have no element. @param {ExtrasGiven} given */
  #unseen({ mine, navigate, playing, pausing, onChange, from }) {
    const { controller } = this;
    return [new TableCalls(controller, { navigate, playing, pausing, mine, from }), new Company(controller, { mine, onChange })];
  }
}

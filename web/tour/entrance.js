/** The way into a tour: a button to begin one; all else of it is loaded once somebody leads or follows. */

import { clear, focusOn, h } from "../dom.js";
import { neverBegan } from "../ends.js";
import { playerId } from "../net/session.js";
import { t } from "../words.js";

/** @import { Controller } from "../watch/controller.js" */
/** @import { TourPanel } from "./panel.js" */

/**
 * Whether the reader may lead through the game that is shown: who plays in a running one does not, and nobody through one that never began.
 *
 * @param {Controller} controller
 * @param {() => number[]} mine the reader's own seats.
 */
export function mayLead(controller, mine) {
  return controller.ready && playerId() !== null && !neverBegan(controller.newestState) && (!controller.live() || mine().length === 0);
}

export class TourEntrance {
  #panel = /** @type {TourPanel|null} */ (null);
  #drawn = /** @type {boolean|null} */ (null);
  #coming = false;

  /**
   * @param {Controller} controller
   * @param {{address: import("../watch/place.js").Address, stage: Element, mine: () => number[],
   *   load: (part: "tour", act: (made: any) => void) => Promise<boolean>}} given
   */
  constructor(controller, given) {
    this.controller = controller;
    this.given = given;
    this.element = h("div", {});
    given.address.tour !== null && this.#enter(() => {});
  }

  update() {
    if (this.#panel !== null) {
      this.#panel.update();
      return;
    }
    const may = mayLead(this.controller, this.given.mine);
    if (may !== this.#drawn) {
      this.#drawn = may;
      const begin = () => this.#enter((panel) => panel.begin());
      clear(this.element).append(may ? h("button", { type: "button", dataset: { move: "tour-begin" }, onclick: begin }, t("watch.tour.begin")) : "");
    }
  }

  stop() {
    this.#panel?.stop();
  }

  /** @param {(panel: TourPanel) => void} act */
  async #enter(act) {
    if (this.#coming) {
      return;
    }
    this.#coming = true;
    const { address, stage, mine, load } = this.given;
    await load("tour", ({ TourPanel }) => {
      const panel = new TourPanel(this.controller, { address, stage, mine });
      this.#panel = panel;
      const here = this.element.contains(document.activeElement);
      clear(this.element).append(panel.element);
      here && focusOn(panel.element.querySelector("button"));
      act(panel);
      panel.update();
    });
    this.#coming = this.#panel !== null; // what could not be had is asked for again
  }
}

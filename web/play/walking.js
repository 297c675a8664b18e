/** Walks a player down a decision's tree of options: asks the service what lies below a branch, and keeps what it said. */

import { isRefusal } from "../net/problem.js";
import { levelKnown } from "./walk.js";

/**
 * What walking asks of the panel.
 *
 * @typedef {Object} Ground
 * @property {{get: (path: string) => Promise<{body: any}>}} api
 * @property {(decision: any) => string} path of a decision's resource.
 * @property {import("./drafts.js").Drafts} drafts
 * @property {(id: string) => boolean} isOpen whether a decision is still one of those that are shown.
 * @property {() => number} version of the game, as far as it is known here.
 * @property {() => void} onRefused the service knows no such branch: the decisions are to be read anew.
 */

export class Walking {
  #ground;

  /** @param {Ground} ground */
  constructor(ground) {
    this.#ground = ground;
  }

  /** The branches that were opened on the way to what a decision shows, from the first one on. */
  branches({ id }) {
    return this.#ground.drafts.of(id).walk.map(({ branch }) => branch);
  }

  /**
   * Put the level below the last branch into the draft; a refusal leads back to the beginning, and the decisions are read anew.
   *
   * @param {any} decision
   * @param {any[]} branches of which each leads to the next; none: the decision's own options.
   * @returns {Promise<boolean>} whether that level is shown now.
   */
  async show(decision, branches) {
    const { drafts, isOpen, onRefused } = this.#ground;
    const { walk } = drafts.of(decision.id);
    const last = branches.at(-1);
    let part;
    try {
      part = { walk: last ? [...walk.slice(0, branches.length - 1), await this.#level(decision, last)] : [], keys: [], search: "" };
    } catch (problem) {
      part = { problem, ...(isRefusal(problem) && { walk: [], keys: [], search: "" }) };
    }
    if (drafts.of(decision.id).walk !== walk || !isOpen(decision.id)) {
      return false;
    }
    drafts.change(decision.id, part);
    if (part.problem && part.walk) {
      onRefused();
    }
    return part.problem === undefined;
  }

  /**
   * The game has moved on: what is shown of trees may have changed.
   *
   * @param {any[]} decisions
   * @returns {Promise<boolean>} whether any of it was asked for anew.
   */
  async again(decisions) {
    const { drafts, version } = this.#ground;
    const walked = decisions.filter(({ id }) => (drafts.of(id).walk.at(-1)?.version ?? Infinity) < version());
    for (const decision of walked) {
      await this.show(decision, this.branches(decision));
    }
    return walked.length > 0;
  }

  async #level(decision, branch) {
    const { api, path, drafts, version } = this.#ground;
    const known = levelKnown(drafts.of(decision.id).walk, branch.id, version());
    if (known !== null) {
      return known;
    }
    const { body } = await api.get(`${path(decision)}/options/${encodeURIComponent(branch.id)}`);
    return { branch, options: body.options, version: body.version };
  }
}

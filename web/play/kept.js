/** What a player has begun at a table, over a reload: it stays in the tab, until it is handed in or nobody asks for it any more. */

import { PRIVATE } from "../net/identity.js";
import { playerId } from "../net/session.js";
import { readInTab, writeInTab } from "../net/storage.js";

/** @import { Draft } from "./drafts.js" */

/** The drafts of one table, of whoever is signed in. What comes back may be anything: its reader holds it to the options. */
export class KeptDrafts {
  #game;

  /** @param {string} game a table's id. */
  constructor(game) {
    this.#game = game;
  }

  /**
   * What was begun of a decision.
   *
   * @param {string} id the decision's.
   * @returns {{begun?: any, walk?: any, changing?: any}|null}
   */
  of(id) {
    return this.#all()[id] ?? null;
  }

  /**
   * Keep what has been begun of a decision; nothing, where nothing has.
   *
   * @param {string} id
   * @param {Draft|null} draft
   */
  put(id, draft) {
    const begun = draft !== null && (draft.begun !== null || draft.walk.length > 0);
    const { [id]: _, ...others } = this.#all();
    this.#write(begun ? { ...others, [id]: { begun: draft.begun, walk: draft.walk, changing: draft.changing } } : others);
  }

  /** Forget what was begun of decisions that are open no longer. */
  keep(ids) {
    this.#write(Object.fromEntries(Object.entries(this.#all()).filter(([id]) => ids.has(id))));
  }

  get #key() {
    return `${PRIVATE}drafts.${playerId()}.${this.#game}`;
  }

  #all() {
    try {
      const kept = JSON.parse(readInTab(this.#key) ?? "{}");
      return kept !== null && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
    } catch {
      return {};
    }
  }

  #write(drafts) {
    writeInTab(this.#key, Object.keys(drafts).length > 0 ? JSON.stringify(drafts) : null);
  }
}

/** What a player has begun at a table, or left to the page, over a reload: it stays in the tab for as long as it means something. */

import { PRIVATE } from "../net/identity.js";
import { playerId } from "../net/session.js";
import { readInTab, writeInTab } from "../net/storage.js";
import { isBegun } from "./drafts.js";

/** @import { Draft, Open } from "./drafts.js" */

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
   * @returns {{begun?: any, walk?: any, changing?: any, over?: any}|null}
   */
  of(id) {
    return this.#all()[id] ?? null;
  }

  /**
   * Keep what has been begun of a decision; nothing, where nothing has.
   *
   * @param {string} id
   * @param {Draft|null} draft
   * @param {{over?: string|null, open?: Open|null}} [known] `over` is what is handed in already, which the draft may change; `open` is null
   *   where the decision has no deadline.
   */
  put(id, draft, { over = null, open = null } = {}) {
    const { [id]: _, ...others } = this.#all();
    this.#write(draft !== null && isBegun(draft) ? { ...others, [id]: { begun: draft.begun, walk: draft.walk, changing: draft.changing, over, open } } : others);
  }

  /** Forget what was begun of decisions that are open no longer; gives which these are. @param {Set<string>} ids @returns {Map<string, Open|null>} */
  keep(ids) {
    const all = Object.entries(this.#all());
    this.#write(Object.fromEntries(all.filter(([id]) => ids.has(id))));
    return new Map(all.filter(([id]) => !ids.has(id)).map(([id, kept]) => [id, openOf(kept)]));
  }

  get #key() {
    return keyOf("drafts", this.#game);
  }

  #all() {
    return objectUnder(this.#key);
  }

  #write(drafts) {
    writeInTab(this.#key, Object.keys(drafts).length > 0 ? JSON.stringify(drafts) : null);
  }
}

/** What the page answers by itself at one table, for whoever is signed in. */
export class KeptStanding {
  #game;

  /** @param {string} game a table's id. */
  constructor(game) {
    this.#game = game;
  }

  /**
   * What it lasts for, and the ids of decisions that the player sees to all the same; null: the page answers nothing.
   *
   * @returns {{scope: string, own: string[]}|null}
   */
  read() {
    const { scope, own } = objectUnder(this.#key);
    return typeof scope === "string" && Array.isArray(own) ? { scope, own } : null;
  }

  /** @param {{scope: string, own: string[]}|null} standing null: keep nothing. */
  write(standing) {
    writeInTab(this.#key, standing === null ? null : JSON.stringify(standing));
  }

  get #key() {
    return keyOf("standing", this.#game);
  }
}

function keyOf(what, game) {
  return `${PRIVATE}${what}.${playerId()}.${game}`;
}

/** Where a decision was open whose draft was kept; null: it has no deadline, or nobody has said. */
function openOf(kept) {
  const { seat, at } = kept?.open ?? {};
  return Number.isInteger(seat) && Number.isInteger(at) ? { seat, at } : null;
}

/** The object that is kept under a key; an empty one, if it is none. */
function objectUnder(key) {
  try {
    const kept = JSON.parse(readInTab(key) ?? "{}");
    return kept !== null && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
  } catch {
    return {};
  }
}

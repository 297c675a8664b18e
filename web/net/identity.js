/** Who the reader is, as this browser remembers it. The token is here and in the Authorization header, nowhere else. */

import { forgetInTab, listenersTo, read, write } from "./storage.js";

const KEY = "parlour.session";
/** How the keys begin of what one player alone may find in this tab again. */
export const PRIVATE = "parlour.private.";
const changes = listenersTo(KEY);

let allowed = true;
let refused = null;

/**
 * Who is signed in.
 *
 * @returns {{player: string, name: string, token: string} | null} null also where a page takes no session.
 */
export function identity() {
  if (!allowed) {
    return null;
  }
  try {
    const kept = JSON.parse(read(KEY) ?? "null");
    return kept && typeof kept.token === "string" ? kept : null;
  } catch {
    return null;
  }
}

/** The token to send; null also once the service has said that it opens nothing. */
export function bearer() {
  const kept = identity();
  return kept && kept.token !== refused ? kept.token : null;
}

/**
 * Whether it is known without asking that a wish leads to the public view: there is nobody who could have a seat.
 *
 * @param {string|null} wish "public", "seat:2", "full" or null: one's own seat, or the public view.
 */
export function isPublic(wish) {
  return wish === "public" || (wish === null && bearer() === null);
}

/** Whether the service has refused the token that is kept. */
export function isRefused() {
  return refused !== null && identity()?.token === refused;
}

/**
 * Remember somebody, or (null) nobody. What another player has begun in this tab is forgotten.
 *
 * @param {{player: string, name: string, token: string} | null} who
 * @returns {boolean} whether it outlives this tab.
 */
export function remember(who) {
  if (who?.player !== identity()?.player) {
    forgetInTab(PRIVATE);
  }
  const lasting = write(KEY, who === null ? null : JSON.stringify(who));
  refused = null;
  changes.tell();
  return lasting;
}

/** Send a token no more that the service has refused; the rest of the page goes on without. */
export function refuse(token) {
  if (identity()?.token === token && refused !== token) {
    refused = token;
    changes.tell();
  }
}

/** From now on nobody is signed in on this page, whatever is kept: for frames on other people's pages. */
export function withoutIdentity() {
  allowed = false;
}

/** Hear when somebody signs in or out, here or in another tab; what it returns stops listening. */
export const onIdentity = changes.listen;

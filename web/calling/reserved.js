/** What the reader has been called for: one tab of a browser calls, and no other, and it does not again when it is loaded anew. */

import { read, write } from "../net/storage.js";

/** What any tab has called for, by game and decision. */
const KEPT = "parlour.called";
const MOST_KEPT = 100;

/**
 * Keep that this tab calls for these.
 *
 * What one tab keeps, another reads a little later: two that hear of a decision at the same moment would both find that nobody
 * has called for it. A lock of its name is another's at once. This tab has it as long as it lives, for by then all can read it.
 *
 * @param {string[]} names
 * @returns {Promise<boolean>} whether nobody has called for one of them.
 */
export async function reserve(names) {
  const fresh = await Promise.all(names.map(take));
  return fresh.includes(true);
}

/** @param {string} name */
async function take(name) {
  if (kept().includes(name)) {
    return false;
  }
  return (await isOurs(name)) && keep(name);
}

/**
 * Whether no other tab has a lock; where a browser has none, as on pages without TLS, or gives none, as where it keeps nothing for the site,
 * nothing can be asked.
 *
 * @param {string} name
 * @returns {Promise<boolean>}
 */
function isOurs(name) {
  if (navigator.locks === undefined) {
    return Promise.resolve(true);
  }
  return new Promise((resolve) => {
    const asked = navigator.locks.request(`${KEPT}/${name}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? null : new Promise(() => {});
    });
    asked.catch(() => resolve(true));
  });
}

/** Keep a name; false: a tab that has gone meanwhile had kept it. */
function keep(name) {
  const before = kept();
  if (before.includes(name)) {
    return false;
  }
  write(KEPT, JSON.stringify([...before, name].slice(-MOST_KEPT)));
  return true;
}

/** @returns {string[]} */
function kept() {
  try {
    const found = JSON.parse(read(KEPT) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return []; // not written by this page: as good as nothing
  }
}

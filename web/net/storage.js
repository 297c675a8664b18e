/** What this browser keeps for the page. Where it keeps nothing (private modes, frames), this tab remembers. */

const tab = new Map();

/**
 * What is kept under a key.
 *
 * @param {string} key
 * @returns {string|null}
 */
export function read(key) {
  try {
    return localStorage.getItem(key) ?? tab.get(key) ?? null;
  } catch {
    return tab.get(key) ?? null;
  }
}

/**
 * Keep a text, or (null) keep it no longer.
 *
 * @param {string} key
 * @param {string|null} value
 * @returns {boolean} whether it outlives this tab.
 */
export function write(key, value) {
  value === null ? tab.delete(key) : tab.set(key, value);
  try {
    value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

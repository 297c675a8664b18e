/** What this browser keeps for the page. Where it keeps nothing (private modes, frames), this tab remembers. */

const tab = new Map();
/** What is meant for this tab alone, where the browser keeps nothing of it over a reload. */
const passing = new Map();

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

/**
 * Those who hear when what a key stands for changes: here, which `tell` says, or in another tab.
 *
 * @param {string} key
 * @returns {{listen: (listener: () => void) => () => void, tell: () => void}} what `listen` returns stops listening.
 */
export function listenersTo(key) {
  const listeners = new Set();
  const tell = () => listeners.forEach((listener) => listener());
  addEventListener("storage", (event) => {
    if (event.key === key || event.key === null) {
      tell();
    }
  });
  const listen = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { listen, tell };
}

/**
 * What is kept under a key for this tab alone, over its reloads.
 *
 * @param {string} key
 * @returns {string|null}
 */
export function readInTab(key) {
  try {
    return sessionStorage.getItem(key) ?? passing.get(key) ?? null;
  } catch {
    return passing.get(key) ?? null;
  }
}

/** Keep a text for this tab alone, or (null) keep it no longer. */
export function writeInTab(key, value) {
  value === null ? passing.delete(key) : passing.set(key, value);
  try {
    value === null ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, value);
  } catch {
    // Then it lasts until the page is loaded anew, and no longer.
  }
}

/** Keep nothing any longer for this tab whose key begins so. */
export function forgetInTab(prefix) {
  const begins = (key) => key.startsWith(prefix);
  [...passing.keys()].filter(begins).forEach((key) => passing.delete(key));
  try {
    Object.keys(sessionStorage).filter(begins).forEach((key) => sessionStorage.removeItem(key));
  } catch {
    // A browser that lets nothing be read has kept nothing.
  }
}

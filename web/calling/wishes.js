/** How the reader wants to be called, and what boards may do, as this browser remembers it. */

import { listenersTo, read, write } from "../net/storage.js";

/**
 * @typedef {object} Wishes
 * @property {boolean} calls whether the reader is called at all; without it nothing else counts.
 * @property {boolean} sound two tones and vibration, a tick in the last ten seconds, and what sounds at a table.
 * @property {boolean} notices notifications by the browser, while nobody looks at the page.
 * @property {boolean} motion whether boards show how things come about, where the system does not ask for less motion.
 */

const KEY = "parlour.calls";

/** A mark on the tab disturbs nobody; whatever sounds or comes up has to be asked for. @type {Readonly<Wishes>} */
const FIRST = Object.freeze({ calls: true, sound: false, notices: false, motion: true });

const changes = listenersTo(KEY);

/**
 * What is wished for.
 *
 * @returns {Wishes}
 */
export function wishes() {
  let kept = null;
  try {
    kept = JSON.parse(read(KEY) ?? "null");
  } catch {
    // Not written by this page: as good as nothing.
  }
  const wish = (name) => (typeof kept?.[name] === "boolean" ? kept[name] : FIRST[name]);
  return { calls: wish("calls"), sound: wish("sound"), notices: wish("notices"), motion: wish("motion") };
}

/**
 * Wish for something else, and remember it.
 *
 * @param {Partial<Wishes>} part
 */
export function wish(part) {
  write(KEY, JSON.stringify({ ...wishes(), ...part }));
  changes.tell();
}

/** Hear of other wishes, here or in another tab; what it returns stops listening. */
export const onWishes = changes.listen;

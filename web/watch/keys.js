/** The page by keyboard: everything that the transport bar does, and some more. */

import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { t } from "../words.js";

/** @import { Controller } from "./controller.js" */

/**
 * What the overlay lists: a key's name, and the message that says what it does.
 *
 * @type {Array<[string[], string]>}
 */
const HELP = [
  [["k"], "play"],
  [["l", "→"], "step"],
  [["j", "←"], "back"],
  [["Shift →", "Shift ←"], "single"],
  [["↓"], "turn-on"],
  [["↑"], "turn-back"],
  [["J", "Home"], "first"],
  [["L", "End"], "last"],
  [["n"], "live"],
  [["<", ">"], "speed"],
  [["0"], "public"],
  [["1–8"], "seat"],
  [["9"], "full"],
  [["t"], "text"],
  [["m"], "motion"],
  [["c"], "copy"],
  [["1–9"], "card"],
  [["⌫"], "uncard"],
  [["?"], "about"],
  [["?"], "help"],
];

/** What takes keys for itself: there, arrows and letters keep their own meaning. */
const TYPING = "input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=menu], [role=listbox], [role=radiogroup], dialog[open]";
const CHOOSING = "input[type=radio], [role=grid], [role=tablist]";

/** What needs nothing to be on show yet. */
const ANY_TIME = /^[0-9tm?]$/;

/**
 * Listen to the keyboard of the whole page.
 *
 * @param {Controller} controller
 * @param {{book: import("../book.js").Book, first: (event: KeyboardEvent) => boolean, text: () => void, motion: () => void, copy: () => void, viewers: () => string[]}} acts
 *   `first` has the first say on a key, and tells whether it has taken it.
 * @returns {() => void} listen no more.
 */
export function listenToKeys(controller, acts) {
  const bound = bindings(controller, acts);
  const onKey = (event) => {
    if (acts.first(event)) {
      return;
    }
    const act = bound[event.key];
    if (act && (controller.ready || ANY_TIME.test(event.key)) && isFree(event)) {
      event.preventDefault();
      act(event);
    }
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

function bindings(controller, { book, text, motion, copy, viewers }) {
  const look = (viewer) => viewers().includes(viewer) && controller.look(viewer);
  const seats = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((seat) => [String(seat), () => look(`seat:${seat}`)]));
  const step = (event) => controller.step(1, { single: event.shiftKey });
  const back = (event) => controller.step(-1, { single: event.shiftKey });
  return {
    k: () => controller.toggle(),
    l: step,
    j: back,
    ArrowRight: step,
    ArrowLeft: back,
    ArrowDown: () => controller.turn(1),
    ArrowUp: () => controller.turn(-1),
    J: () => controller.toFirst(),
    Home: () => controller.toFirst(),
    L: () => controller.toLast(),
    End: () => controller.toLast(),
    n: () => controller.live() && controller.follow(),
    "<": () => controller.shiftSpeed(-1),
    ">": () => controller.shiftSpeed(1),
    0: () => look("public"),
    ...seats,
    9: () => look("full"),
    t: text,
    m: motion,
    c: copy,
    "?": () => showHelp(book),
  };
}

/** Whether nobody else wants this key. */
export function isFree(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) {
    return false;
  }
  const target = event.target instanceof Element ? event.target : document.body;
  const arrows = event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End";
  return !target.closest(TYPING) && !(arrows && target.closest(CHOOSING)) && document.querySelector("dialog[open]") === null;
}

/**
 * The overlay with all keys.
 *
 * @param {import("../book.js").Book} book
 */
export function showHelp(book) {
  const rows = HELP.map(([keys, name]) =>
    h("tr", {}, h("th", { scope: "row" }, keys.map((key, i) => [i > 0 ? " " : null, h("kbd", {}, key)])), h("td", {}, t(`watch.key.${book.byTurn(name)}`))),
  );
  openDialog({ title: t("watch.keys"), name: "keys", content: [h("table", { class: "keys" }, h("tbody", {}, rows)), h("p", {}, t("watch.keys.note"))] });
}

/** A level of a decision's options as buttons: divided and searchable when they are many, narrowed by clicks on the board. */

import { h } from "../dom.js";
import { gameOf } from "../games/registry.js";
import { LONG, narrowed, parts } from "./grouping.js";
import { leadsTo, optionsAt } from "./walk.js";
import { matches, t } from "../words.js";

/** @import { Book } from "../book.js" */

/**
 * The list of a decision's options, as far as the player has walked down.
 *
 * @param {{decision: Object, walk: import("./walk.js").Level[], book: Book, state: Object|null, busy: boolean, keys: string[],
 *   search: string, chosen: string|null, meant: string|null, onTake: (option: Object) => void, onPoint: (option: Object|null) => void,
 *   onBack: () => void, onSearch: (search: string) => void, onWiden: () => void}} given `keys` are what the board has narrowed the list to;
 *   `chosen` the option that has been handed in, `meant` the one that a finger has met once on the board; `onTake` hears of leaves and of branches.
 * @returns {HTMLElement}
 */
export function optionList(given) {
  const { decision, walk, keys, search, book, state } = given;
  const { board, forms } = gameOf(book.game);
  const own = forms.level({ ...given, options: optionsAt(decision, walk) });
  const byKeys = narrowed(optionsAt(decision, walk), keys, board.targets);
  const shown = byKeys.filter((option) => search === "" || matches(book.option(decision, option, state), search));
  return h(
    "div",
    { class: "p-options" },
    walk.length > 0 && trail(given),
    keys.length > 0 && narrowing(given),
    own ?? [
      byKeys.length > LONG && searching(given),
      shown.length === 0 && h("p", { class: "p-note" }, t("play.no_match")),
      parts(shown, board.targets, forms.divided.has(decision.kind)).map((part) => group(part, given)),
    ],
  );
}

/** What has been chosen so far, and the way back. */
function trail({ decision, walk, book, state, busy, onBack }) {
  const chosen = walk.map(({ branch }) => book.option(decision, branch, state));
  return h(
    "div",
    { class: "p-trail" },
    h(
      "button",
      { type: "button", id: `back-${decision.id}`, class: "p-quiet", disabled: busy, onclick: onBack },
      h("span", { "aria-hidden": "true" }, "◂ "),
      t("play.back"),
    ),
    h("p", { id: `level-${decision.id}`, tabindex: "-1" }, chosen.map((text, i) => [i > 0 && " › ", h("b", {}, text)])),
  );
}

function narrowing({ keys, book, state, decision, onWiden }) {
  const names = keys.map((key) => gameOf(book.game).board.targetText(key, book, state)).join(", ");
  return h(
    "p",
    { class: "p-narrowed" },
    h("span", {}, t("play.narrowed", { what: names })),
    h("button", { type: "button", id: `widen-${decision.id}`, class: "p-quiet", onclick: onWiden }, t("play.widen")),
  );
}

function searching({ decision, search, onSearch }) {
  return h(
    "label",
    { class: "p-search" },
    h("span", {}, t("play.search")),
    h("input", {
      type: "search",
      id: `search-${decision.id}`,
      value: search,
      autocomplete: "off",
      oninput: (event) => onSearch(event.target.value),
    }),
  );
}

function group({ key, options }, given) {
  const buttons = options.map((option) => button(option, given));
  if (key === null) {
    return h("div", { class: "p-buttons" }, buttons);
  }
  return h(
    "fieldset",
    { class: "p-group" },
    h("legend", {}, gameOf(given.book.game).board.targetText(key, given.book, given.state)),
    h("div", { class: "p-buttons" }, buttons),
  );
}

/** What an option does in words, with its sign where it has one. */
function written(decision, option, book, state) {
  const text = h("span", {}, book.option(decision, option, state));
  const sign = gameOf(book.game).forms.sign(decision, option);
  return sign ? h("span", { class: "p-signed" }, sign, text) : text;
}

function button(option, { decision, book, state, busy, chosen, meant, onTake, onPoint }) {
  const usual = leadsTo(option, decision.default ?? null);
  const taken = leadsTo(option, chosen);
  return h(
    "button",
    {
      type: "button",
      id: `option-${decision.id}-${option.id}`,
      class: ["p-option", option.branch && "p-branch", taken && "p-taken", meant === option.id && "p-meant"],
      disabled: busy,
      dataset: { option: option.id },
      "aria-pressed": decision.secret ? String(taken) : null,
      onclick: () => onTake(option),
      onpointerenter: (event) => event.pointerType === "mouse" && onPoint(option),
      onpointerleave: () => onPoint(null),
      onfocus: () => onPoint(option),
      onblur: () => onPoint(null),
    },
    ...(gameOf(book.game).forms.face(decision, option, book, state) ?? [written(decision, option, book, state)]),
    option.branch && h("small", { class: "p-mark" }, t("play.branch_mark")),
    usual && h("small", {}, t("play.default_mark")),
    taken && h("small", {}, t("play.taken_mark")),
    meant === option.id && h("small", {}, t("play.meant_mark")),
  );
}

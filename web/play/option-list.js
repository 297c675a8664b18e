/** A decision's options as buttons: divided and searchable when they are many, narrowed by clicks on the board. */

import { h } from "../dom.js";
import { gameOf } from "../games/registry.js";
import { LONG, matches, narrowed, parts } from "./grouping.js";
import { t } from "../words.js";

/** @import { Book } from "../book.js" */

/**
 * The list of a decision's options.
 *
 * @param {{decision: Object, book: Book, state: Object|null, busy: boolean, keys: string[], search: string, chosen: string|null,
 *   onSend: (option: Object) => void, onSearch: (search: string) => void, onWiden: () => void}} given `keys` are what
 *   the board has narrowed the list to; `chosen` the option that has been handed in.
 * @returns {HTMLElement}
 */
export function optionList(given) {
  const { decision, keys, search, book, state } = given;
  const { board, forms } = gameOf(book.game);
  const byKeys = narrowed(decision.options, keys, board.targets);
  const shown = byKeys.filter((option) => search === "" || matches(book.option(decision, option, state), search));
  return h(
    "div",
    { class: "p-options" },
    keys.length > 0 && narrowing(given),
    byKeys.length > LONG && searching(given),
    shown.length === 0 && h("p", { class: "p-note" }, t("play.no_match")),
    parts(shown, board.targets, forms.divided.has(decision.kind)).map((part) => group(part, given)),
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

function button(option, { decision, book, state, busy, chosen, onSend }) {
  const usual = option.id === decision.default;
  const taken = option.id === chosen;
  return h(
    "button",
    {
      type: "button",
      id: `option-${decision.id}-${option.id}`,
      class: ["p-option", taken && "p-taken"],
      disabled: busy,
      dataset: { option: option.id },
      "aria-pressed": decision.secret ? String(taken) : null,
      onclick: () => onSend(option),
    },
    ...(gameOf(book.game).forms.face(decision, option, book, state) ?? [h("span", {}, book.option(decision, option, state))]),
    usual && h("small", {}, t("play.default_mark")),
    taken && h("small", {}, t("play.taken_mark")),
  );
}

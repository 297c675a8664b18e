/** A menu with its label. */

import { h } from "./dom.js";

/**
 * What a menu offers.
 *
 * @typedef {{value: string, text: string, dataset?: Object<string, string>}} MenuChoice
 */

/**
 * A menu with its label, and a hint where one is needed.
 *
 * @param {object} given
 * @param {string} given.id
 * @param {string} [given.name] in the form, where that reads its fields by name.
 * @param {string} given.label
 * @param {MenuChoice[]} given.choices
 * @param {string} [given.chosen] the first, where nothing is said.
 * @param {(value: string) => void} [given.onChoose]
 * @param {string} [given.hint]
 * @param {string} [given.kind] the class of the whole.
 * @param {Object<string, string>} [given.dataset] of the menu itself.
 * @returns {{element: HTMLElement, select: HTMLSelectElement}} `element` holds label, menu and hint.
 */
export function labelledMenu({ id, name, label, choices, chosen, onChoose = () => {}, hint, kind = "field", dataset = {} }) {
  const about = `${id}-hint`;
  const select = h(
    "select",
    { id, name: name ?? null, dataset, onchange: ({ target }) => onChoose(target.value), "aria-describedby": hint ? about : null },
    ...menuOptions(choices, chosen),
  );
  const element = h("div", { class: kind }, h("label", { for: id }, label), select, hint && h("p", { class: "hint", id: about }, hint));
  return { element, select };
}

/**
 * The options of a menu, for one whose choices change.
 *
 * @param {MenuChoice[]} choices
 * @param {string} [chosen]
 */
export function menuOptions(choices, chosen) {
  return choices.map(({ value, text, dataset = {} }) => h("option", { value, selected: value === chosen, dataset }, text));
}

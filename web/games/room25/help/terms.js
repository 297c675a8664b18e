/** What there is to know of actions, rooms, roles and characters, one step from where they are named, and all in one list. */

import { h, present } from "../../../dom.js";
import { useOf } from "../log/beside.js";
import { term } from "../../../term.js";
import { t } from "../../../words.js";

/** @import { ComplexBook } from "../words/book.js" */

/** @typedef {{title: string, content: Node[]}} About */

/** What is explained, in the order of the list: of each kind, all that a rulebook has. */
const KINDS = {
  actions: (book, id) => texts(book.action(id).name, book.action(id).about),
  rooms: (book, id) => texts(book.room(id).name, book.room(id).effect),
  roles: (book, id) => texts(book.role(id).name, book.role(id).about),
  characters: (book, id) => aboutCharacter(book.character(id)),
  cards: (book, id) => texts(book.card(id).name, book.card(id).effect),
};

/** The same, and abilities, which the list has with those who have them. */
const EXPLAINED = { ...KINDS, abilities: (book, id) => texts(book.ability(id).name, book.ability(id).effect) };

/** The fields of events that name something of a kind. */
const FIELDS = { token: "actions", kind: "rooms", role: "roles", card: "cards", cards: "cards" };

/** A role that was dealt stands on its player's card, which may be sealed. */
const SEALED = new Set(["role-dealt"]);

/**
 * Everything that the rulebook names, each word with its explanation, folded up.
 *
 * @param {ComplexBook} book
 * @returns {HTMLDetailsElement}
 */
export function terms(book) {
  const lists = Object.entries(KINDS).flatMap(([kind, about]) => {
    const known = (book.json[kind] ?? []).map(({ id }) => ({ id, told: about(book, id) })).filter(({ told }) => told !== null);
    const item = ({ id, told }) => h("li", {}, term(`${kind}-${id}`, told.title, () => told.content));
    return known.length > 0 ? [h("h3", {}, t(`room25/board.terms.${kind}`)), h("ul", {}, known.map(item))] : [];
  });
  return h("details", { class: "b-legend b-terms" }, h("summary", {}, t("room25/board.terms.title")), lists);
}

/**
 * The name of a role, an action, a card, a room or a character, as a button where the rulebook explains it.
 *
 * @param {ComplexBook} book
 * @param {"roles"|"actions"|"cards"|"characters"|"rooms"} kind
 * @param {string} id of the rulebook.
 * @param {string} place where it stands, in which it stands once.
 * @param {string} [text] what it is called there.
 * @returns {HTMLElement|string}
 */
export function namedTerm(book, kind, id, place, text) {
  const told = KINDS[kind](book, id);
  const shown = text ?? book.entry(kind, id).name;
  return told === null ? shown : term(`${place}-${id}`, shown, () => told.content, told.title);
}

/** @type {import("../../contract.js").GameHelp["named"]} */
export function named(event, book, text) {
  const ids = [...(event === null || SEALED.has(event.type) ? [] : inFields(event, book)), ...book.mentioned(text)];
  const each = [...new Map(ids.map(([kind, id]) => [`${kind} ${id}`, EXPLAINED[kind](book, id)])).values()];
  const told = present(each);
  if (told.length === 0) {
    return null;
  }
  const [first, ...others] = told;
  const content = others.length === 0 ? first.content : told.flatMap((one) => [h("h3", {}, one.title), ...one.content]);
  return { title: told.map(({ title }) => title).join(", "), content };
}

/** What the fields of an event name: of each its kind and its id. */
function inFields(event, book) {
  const all = Object.entries(FIELDS).flatMap(([field, kind]) => [event[field]].flat().map((id) => [kind, id]));
  const used = event.type === "special-used" ? useOf(event.option).does : null;
  const abilities = book.abilities.filter(({ id }) => id === used).map(({ id }) => ["abilities", id]);
  return [...all.filter(([kind, id]) => book.has(kind, id)), ...abilities];
}

/** @returns {About|null} */
function texts(title, text) {
  return text ? { title, content: [h("p", {}, text)] } : null;
}

/**
 * @param {{name: string, abilities?: any[]}} character
 * @returns {About|null}
 */
function aboutCharacter({ name, abilities = [] }) {
  const content = abilities.map((each) => h("p", {}, h("b", {}, each.name), " ", each.effect));
  return content.length > 0 ? { title: name, content } : null;
}

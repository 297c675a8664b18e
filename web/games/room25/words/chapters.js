/** What the page of rules has of a rulebook of Room 25, besides its modes. */

import { t } from "../../../words.js";

/** @import { ComplexBook } from "./book.js" */

const entry = (name, text) => ({ name, texts: [text] });
const chapter = (part, entries) => ({ title: t(`room25/board.terms.${part}`), entries });

/**
 * @param {ComplexBook} book
 * @returns {import("../../contract.js").Chapter[]}
 */
export function chapters(book) {
  const { rules, actions, roles, characters, rooms, cards } = book.json;
  const abilities = characters.flatMap((each) => (each.abilities ?? []).map(({ name, effect }) => entry(`${each.name} · ${name}`, effect)));
  return [
    chapter("rules", rules.map(({ text }) => entry(null, text))),
    chapter("actions", actions.map(({ name, about }) => entry(name, about))),
    chapter("rooms", rooms.map(({ name, color, effect }) => entry(`${name} (${book.color(color)})`, effect))),
    chapter("roles", roles.map(({ name, about }) => entry(name, about))),
    chapter("characters", abilities),
    chapter("cards", alike(cards).map(({ name, effect }) => entry(name, effect))),
  ];
}

/** Of cards that say the same, one. */
function alike(cards) {
  return [...new Map(cards.map((card) => [`${card.name} ${card.effect}`, card])).values()];
}

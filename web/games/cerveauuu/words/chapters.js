/** What the page of rules has of Cerveauuu!, besides its modes; the help beside the board goes by the same lists. */

import { t } from "../../../words.js";

/** @import { TownBook } from "./book.js" */

export const PHASES = ["setup", "draw", "panic", "wandering", "zombies", "fight", "windows", "yields", "end"];
export const WINDOWS = ["panic", "pre_zombies", "open", "movement", "combat", "end_round"];

/** Types of cards with a rule of their own. */
const TYPES = new Set(["end_credits", "weather", "media"]);

/** What a type of cards means. */
export const typeText = (type) => t(`cerveauuu/about.card.${TYPES.has(type) ? type : "other"}`);

const entry = (name, ...texts) => ({ name, texts });

/**
 * @param {TownBook} book
 * @returns {import("../../contract.js").Chapter[]}
 */
export function chapters(book) {
  const pieces = ["human", "zombie"].map((kind) => entry(null, t(`cerveauuu/about.piece.${kind}`)));
  const phases = PHASES.map((phase) => entry(t(`cerveauuu/board.help.${phase}`), t(`cerveauuu/board.help.${phase}_text`)));
  const windows = WINDOWS.map((kind) => entry(book.word(`window.${kind}`), t(`cerveauuu/about.window.${kind}`)));
  const cards = [...Map.groupBy(book.json.cards, (card) => card.type)].map(([type, list]) => ({
    title: book.word(`card_type.${type}`),
    entries: [entry(null, typeText(type)), ...list.map(({ name, effect }) => entry(name, effect))],
  }));
  return [
    { title: t("cerveauuu/board.legend.phases"), entries: [...phases, ...pieces] },
    { title: t("cerveauuu/board.legend.windows"), entries: windows },
    ...cards,
  ];
}

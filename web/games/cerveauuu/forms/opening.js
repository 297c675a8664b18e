/** What the form for a new table asks of Cerveauuu!. */

import { h } from "../../../dom.js";
import { t } from "../../../words.js";

/** @type {import("../../contract.js").Opening} */
export const OPENING = {
  rulebook: "prototype",
  bot: "steady",
  /** Chance places the humans, and no game ends in its first round. */
  beginners: { rulebook: "prototype", mode: "standard", seats: 3, options: { placement: "random", credits: "spread" } },
  facts: (mode, { seats }) => [
    t("cerveauuu/new.facts.pieces", { humans: mode.humans[seats], zombies: mode.zombies[seats] / seats }),
    t("cerveauuu/new.facts.credits", { credits: mode.credits[seats] }),
  ],
  values: (option, { wish }) => (option.id === "first_chief" ? option.values.filter((seat) => seat <= wish.seats) : option.values),
  valueText: (option, value, book) => {
    if (option.id === "first_chief") {
      return value === 0 ? book.word("value.random") : t("board.seat", { seat: value });
    }
    return book.wordOrNothing(`value.${value}`) ?? null;
  },
  extra: () => null,
  extraFields: () => h("div", {}),
  extraOptions: () => ({}),
};

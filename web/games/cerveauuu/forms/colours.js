/** Choosing a colour before sitting down. */

import { labelledMenu } from "../../../menu.js";
import { t } from "../../../words.js";

/** @type {import("../../contract.js").GameForms["castOf"]} */
export function castOf(state, book) {
  const used = new Set(Object.values(state.seats).flatMap((seat) => seat.characters));
  const free = book.json.characters.filter(({ id }) => !used.has(id));
  const choices = free.map((each) => ({ value: each.id, text: each.name }));
  const draw = (chosen, { id, onChoose }) =>
    labelledMenu({
      id,
      label: t("cerveauuu/seats.colour"),
      choices: [{ value: "", text: t("cerveauuu/seats.any") }, ...choices],
      chosen: chosen[0],
      dataset: { action: "cast" },
      onChoose: (value) => onChoose(value ? [value] : []),
    }).element;
  return { free, draw };
}

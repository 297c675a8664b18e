/** Choosing a colour before sitting down. */

import { h } from "../../../dom.js";
import { t } from "../../../words.js";

/** @type {import("../../contract.js").GameForms["castOf"]} */
export function castOf(state, book) {
  const used = new Set(Object.values(state.seats).flatMap((seat) => seat.characters));
  const free = book.json.characters.filter(({ id }) => !used.has(id));
  const draw = (chosen, { id, onChoose }) =>
    h(
      "div",
      { class: "field" },
      h("label", { for: id }, t("cerveauuu/seats.colour")),
      h(
        "select",
        { id, dataset: { action: "cast" }, onchange: (event) => onChoose(event.target.value ? [event.target.value] : []) },
        h("option", { value: "" }, t("cerveauuu/seats.any")),
        free.map((each) => h("option", { value: each.id, selected: chosen.includes(each.id) }, each.name)),
      ),
    );
  return { free, draw };
}

/** Choosing whom to play before sitting down. */

import { h } from "../../../dom.js";
import { labelledMenu } from "../../../menu.js";
import { listing, t, tn } from "../../../words.js";

/**
 * How many characters a seat of a table plays, and which are still free. Nothing is chosen at first, which leaves it to
 * the table; of those chosen before, who has gone is dropped.
 *
 * @type {import("../../contract.js").GameForms["castOf"]}
 */
export function castOf(state, book) {
  const mode = book.mode(state.mode);
  const used = new Set(Object.values(state.seats).flatMap((seat) => seat.characters));
  const cast = {
    count: mode.characters[state.seat_count],
    duos: mode.duos,
    free: book.json.characters.filter((each) => !used.has(each.id)),
  };
  const draw = (chosen, { id, onChoose }) =>
    cast.count > 1 && !cast.duos ? several(cast, chosen, onChoose) : one(cast, chosen, id, onChoose);
  return { free: cast.free, draw };
}

/** A single character, or a duo: then one of the two is enough, because the other comes along. */
function one(cast, chosen, id, onChoose) {
  const pairs = cast.count > 1 ? duosOf(cast.free) : cast.free.map((each) => [each]);
  const choices = pairs.map((pair) => ({ value: pair[0].id, text: listing(pair.map((each) => each.name)) }));
  return labelledMenu({
    id,
    label: t("seats.cast.label"),
    choices: [{ value: "", text: t("seats.cast.any") }, ...choices],
    chosen: pairs.find((pair) => chosen.includes(pair[0].id))?.[0].id,
    dataset: { action: "cast" },
    onChoose: (value) => onChoose(value ? [value] : []),
  }).element;
}

function several(cast, chosen, onChoose) {
  const isFull = (ids) => ids.length >= cast.count;
  const here = cast.free.map(({ id }) => id).filter((id) => chosen.includes(id));
  const onChange = ({ currentTarget }) => {
    const boxes = [...currentTarget.querySelectorAll("input")];
    const ids = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    boxes.forEach((box) => (box.disabled = isFull(ids) && !box.checked));
    onChoose(ids);
  };
  const labels = cast.free.map(({ id, name }) => {
    const checked = here.includes(id);
    return h("label", { class: "choice" }, h("input", { type: "checkbox", value: id, checked, disabled: isFull(here) && !checked, dataset: { action: `cast-${id}` } }), name);
  });
  return h(
    "fieldset",
    { class: "cast", onchange: onChange },
    h("legend", {}, tn("seats.cast.several", cast.count)),
    h("div", { class: "row" }, ...labels),
    h("p", { class: "hint" }, t("seats.cast.rest")),
  );
}

function duosOf(free) {
  const duos = Map.groupBy(free, (each) => each.duo);
  return [...duos.values()].filter((pair) => pair.length === 2);
}

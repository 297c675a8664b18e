/** Laying out one's own 25 rooms. */

import { h } from "../../../dom.js";
import { t, tn } from "../../../words.js";

const ROOMS = 25;
/** Always exactly one of each, and the key where it is needed. */
const FIXED = new Set(["central", "room25", "key"]);

/**
 * The fields for how many rooms there are of each kind.
 *
 * @param {import("../words/book.js").ComplexBook} book
 * @param {Object<string, number>} rooms the counts so far, by kind.
 * @param {(rooms: Object<string, number>) => void} onChange
 * @returns {HTMLFieldSetElement} it does not let its form be sent before there are 25.
 */
export function roomFields(book, rooms, onChange) {
  const counts = { ...rooms };
  const sum = h("output", { class: "rooms-sum" });
  const inputs = [];
  const tell = () => {
    const total = Object.values(counts).reduce((a, b) => a + b, 0);
    sum.textContent = tn("room25/new.rooms.sum", total, { needed: ROOMS });
    inputs[0]?.setCustomValidity(total === ROOMS ? "" : t("room25/new.rooms.wrong", { needed: ROOMS, total }));
  };
  const field = (room) => {
    const input = h("input", {
      type: "number",
      id: `rooms-${room.id}`,
      min: 0,
      max: room.copies,
      value: counts[room.id] ?? 0,
      required: true,
    });
    input.addEventListener("input", () => {
      if (input.validity.valid || input.validity.customError) {
        counts[room.id] = input.valueAsNumber || 0;
        tell();
        onChange(Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)));
      }
    });
    inputs.push(input);
    return h(
      "div",
      { class: ["room-count", room.color] },
      h(
        "label",
        { for: input.id },
        room.name,
        h(
          "span",
          { class: "muted small" },
          ` ${book.color(room.color)}, ${t("room25/new.rooms.copies", { copies: room.copies })}`,
        ),
      ),
      input,
    );
  };
  const fields = book.json.rooms.filter((room) => !FIXED.has(room.id)).map(field);
  tell();
  return h(
    "fieldset",
    { class: "rooms" },
    h("legend", {}, t("room25/new.rooms.legend")),
    h("p", { class: "hint" }, t("room25/new.rooms.hint")),
    h("div", { class: "room-counts" }, ...fields),
    h("p", {}, sum),
  );
}

/** The form for a programme: one row of tokens for each slot, adrenaline, and a button that hands it in. */

import { h } from "../../../dom.js";
import { pictogram } from "../board/pictograms.js";
import { NONE, optionOf, planOf, shapeOf, withToken } from "./plan.js";
import { t } from "../../../words.js";

/**
 * The form of a decision of the kind `program`; what is begun is a plan, `{tokens, adrenaline}`, or null.
 *
 * @type {import("../../contract.js").DecisionForm["draw"]}
 */
export function programForm({ decision, book, begun, busy, onChange, onSend }) {
  const shape = shapeOf(decision.options);
  const plan = begun ?? { tokens: Array(shape.slots).fill(NONE), adrenaline: false };
  const chosen = optionOf(decision.options, plan);
  const name = `plan-${decision.id}`;
  return h(
    "div",
    { class: "p-program" },
    plan.tokens.map((token, slot) =>
      slotRow({
        book,
        name: `${name}-${slot}`,
        slot,
        token,
        tokens: choicesOf(shape, slot),
        busy,
        onPick: (picked) => onChange(withToken(plan, slot, picked)),
      }),
    ),
    shape.adrenaline &&
      h(
        "label",
        { class: "p-adrenaline" },
        h("input", {
          type: "checkbox",
          id: `${name}-adrenaline`,
          checked: plan.adrenaline,
          disabled: busy,
          onchange: (event) => onChange({ ...plan, adrenaline: event.target.checked }),
        }),
        pictogram("action", "adrenaline", { size: 22 }),
        h("span", {}, book.action("adrenaline").name),
      ),
    h(
      "div",
      { class: "p-hand-in" },
      h(
        "button",
        {
          type: "button",
          id: `${name}-send`,
          class: "p-send",
          disabled: busy || chosen === undefined,
          dataset: { option: chosen?.id ?? "" },
          onclick: () => onSend(chosen),
        },
        chosen === undefined
          ? t("room25/play.program.incomplete")
          : t("room25/play.program.send", { programme: book.option(decision, chosen) }),
      ),
    ),
  );
}

/** The plan of an option of the decision, to begin with. */
export function planFrom(decision, optionId) {
  const option = decision.options.find(({ id }) => id === optionId);
  return option ? planOf(option, shapeOf(decision.options).slots) : null;
}

/** Only slots after the first may stay empty. */
function choicesOf(shape, slot) {
  return slot === 0 ? shape.tokens : [...shape.tokens, NONE];
}

function slotRow({ book, name, slot, token, tokens, busy, onPick }) {
  return h(
    "fieldset",
    { class: "p-slot" },
    h("legend", {}, t("room25/play.program.slot", { slot: slot + 1 })),
    tokens.map((each) =>
      h(
        "label",
        {
          class: ["p-token", each === token && "p-picked"],
          dataset: { token: each || "none", slot: String(slot + 1) },
        },
        h("input", {
          type: "radio",
          name,
          id: `${name}-${each || "none"}`,
          value: each,
          checked: each === token,
          disabled: busy,
          onchange: () => onPick(each),
        }),
        pictogram("action", each, { size: 26 }),
        h("span", {}, each === NONE ? t("room25/play.program.none") : book.action(each).name),
      ),
    ),
  );
}

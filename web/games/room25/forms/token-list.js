/** A programme as a list: one row of tokens for each slot, for whoever would rather go through all of them in order. */

import { h } from "../../../dom.js";
import { pictogram } from "../board/pictograms.js";
import { NONE, withToken } from "./plan.js";
import { t } from "../../../words.js";

/** @import { Plan } from "./plan.js" */

/**
 * The list, folded up until it is wanted.
 *
 * @param {{book: any, plan: Plan, shape: {slots: number, tokens: string[]}, name: string, busy: boolean, onChange: (plan: Plan) => void}} given `name` is the ids' beginning.
 * @returns {HTMLDetailsElement}
 */
export function tokenList({ book, plan, shape, name, busy, onChange }) {
  const fold = (event) => event.target.open !== Boolean(plan.listed) && onChange({ ...plan, listed: event.target.open });
  return h(
    "details",
    { class: "p-listed", open: plan.listed, ontoggle: fold },
    h("summary", { id: `${name}-list` }, t("room25/play.program.list")),
    plan.tokens.map((token, slot) =>
      row({ book, name: `${name}-${slot}`, slot, token, tokens: choicesOf(shape, slot), busy, onPick: (picked) => onChange(withToken(plan, slot, picked)) }),
    ),
  );
}

/** Only slots after the first may stay empty. */
function choicesOf(shape, slot) {
  return slot === 0 ? shape.tokens : [...shape.tokens, NONE];
}

function row({ book, name, slot, token, tokens, busy, onPick }) {
  return h(
    "fieldset",
    { class: "p-slot" },
    h("legend", {}, t("room25/play.program.slot", { slot: slot + 1 })),
    tokens.map((each) =>
      h(
        "label",
        { class: ["p-token", each === token && "p-picked"], dataset: { token: each || "none", slot: String(slot + 1) } },
        h("input", { type: "radio", name, id: `${name}-${each || "none"}`, value: each, checked: each === token, disabled: busy, onchange: () => onPick(each) }),
        pictogram("action", each, { size: 26 }),
        h("span", {}, each === NONE ? t("room25/play.program.none") : book.action(each).name),
      ),
    ),
  );
}

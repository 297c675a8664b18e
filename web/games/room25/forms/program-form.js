/** The form for a programme: slots, the cards of the actions, the same as a list, and a button that hands it in. */

import { h } from "../../../dom.js";
import { dragging } from "./dragging.js";
import { pictogram } from "../board/pictograms.js";
import { ADRENALINE, cardsOf } from "./cards.js";
import { dropped, slotOf, turned } from "./laying.js";
import { NONE, emptyPlan, optionOf, planKept, planOf, shapeOf, withToken, withoutLast } from "./plan.js";
import { tokenList } from "./token-list.js";
import { showAbout } from "../../../term.js";
import { has, t } from "../../../words.js";

/** @import { Card } from "./cards.js" */
/** @import { Plan } from "./plan.js" */

/**
 * The form of a decision of the kind `program`; what is begun is a plan, or null.
 *
 * @type {import("../../contract.js").DecisionForm}
 */
export const PROGRAM_FORM = { begin: planFrom, resume: (decision, kept) => planKept(decision.options, kept), press, complete, draw };

/** The plan of an option of the decision, to begin with. */
function planFrom(decision, optionId) {
  const option = decision.options.find(({ id }) => id === optionId);
  return option ? planOf(option, shapeOf(decision.options).slots) : null;
}

/** All that a form is drawn of. */
function tableOf(given) {
  const shape = shapeOf(given.decision.options);
  const plan = /** @type {Plan} */ (given.begun ?? emptyPlan(shape.slots));
  return { ...given, shape, plan, cards: cardsOf({ ...given, shape, plan }), name: `plan-${given.decision.id}` };
}

/** A number puts a card down or takes it back, Backspace takes the last one back. */
function press(given, key) {
  const { plan, cards } = tableOf(given);
  if (key === "Backspace") {
    return { begun: withoutLast(plan), said: null };
  }
  const card = /^[1-9]$/.test(key) ? cards[Number(key) - 1] : undefined;
  return card ? { begun: turned(plan, card), said: card.why } : null;
}

function complete({ decision, begun }) {
  return optionOf(decision.options, begun ?? emptyPlan(shapeOf(decision.options).slots)) ?? null;
}

function draw(given) {
  const table = tableOf(given);
  const { decision, book, busy, onChange, onSend, shape, plan, cards, name, keyed } = table;
  const chosen = optionOf(decision.options, plan);
  const onDrop = (node, place) => !busy && onChange(dropped(plan, cardOf(cards, node), slotOf(decision, place)));
  return h(
    "div",
    { class: ["p-program", keyed && "p-keyed"], onpointerdown: dragging({ what: ".p-card, .p-laid", where: "[data-place]", onDrop }) },
    slots(table),
    h("div", { class: "p-cards", role: "group", "aria-label": t("room25/play.program.cards") }, cards.map((card, at) => cardButton(card, at, table))),
    h("div", { class: "p-besides" }, tokenList({ book, plan, shape, name, busy, onChange }), explained(table)),
    h(
      "div",
      { class: "p-hand-in" },
      h(
        "button",
        { type: "button", id: `${name}-send`, class: "p-send", disabled: busy || chosen === undefined, dataset: { option: chosen?.id ?? "" }, onclick: () => onSend(chosen) },
        chosen === undefined ? t("room25/play.program.incomplete") : t("room25/play.program.send", { programme: book.option(decision, chosen) }),
      ),
    ),
  );
}

/** What opens the explanation of all cards at once: where there is no room for what each does, nobody has to know of a long press or a key. */
function explained({ book, cards, name }) {
  const id = `${name}-about`;
  // The form may be drawn anew while one reads.
  const onClose = () => document.getElementById(id)?.focus();
  const open = () => showAbout({ title: t("room25/play.program.about"), content: [h("dl", { class: "p-explained" }, cards.map((card) => explanation(card, book)))], onClose });
  return h("button", { type: "button", id, class: "p-quiet p-explain", "aria-haspopup": "dialog", onclick: open }, t("room25/play.program.about"));
}

/** What an action does, and why it cannot be put down, if it cannot. */
function explanation({ token, why }, book) {
  const { name, about } = book.action(token);
  return h("div", { dataset: { card: token } }, h("dt", {}, pictogram("action", token, { size: 26 }), " ", name), h("dd", {}, about), why !== null && h("dd", { class: "p-why" }, why));
}

const cardOf = (cards, node) => cards.find(({ token }) => token === node.dataset.card);

/** The slots of a programme, and between two actions what changes their order. */
function slots(table) {
  const { plan, shape, name, busy, onChange } = table;
  const [first, second] = plan.tokens;
  const swap = plan.tokens.length === 2 && first !== NONE && second !== NONE;
  return h(
    "div",
    { class: "p-line" },
    h("ol", { class: "p-places", "aria-label": t("room25/play.program.slots") }, plan.tokens.map((_, slot) => place(slot, table)), shape.adrenaline && place(shape.slots, table)),
    swap &&
      h(
        "button",
        { type: "button", id: `${name}-swap`, class: "p-swap p-quiet", disabled: busy, "aria-label": t("room25/play.program.swap"), title: t("room25/play.program.swap"), onclick: () => onChange(withToken(plan, 0, second)) },
        h("span", { "aria-hidden": "true" }, "⇄"),
      ),
  );
}

/** A slot; what lies in it is taken back by a press. */
function place(slot, { book, plan, shape, cards, name, busy, onChange }) {
  const third = slot === shape.slots;
  const label = third ? book.action(ADRENALINE).name : t("room25/play.program.slot", { slot: slot + 1 });
  const card = cards.find((each) => each.slot === slot);
  const props = { class: ["p-place", card && "p-filled", third && "p-third"], dataset: { place: String(slot + 1) } };
  if (card === undefined) {
    return h("li", props, h("span", { class: "p-hole" }, label, h("span", { class: "b-unseen" }, ` (${t("room25/board.slot.empty")})`)));
  }
  return h(
    "li",
    props,
    h(
      "button",
      { type: "button", id: `${name}-place-${slot}`, class: "p-laid", disabled: busy, dataset: { card: card.token, about: `action:${card.token}` }, onclick: () => onChange(turned(plan, card)) },
      !third && h("span", { class: "p-number", "aria-hidden": "true" }, String(slot + 1)),
      pictogram("action", card.token, { size: 22 }),
      h("span", { class: "b-unseen" }, `${label}: `),
      h("span", {}, book.action(card.token).name),
      h("span", { class: "b-unseen" }, `(${t("room25/play.program.take_back")})`),
      h("span", { class: "p-out", "aria-hidden": "true" }, "×"),
    ),
  );
}

/** What an action does in the line that a narrow card has for it, for those who see it: others hear all of it. Rulebooks to come may have actions without. */
function brief(token) {
  const key = `room25/play.program.brief.${token}`;
  return has(key) && h("span", { class: "p-card-brief", "aria-hidden": "true" }, t(key));
}

/**
 * A card in the hand: what it is called, and in one line what it does, or why it cannot be put down.
 *
 * @param {Card} card
 */
function cardButton(card, at, { book, plan, name, busy, onChange }) {
  const { token, slot, why, full } = card;
  const action = book.action(token);
  return h(
    "button",
    {
      type: "button",
      id: `${name}-card-${token}`,
      class: ["p-card", slot !== null && "p-picked", why !== null && "p-barred", full && "p-full"],
      disabled: busy,
      "aria-pressed": String(slot !== null),
      "aria-disabled": why === null ? null : "true",
      title: why ?? action.about,
      dataset: { card: token, about: `action:${token}` },
      onclick: () => why === null && onChange(turned(plan, card)),
    },
    h("kbd", { "aria-hidden": "true" }, String(at + 1)),
    pictogram("action", token, { size: 26 }),
    h("b", {}, action.name),
    h("span", { class: ["p-card-text", why !== null && "p-why"] }, why ?? action.about),
    (why === null || full) && brief(token),
  );
}

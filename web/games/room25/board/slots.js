/** Draws a character's programme as slots: choosing, handed in, planned, carried out, lost and why. */

import { h } from "../../../dom.js";
import { named, namedTerm } from "../help/terms.js";
import { pictogram } from "./pictograms.js";
import { THIRD } from "./programmes.js";
import { term } from "../../../term.js";
import { t } from "../../../words.js";

/** @import { ComplexBook } from "../words/book.js" */
/** @import { Programme } from "./programmes.js" */

/**
 * The programme of a character as a list.
 *
 * @param {Object} c the character's state.
 * @param {{state: Object, book: ComplexBook, programme?: Programme|null}} given `programme` of this turn, from `programmeHistory`;
 *   without it the state has to do, which knows no losses.
 * @returns {HTMLElement|null} null where there is nothing to programme.
 */
export function slotList(c, { state, book, programme = null }) {
  // Of what is handed in, the events tell a rival nothing but that: the state has to say it.
  const told = programme !== null && (programme.closed || programme.steps.length > 0);
  const steps = told ? programme.steps : withLosses(stepsOf(c, state, book), programme);
  return steps === null
    ? null
    : h(
        "ol",
        { class: "b-slots" },
        steps.map((step, i) => slot(step, book, `slot${i + 1}-${c.id}`)),
      );
}

/** Who joined in the middle of a turn has the state, and of the events only the last ones. */
function withLosses(steps, programme) {
  const lost = programme?.steps.filter(({ status }) => status === "lost") ?? [];
  const loss = (step) => lost.find((each) => each.executed === step.executed && step.status === "done");
  return steps?.map((step) => loss(step) ?? step) ?? null;
}

/** What the state alone tells: null where nothing is programmed. */
function stepsOf(c, state, book) {
  const { play } = state;
  if (c.alive === false || play.turn === 0) {
    return null;
  }
  const tokens = c.program?.tokens ?? null;
  const used = [...(c.used ?? [])];
  if (c.program && (tokens === null || (tokens.length === 0 && !c.program.adrenaline))) {
    return [{ slot: 1, status: "locked" }];
  }
  if (tokens !== null) {
    const steps = tokens.map((token, i) => ({
      slot: i + 1,
      planned: token,
      status: takeFrom(used, token) ? "done" : "planned",
      executed: token,
    }));
    return c.program.adrenaline || c.adrenaline === "programmed"
      ? [
          ...steps,
          { slot: THIRD, planned: used[0] ?? null, executed: used[0], status: used.length ? "done" : "planned" },
        ]
      : steps;
  }
  if (used.length) {
    return used.map((token, i) => ({ slot: i + 1, planned: token, executed: token, status: "done" }));
  }
  const asked = play.phase === "programming" && book.mode(state.mode).programs && !c.free;
  return asked ? [{ slot: 1, status: "choosing" }] : null;
}

function takeFrom(used, token) {
  const at = token ? used.indexOf(token) : -1;
  if (at >= 0) {
    used.splice(at, 1);
  }
  return at >= 0;
}

/** `place` is where it stands: the same action may stand in two slots. */
function slot(step, book, place) {
  const { token, text } = told(step, book);
  return h(
    "li",
    { class: ["b-slot", `b-slot-${step.status}`, step.slot === THIRD && "b-slot-third"], title: text },
    step.status === "choosing" && h("span", { class: "b-dots", "aria-hidden": "true" }, "…"),
    step.status === "locked" && pictogram("sign", "lock", { size: 20 }),
    token !== undefined &&
      pictogram(token === null ? "sign" : "action", token === null ? "unknown" : token, { size: 20 }),
    step.status === "done" && pictogram("sign", "check", { size: 13, class: "b-corner" }),
    step.status === "lost" && pictogram("sign", "cross", { size: 13, class: "b-corner" }),
    h("span", { class: "b-slot-text" }, token ? explained(step, token, { book, place, text }) : text),
  );
}

/** What says why an action was lost, or what it was drawn instead of, names more than the action: all of that is explained. */
function explained({ status, drawn }, token, { book, place, text }) {
  const about = status === "lost" || drawn ? named({ type: "slot", token }, book, text) : null;
  return about === null ? namedTerm(book, "actions", token, place, text) : term(`${place}-${token}`, text, () => about.content, about.title);
}

function told(step, book) {
  if (step.status === "choosing" || step.status === "locked") {
    return { token: undefined, text: t(`room25/board.slot.${step.status}`) };
  }
  const token = step.executed ?? step.planned;
  const name = nameOf(token, step, book);
  const reason = book.word(`lost.${step.reason ?? "impossible"}`);
  const text = t(`room25/board.slot.${step.status}`, { action: name, reason });
  const drawn = step.drawn && step.planned && step.planned !== step.executed;
  return { token, text: drawn ? t("room25/board.slot.instead", { text, planned: book.action(step.planned).name }) : text };
}

function nameOf(token, step, book) {
  if (token) {
    return book.action(token).name;
  }
  if (step.slot === THIRD) {
    return book.action("adrenaline").name;
  }
  return token === null ? t("room25/board.slot.unknown") : t("room25/board.slot.empty");
}

/** Draws one decision: what is asked, of which character, until when, what happens otherwise, and the choices. */

import { h, present } from "../dom.js";
import { gameOf } from "../games/registry.js";
import { optionList } from "./option-list.js";
import { timeLeft } from "./time-left.js";
import { sentenceOf } from "../refusal.js";
import { aboutSign } from "../term.js";
import { capitalised, has, keyIn, t, tn } from "../words.js";

/** Kinds of every table that are asked again before they are done. */
const CONFIRMED = new Set(["resign"]);

/**
 * A decision as a section.
 *
 * @param {Object} given `{decision, decisions, draft, book, state, busy, keyed, chosen, held, again, above, change, take, back, send}`: `change(part)` puts something into
 *   the draft and draws again, `take(option)` hands a leaf in or opens a branch, `back()` leaves the branch that was
 *   opened last, `send(decision, option)` hands in an option of any of the `decisions`; `keyed`: the keyboard's keys go to this
 *   card, wherever the focus is; `chosen` is the id of the option handed in before, `held` the answer that waits for its moment,
 *   `again` the answer on its way (`Sending`) that the service has not taken and the page will send once more; `above`: what is asked
 *   stands above the card, whose heading is for screen readers and the focus.
 * @returns {HTMLElement}
 */
export function decisionCard(given) {
  const { decision, book, state, draft } = given;
  const { board, forms: { drawn } } = gameOf(book.game);
  const id = `decision-${decision.id}`;
  const title = heading(decision, book);
  const content = present([
    terms(given),
    draft.problem && h("p", { class: "p-problem", role: "alert" }, problemText(draft.problem)),
    draft.replaced && h("p", { class: "p-replaced", role: "alert" }, t("play.replaced")),
    sentAgain(given),
    body(given),
    held(given),
    shortcuts(given),
  ]).flat();
  const about = decision.kind in drawn ? null : namedIn([title, ...content.map(unexplained)], book);
  return h(
    "section",
    {
      class: ["p-decision", decision.answered && "p-answered", about && "p-helped"],
      dataset: { decision: decision.id, kind: decision.kind },
      "aria-labelledby": id,
    },
    h(
      "header",
      { class: ["p-head", given.above && "unseen"] },
      decision.subject && board.chip(decision.subject, { book, play: state?.play }),
      h("h3", { id, tabindex: "-1" }, title),
    ),
    content,
    about,
  );
}

/** What opens what there is to know of all that a card names; null: it names nothing. A form that a game draws explains itself. */
function namedIn(texts, book) {
  return aboutSign(gameOf(book.game).help.named(null, book, texts.join("\n")), { class: "p-about" });
}

/** The texts of a drawing, one a line, but of what tells by itself what it is. @returns {string} */
function unexplained(node) {
  if (!(node instanceof Element)) {
    return node.textContent ?? "";
  }
  return node.matches("[data-about], .term") ? "" : [...node.childNodes].map(unexplained).join("\n");
}

/** An answer that the service has not taken yet. */
function sentAgain({ decision, again, book, state }) {
  return (
    again !== null &&
    h(
      "div",
      { class: "p-again" },
      h("p", { class: "p-chosen" }, t("play.again", { option: book.path(decision, again.option.id, state) ?? "" })),
      h("button", { type: "button", id: `stop-${decision.id}`, class: "p-quiet", onclick: () => again.stop() }, t("again.stop")),
    )
  );
}

/** An answer that has not gone yet. */
function held({ decision, held: answer, book, state }) {
  return (
    answer !== null && [
      h(
        "p",
        { class: "p-chosen p-held", role: "status" },
        t("play.held", { option: book.path(decision, answer.option.id, state) ?? "" }),
        " ",
        timeLeft(answer.at),
      ),
      h("p", { class: "p-note" }, t("play.held_why")),
    ]
  );
}

/** What is at hand beside the options. */
function shortcuts({ decision, decisions, book, state, busy, send }) {
  const found = decision.answered ? [] : gameOf(book.game).forms.shortcuts(decision, decisions);
  return (
    found.length > 0 &&
    h(
      "div",
      { class: "p-shortcuts", role: "group", "aria-label": t("play.shortcuts") },
      found.map(({ decision: other, option }) =>
        h(
          "button",
          { type: "button", class: "p-quiet", id: `shortcut-${decision.id}-${option.id}`, disabled: busy, dataset: { shortcut: option.id }, onclick: () => send(other, option) },
          capitalised(book.option(other, option, state)),
        ),
      ),
    )
  );
}

/** What is asked, and of whom. */
export function heading(decision, book) {
  const { words } = gameOf(book.game);
  const { subject } = decision;
  return subject
    ? t("play.title", { character: words.subject(book, subject), title: words.title(decision, book) })
    : book.decision(decision.kind);
}

/** A voluntary decision: folded up until it is wanted. */
export function optionalCard(given, { open, onToggle }) {
  const { decision, book, draft } = given;
  return h(
    "details",
    {
      class: "p-optional",
      open,
      dataset: { decision: decision.id, kind: decision.kind },
      ontoggle: (event) => onToggle(event.target.open),
    },
    h("summary", { id: `summary-${decision.id}` }, book.decision(decision.kind)),
    h("p", { class: "p-note" }, about(decision, given)),
    draft.problem && h("p", { class: "p-problem", role: "alert" }, problemText(draft.problem)),
    sentAgain(given),
    choices(given),
  );
}

/** Why the service refused something, in the reader's language; of a choice that found no way, nobody knows. */
function problemText(problem) {
  return problem.status === 0 ? t("play.unreachable") : sentenceOf(problem);
}

function terms({ decision, book, state, chosen }) {
  const usual = decision.default ? book.path(decision, decision.default, state) : null;
  const handed = chosen === null ? null : book.path(decision, chosen, state);
  const { words, forms } = gameOf(book.game);
  const limit = words.limit(decision, book, state);
  return h(
    "div",
    { class: "p-terms" },
    decision.optional && h("p", { class: "p-note" }, about(decision, { book, state })),
    decision.deadline &&
      h(
        "p",
        { class: "p-until" },
        t("play.time_left"),
        " ",
        timeLeft(decision.deadline),
      ),
    !decision.answered &&
      usual !== null &&
      decision.deadline &&
      h("p", { class: "p-note" }, t("play.default", { option: usual })),
    limit && h("p", { class: "p-note p-limit" }, limit),
    decision.secret && !decision.answered && h("p", { class: "p-note p-secrecy" }, t(forms.isOpen(decision, book, state) ? "play.open" : "play.secret")),
    decision.answered &&
      h(
        "p",
        { class: "p-chosen" },
        handed === null ? t("play.handed_in_unknown") : t("play.handed_in", { option: handed }),
      ),
  );
}

/** What a voluntary decision does; of a game that has no words for it, nothing is said. */
function about({ kind, seat }, { book, state }) {
  const place = kind === "return" ? state?.seats?.[seat] : null;
  if (place?.strikes > 0 && !place.absent) {
    return tn(`play.about.return.${book.turn}`, place.strikes, { limit: state.time.absent_after });
  }
  const key = kind === "return" ? "play.about.absent" : keyIn(book.game, `play.about.${kind}`);
  return has(key) ? t(key) : null;
}

function body(given) {
  const { decision, draft, change } = given;
  if (!decision.answered) {
    return choices(given);
  }
  return h(
    "details",
    {
      class: "p-change",
      open: draft.changing,
      ontoggle: (event) => event.target.open !== draft.changing && change({ changing: event.target.open }),
    },
    h("summary", { id: `change-${decision.id}` }, t("play.change")),
    choices(given),
  );
}

function choices(given) {
  const { decision, draft, book, state, busy, keyed, chosen, change, take, back } = given;
  const { confirmed, drawn } = gameOf(book.game).forms;
  if (CONFIRMED.has(decision.kind) || confirmed.has(decision.kind)) {
    return confirming(given);
  }
  const form = drawn[decision.kind];
  if (form) {
    const begun = draft.begun ?? form.begin(decision, chosen);
    return form.draw({ decision, book, state, begun, busy, keyed, onChange: (next) => change({ begun: next }), onSend: take });
  }
  return optionList({
    ...given,
    walk: draft.walk,
    keys: draft.keys,
    search: draft.search,
    meant: draft.meant,
    onTake: take,
    onPoint: (option) => given.point(decision, option),
    onBack: back,
    onSearch: (search) => change({ search }),
    onWiden: () => change({ keys: [] }),
  });
}

function confirming({ decision, draft, busy, change, take, book, state }) {
  const [option] = decision.options;
  const text = book.option(decision, option, state);
  if (!draft.confirming) {
    return h(
      "button",
      {
        type: "button",
        id: `ask-${decision.id}`,
        class: "p-option",
        disabled: busy,
        dataset: { ask: option.id },
        onclick: () => change({ confirming: true }, `no-${decision.id}`),
      },
      h("span", {}, text),
    );
  }
  const sure = t(keyIn(book.game, `play.sure.${decision.kind}`));
  return h(
    "div",
    { class: "p-confirm", role: "group", "aria-label": sure },
    h("p", {}, sure),
    h(
      "button",
      {
        type: "button",
        id: `no-${decision.id}`,
        class: "p-quiet",
        disabled: busy,
        onclick: () => change({ confirming: false }, `ask-${decision.id}`),
      },
      t("play.no"),
    ),
    h(
      "button",
      {
        type: "button",
        id: `yes-${decision.id}`,
        class: "p-grave",
        disabled: busy,
        dataset: { option: option.id },
        onclick: () => take(option),
      },
      t("play.yes", { what: text }),
    ),
  );
}

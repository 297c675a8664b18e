/** How far the game has come: the turns as a track, the phase, and the order in which the characters act. */

import { h, present } from "../../../dom.js";
import { patch } from "../../../patch.js";
import { chip } from "./chip.js";
import { pictogram } from "./pictograms.js";
import { order } from "./scene.js";
import { t, tn } from "../../../words.js";

/** @import { ComplexBook } from "../words/book.js" */

/**
 * The order track.
 *
 * @param {{book: ComplexBook}} options
 * @returns {{element: HTMLElement, update: (state: Object, now?: Object) => void, destroy: () => void}}
 */
export function createOrder({ book }) {
  const element = h("section", { class: "b-order", "aria-label": t("room25/board.order.label") });
  return {
    element,
    update(state) {
      patch(element, state.play ? parts(state, book) : []);
    },
    destroy: () => element.remove(),
  };
}

function parts(state, book) {
  const { play } = state;
  return present([
    h(
      "div",
      { class: "b-turn-line" },
      turnText(state),
      h("span", { class: "b-phase" }, phase(state, book)),
      alarm(state, book),
    ),
    play.last_turn > 0 && turns(state, book),
    h(
      "ol",
      { class: "b-track", "aria-label": t("room25/board.order.track") },
      order(play)
        .filter((c) => c.alive !== false)
        .map((c, i) => step(c, i, play, book)),
    ),
  ]);
}

function turnText({ phase: stage, play }) {
  if (!play.turn) {
    return h("b", { class: "b-turn" }, t("room25/board.order.before"));
  }
  if (stage === "finished" || play.end) {
    return h("b", { class: "b-turn" }, t("room25/board.order.ended", { turn: play.turn, last: play.last_turn }));
  }
  const left = play.last_turn - play.turn;
  const rest = left > 0 ? tn("room25/board.order.left", left) : t("room25/board.order.last");
  return h(
    "b",
    { class: "b-turn" },
    t("room25/board.order.turn", { turn: play.turn, last: play.last_turn }),
    h("small", {}, ` · ${rest}`),
  );
}

function phase(state, book) {
  const end = state.result?.outcome ?? state.play.end?.outcome;
  if (end) {
    return book.outcome(end);
  }
  return state.phase === "live" ? book.phase(state.play.phase) : t(`board.table.${state.phase}`);
}

/** The turns that the game began with; some may have been taken away since. */
function planned(state, book) {
  return Math.max(book.mode(state.mode).turns[state.seat_count] ?? 0, state.play.last_turn);
}

function alarm(state, book) {
  const cut = planned(state, book) - state.play.last_turn;
  if (cut <= 0 || !state.play.turn) {
    return false;
  }
  const timer = (state.play.composition?.timer ?? 0) > 0;
  const text =
    book.mode(state.mode).alarm && !timer
      ? t("room25/board.order.alarm", { last: state.play.last_turn })
      : tn("room25/board.order.cut", cut);
  return h("span", { class: "b-tag b-tag-bad" }, pictogram("sign", "alarm", { size: 14 }), text);
}

function turns(state, book) {
  const { turn, last_turn: last } = state.play;
  const kind = (n) => (n > last ? "b-cut" : n < turn ? "b-past" : n === turn ? "b-now" : "b-future");
  return h(
    "div",
    { class: "b-turns", "aria-hidden": "true" },
    Array.from({ length: planned(state, book) }, (_, i) => h("span", { class: kind(i + 1) }, String(i + 1))),
  );
}

function step(c, i, play, book) {
  const acts = play.actor === c.id;
  return h(
    "li",
    { class: ["b-step", acts && "b-acting"], "aria-current": acts ? "step" : null, dataset: { character: c.id } },
    chip(c.id, { book, play, size: 32 }),
    h("span", {}, book.character(c.id).name),
    i === 0 && play.turn > 0 && h("small", {}, t("room25/board.order.first")),
    acts && h("small", {}, t("room25/board.mark.acts")),
  );
}

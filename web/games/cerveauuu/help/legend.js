/** What the signs of the drawing mean, what happens in each phase, and all cards. */

import { h } from "../../../dom.js";
import { cardFace } from "../board/card-face.js";
import { chip } from "../board/figures.js";
import { PHASES, WINDOWS, typeText } from "../words/chapters.js";
import { t } from "../../../words.js";

/** @import { TownBook } from "../words/book.js" */

/**
 * The help, folded up.
 *
 * @param {TownBook} book
 * @returns {HTMLElement}
 */
export function legend(book) {
  return h("div", { class: "cv-help" }, signs(book), phases(), windows(book), cards(book));
}

function signs(book) {
  const colours = Object.fromEntries(book.json.characters.map(({ id }, i) => [i + 1, id]));
  const zombie = (state, key) => [chip({ id: "z", cell: "", controller: 1, ...state }, { colours }, 26), t(`cerveauuu/board.legend.${key}`)];
  const rows = [
    [chip({ id: "h", cell: "" }, { colours }, 26), t("cerveauuu/board.legend.human")],
    ...book.json.characters.map((each, i) => [chip({ id: "z", cell: "", controller: i + 1 }, { colours }, 26), t("cerveauuu/board.legend.zombie", { colour: each.name })]),
    zombie({ activated: true }, "spent"),
    zombie({ activated: true, attacked: true }, "attacked"),
    zombie({ blocked: true }, "blocked"),
    zombie({ doomed: true }, "doomed"),
    zombie({ protections: ["any"] }, "protected"),
    zombie({ must_leave: true }, "must_leave"),
  ];
  return folded(
    "signs",
    h("p", {}, t("cerveauuu/board.legend.hover")),
    h("p", {}, t("cerveauuu/about.piece.human")),
    h("p", {}, t("cerveauuu/about.piece.zombie")),
    h("ul", { class: "cv-signs" }, rows.map(([drawing, text]) => h("li", {}, drawing, h("span", {}, text)))),
  );
}

function phases() {
  return folded("phases", h("dl", {}, PHASES.map((phase) => [h("dt", {}, t(`cerveauuu/board.help.${phase}`)), h("dd", {}, t(`cerveauuu/board.help.${phase}_text`))])));
}

function windows(book) {
  return folded("windows", h("dl", {}, WINDOWS.map((kind) => [h("dt", {}, book.word(`window.${kind}`)), h("dd", {}, t(`cerveauuu/about.window.${kind}`))])));
}

function cards(book) {
  const byType = Map.groupBy(book.json.cards, (card) => card.type);
  return folded(
    "cards",
    [...byType].map(([type, list]) =>
      h(
        "details",
        {},
        h("summary", {}, `${book.word(`card_type.${type}`)} (${list.length})`),
        h("p", {}, typeText(type)),
        h("ul", { class: "cv-card-list" }, list.map((card) => h("li", { class: `cv-card cv-type-${type}` }, cardFace(card.id, book)))),
      ),
    ),
  );
}

function folded(name, ...content) {
  return h("details", { class: "cv-legend" }, h("summary", {}, t(`cerveauuu/board.legend.${name}`)), content);
}

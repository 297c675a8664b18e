/** What a room, a figure, a robot, a line or an action is and does, in a few words, wherever it is met. */

import { h, present, s } from "../../../dom.js";
import { chip } from "../board/chip.js";
import { squareParts } from "../board/labels.js";
import { drawRobot } from "../board/figure.js";
import { LINES, TILE } from "../board/geometry.js";
import { pictogram } from "../board/pictograms.js";
import { figureMarks, squares } from "../board/scene.js";
import { drawTile } from "../board/tile.js";
import { listing, t } from "../../../words.js";

/** The side of a drawing, in pixels. */
const LARGE = 132;
const ACTION = "action:";

/** @type {import("../../contract.js").GameHelp["about"]} */
export function about(state, target, { book, names }) {
  const play = state.play;
  if (target.startsWith(ACTION)) {
    return action(target.slice(ACTION.length), book);
  }
  if (target.startsWith("robot")) {
    return robot(target.slice("robot".length), book);
  }
  if (LINES.has(target.split(":")[0])) {
    return line(target, book);
  }
  if (play?.characters?.[target]) {
    return figure(play.characters[target], play, { book, names });
  }
  const square = squares(state, book).find(({ cell }) => cell === target);
  return square ? room(square, play, book) : null;
}

/** Something in a window: its drawing, and beside it what there is to say. */
function told(title, drawing, ...content) {
  return { title, content: [h("div", { class: "b-about" }, drawing, h("div", {}, ...content))] };
}

function room(square, play, book) {
  const kind = square.kind === null ? null : book.room(square.kind);
  const drawing = s("svg", { class: "b-about-room", viewBox: `-3 -3 ${TILE + 6} ${TILE + 6}`, width: LARGE, height: LARGE, "aria-hidden": "true" }, drawTile({ ...square, figures: [], robots: [], claims: [], looked: [], reminders: [] }, book, TILE / LARGE));
  const [, ...here] = squareParts(square, play, book);
  const name = kind?.name ?? t("room25/board.face.hidden");
  return told(
    t("room25/board.place", { cell: book.cell(square.cell), room: name }),
    drawing,
    h("p", {}, kind?.effect ?? t("room25/about.hidden")),
    kind && count(kind, play, book),
    here.length > 0 && h("ul", {}, here.map((text) => h("li", {}, text))),
  );
}

/** How many rooms of its kind there are, and how many of them are known. */
function count(kind, play, book) {
  const all = play.composition?.[kind.id] ?? 0;
  const known = Object.values(play.grid).filter((tile) => tile.kind === kind.id).length;
  return all > 0 && h("p", { class: "b-about-count" }, t("room25/board.room_count", { color: book.color(kind.color), known: Math.min(all, known), count: all }));
}

function figure(c, play, { book, names }) {
  const character = book.character(c.id);
  const marks = figureMarks(play, c).map(([mark, params]) => t(`room25/board.mark.${mark}`, params));
  const abilities = c.tokens?.includes("special") ? character.abilities : [];
  return told(
    character.name,
    chip(c.id, { book, play, size: LARGE / 2 }),
    h("p", {}, present([character.type, names.player(c.seat)]).join(", ")),
    marks.length > 0 && h("p", {}, listing(marks)),
    abilities.length > 0 && h("dl", {}, abilities.map(({ name, effect }) => [h("dt", {}, name), h("dd", {}, effect)])),
  );
}

function robot(number, book) {
  const drawing = s("svg", { viewBox: "-14 -16 28 28", width: LARGE / 2, height: LARGE / 2, "aria-hidden": "true" }, drawRobot(number, 0));
  return told(t("room25/board.robot", { number }), drawing, book.has("rooms", "robot") && h("p", {}, book.room("robot").effect));
}

function line(target, book) {
  const [id, way] = target.split(":");
  return told(book.lineWay(id, way), pictogram("action", "control", { size: LARGE / 2 }), h("p", {}, book.action("control").about));
}

function action(token, book) {
  const { name, about: text } = book.action(token);
  return told(name, pictogram("action", token, { size: LARGE / 2 }), h("p", {}, text));
}

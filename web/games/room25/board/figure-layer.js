/** The layer of those who stand on the tiles: one group for each character and robot, moved and never made anew. */

import { s } from "../../../dom.js";
import { drawFigure, drawRobot, standing } from "./figure.js";
import { figureText } from "./labels.js";
import { figureMarks } from "./scene.js";
import { patchElement } from "../../../patch.js";
import { seatOf } from "../../../viewer.js";
import { t } from "../../../words.js";

/** @import { ComplexBook } from "../words/book.js" */
/** @import { Square } from "./scene.js" */

/** All figures of a board. */
export class FigureLayer {
  #groups = new Map();

  /** @param {ComplexBook} book */
  constructor(book) {
    this.book = book;
    this.element = s("g", { class: "b-figures" });
  }

  /**
   * Put everybody where they stand.
   *
   * @param {Object} state a table's state.
   * @param {Square[]} drawn its squares.
   * @param {{choices: Map, ring: Set<string>, unit: number, viewer?: string}} now
   */
  update(state, drawn, { choices, ring, unit, viewer }) {
    const present = new Set();
    for (const square of drawn) {
      const places = standing(square.cell, square.figures.length + square.robots.length);
      const names = [...square.figures, ...square.robots.map((number) => `robot${number}`)];
      names.forEach((name, i) => {
        present.add(name);
        const kept = this.#groups.get(name) ?? this.#make(name);
        this.#draw(kept, name, state.play, unit / places[i].scale);
        this.#move(kept, places[i], square.cell);
        this.#mark(kept, name, {
          play: state.play,
          entries: choices.get(name),
          behind: choices.has(square.cell),
          changed: ring.has(name),
          mine: seatOf(viewer),
        });
      });
    }
    this.#remove(present);
  }

  /** Where a figure stands; null: it is not on the board. */
  placeOf(name) {
    return this.#groups.get(name)?.place ?? null;
  }

  /** The groups of those who stand on a cell. */
  standing(cell) {
    return [...this.#groups.values()].filter((kept) => kept.cell === cell).map(({ group }) => group);
  }

  /** Mark those whom a list points at. */
  point(names) {
    this.#groups.forEach(({ group }, name) => group.classList.toggle("b-pointed", names.has(name)));
  }

  #make(name) {
    const robot = name.startsWith("robot") ? name.slice("robot".length) : null;
    const group = s("g", { class: "b-figure", dataset: { ...(robot ? { robot } : { figure: name }), about: name } }, s("title"));
    this.element.append(group);
    const kept = { group, cell: null, place: null, drawn: "", robot };
    this.#groups.set(name, kept);
    return kept;
  }

  #draw(kept, name, play, pixel) {
    const marks = kept.robot ? [] : figureMarks(play, play.characters[name]).map(([mark]) => mark);
    const signature = `${kept.robot ? pixel : ""} ${marks.join(" ")}`;
    if (signature !== kept.drawn) {
      const body = kept.robot
        ? drawRobot(kept.robot, pixel)
        : drawFigure({ id: name, shape: this.book.character(name).shape, marks });
      const before = kept.group.querySelector(".b-figure-body, .b-robot-body");
      before === null ? kept.group.append(body) : patchElement(before, body);
      kept.drawn = signature;
    }
  }

  #move(kept, { x, y, scale }, cell) {
    kept.group.style.setProperty("transform", `translate(${x}px, ${y}px) scale(${scale})`);
    Object.assign(kept, { cell, place: { x, y, scale } });
  }

  #mark({ group, robot }, name, { play, entries, behind, changed, mine }) {
    const text = robot ? t("room25/board.robot", { number: robot }) : figureText(play, this.book, name);
    group.querySelector("title").textContent = text;
    group.classList.toggle("b-acts", !robot && play.actor === name);
    group.classList.toggle("b-mine", !robot && mine !== null && play.characters[name].seat === mine);
    group.classList.toggle("b-changed", changed);
    group.classList.toggle("b-choosable", entries !== undefined);
    // Where its room can be chosen, a pointer means the room.
    group.classList.toggle("b-through", entries === undefined && behind);
    if (entries) {
      group.setAttribute("tabindex", "0");
      group.setAttribute("role", "button");
      group.setAttribute("aria-label", t("board.choose", { text }));
      group.removeAttribute("aria-hidden");
    } else {
      group.removeAttribute("tabindex");
      group.removeAttribute("role");
      group.removeAttribute("aria-label");
      // Its tile tells who stands there.
      group.setAttribute("aria-hidden", "true");
    }
  }

  #remove(present) {
    for (const [name, kept] of this.#groups) {
      if (!present.has(name)) {
        kept.group.remove();
        this.#groups.delete(name);
      }
    }
  }
}

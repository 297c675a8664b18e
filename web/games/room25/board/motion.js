/** How the complex moves: hatches open, figures walk and are pushed, lines slide and come round, actions are turned up, the dead freeze. */

import { s } from "../../../dom.js";
import { SIDE } from "../fold/grid.js";
import { EXTENT, GAP, MARGIN, TILE, lineOf, place } from "./geometry.js";
import { pictogram } from "./pictograms.js";
import { drawBack } from "./tile.js";

/** @import { Effect, Movement } from "../../../watch/effect-queue.js" */

const REACH = TILE + GAP;
const WAYS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };
/** How far a push goes beyond its aim, and falls back from. */
const RECOIL = 0.14;

/** @typedef {{x: number, y: number, scale: number}} Spot the drawing's units, of a tile its corner, of a figure its middle. */

/** @type {import("../../contract.js").GameMotion} */
export const MOTION = {
  look: (board) => new Map(all(board).map((node) => [node, spotOf(node)])),
  effects: (events, before, board) => new Motion(before, board).of(events),
};

const all = (board) => [...board.querySelectorAll(".b-tiles > .b-tile, .b-figures > .b-figure")];

/** @returns {Spot} */
function spotOf(node) {
  const [x = 0, y = 0, scale = 1] = (node.style.transform.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
  return { x, y, scale };
}

const css = ({ x, y, scale }) => `translate(${x}px, ${y}px) scale(${scale})`;

/** The cell that a spot is in. */
function cellAt({ x, y }) {
  const at = (units) => Math.floor((units - MARGIN) / REACH);
  return `r${at(y)}c${at(x)}`;
}

class Motion {
  /** @type {Effect[]} */
  #effects = [];
  /** Stand-ins for figures that are not on the board any more. @type {Map<Element, Element>} */
  #standIns = new Map();
  /** The last movement of each node. @type {Map<Element, Movement>} */
  last = new Map();

  /** @param {Map<SVGElement, Spot>} before @param {Element} board */
  constructor(before, board) {
    this.before = before;
    this.board = board;
    this.layer = board.querySelector(".b-effects") ?? board;
    /** Where each node has got to so far. */
    this.at = new Map(before);
  }

  /** @param {any[]} events @returns {Effect[]} */
  of(events) {
    doorsFirst(events).forEach((event) => HANDLERS[event.type]?.call(this, event));
    this.#settle();
    return this.#effects;
  }

  /** @param {string} name @param {number} ms @param {string|null} sound @param {Movement[]} movements */
  add(name, ms, sound, movements) {
    if (movements.length > 0) {
      this.#effects.push({ name, ms, sound, movements });
    }
  }

  /** Where a node of the drawing has got to. @returns {Spot} */
  spot(node) {
    return this.at.get(node) ?? spotOf(node);
  }

  tile(cell) {
    return [...this.at.keys()].find((node) => node.classList.contains("b-tile") && cellAt(this.spot(node)) === cell) ?? null;
  }

  figure(id) {
    const node = [...this.before.keys()].find((each) => each.dataset.figure === id);
    return node === undefined ? null : this.#present(node);
  }

  /** All that is on a cell: its tile, and who stands there. */
  on(cell) {
    return [...this.at.keys()].filter((node) => cellAt(this.spot(node)) === cell).map((node) => this.#present(node));
  }

  /** @returns {Movement} */
  go(node, to, over = 0) {
    const from = this.spot(node);
    const frames = [{ transform: css(from) }, ...(over === 0 ? [] : [{ transform: css(between(from, to, 1 + over)), offset: 0.6 }]), { transform: css(to) }];
    const movement = { node, frames };
    this.at.set(node, to);
    this.last.set(node, movement);
    return movement;
  }

  /** Somebody who is not on the board any more is there until the last has been told. */
  #present(node) {
    if (node.isConnected) {
      return node;
    }
    const known = this.#standIns.get(node);
    if (known !== undefined) {
      return known;
    }
    const made = /** @type {SVGElement} */ (node.cloneNode(true));
    made.setAttribute("class", "b-stand-in");
    for (const name of ["data-figure", "data-robot", "data-about", "tabindex", "role", "aria-label"]) {
      made.removeAttribute(name);
    }
    made.setAttribute("aria-hidden", "true");
    this.layer.append(made);
    this.#standIns.set(node, made);
    this.at.set(made, this.spot(node));
    this.at.delete(node);
    return made;
  }

  /** Whatever has ended elsewhere than it was told goes there with the last that was told. */
  #settle() {
    for (const made of this.#standIns.values()) {
      const last = this.last.get(made);
      last ? (last.temporary = true) : made.remove();
    }
    const moved = [...this.at].filter(([node]) => node.isConnected && !node.classList.contains("b-stand-in"));
    const elsewhere = moved.filter(([node, spot]) => css(spot) !== css(spotOf(node)));
    const added = [];
    for (const [node, spot] of elsewhere) {
      const last = this.last.get(node);
      if (last) {
        last.frames[last.frames.length - 1] = { ...last.frames.at(-1), transform: css(spotOf(node)) };
      } else {
        added.push({ node, frames: [{ transform: css(spot) }, { transform: css(spotOf(node)) }] });
      }
    }
    const final = this.#effects.at(-1);
    if (final) {
      final.movements.push(...added);
    } else {
      this.add("settle", 300, null, added);
    }
  }

  /** One cell on, as a part of its line: what leaves on one side comes in on the other. @returns {Movement[]} */
  slid(node, dx, dy) {
    const { x, y, scale } = this.spot(node);
    const on = { x: x + dx * REACH, y: y + dy * REACH, scale };
    const round = { x: wrapped(on.x), y: wrapped(on.y), scale };
    if (css(on) === css(round)) {
      return [this.go(node, on)];
    }
    const leaving = /** @type {Element} */ (node.cloneNode(false));
    leaving.replaceChildren(...[...node.querySelectorAll(":scope > .b-face, :scope > .b-figure-body, :scope > .b-robot-body")].map((part) => part.cloneNode(true)));
    leaving.setAttribute("class", "b-passing");
    [...leaving.attributes].filter(({ name }) => /^(data-|tabindex|role|aria-)/.test(name)).forEach(({ name }) => leaving.removeAttribute(name));
    leaving.setAttribute("aria-hidden", "true");
    this.layer.append(leaving);
    this.at.set(node, { x: round.x - dx * REACH, y: round.y - dy * REACH, scale });
    const coming = this.go(node, round);
    coming.frames[0] = { ...coming.frames[0], opacity: 0 };
    coming.frames[1] = { ...coming.frames[1], opacity: 1 };
    return [{ node: leaving, temporary: true, frames: [{ transform: css({ x, y, scale }), opacity: 1 }, { transform: css(on), opacity: 0 }] }, coming];
  }

  /** A hatch over a tile that slides open. @returns {Movement} */
  hatch(tile) {
    const node = s("g", { class: "b-cover", "aria-hidden": "true" }, drawBack());
    tile.querySelector(".b-choice").before(node);
    return { node, frames: [{ transform: "scaleX(1)" }, { transform: "scaleX(0.02)" }], temporary: true };
  }
}

/** A coordinate that has left the complex, as it comes back. */
function wrapped(units) {
  const span = SIDE * REACH;
  return units < MARGIN - GAP ? units + span : units > EXTENT - MARGIN ? units - span : units;
}

/** A spot on the way from one to another, or beyond. @returns {Spot} */
function between(from, to, part) {
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part, scale: to.scale };
}

/** The door of a room is open before anybody is seen to walk in. */
function doorsFirst(events) {
  const sorted = [...events];
  sorted.forEach((event, i) => {
    const door = sorted.findIndex((other, j) => j > i && other.type === "room-revealed" && other.cell === event.cell);
    if (event.type === "character-moved" && door > 0) {
      sorted.splice(i, 0, ...sorted.splice(door, 1));
    }
  });
  return sorted;
}

/** @type {Object<string, (this: Motion, event: any) => void>} */
const HANDLERS = {
  "room-peeked"({ cell }) {
    const tile = this.tile(cell);
    const wheel = tile?.querySelector(".b-face-hidden .b-hatch");
    if (tile?.querySelector(".b-face-known")) {
      this.add("look", 500, "hatch", [this.hatch(tile)]);
    } else if (wheel) {
      this.add("look", 500, "hatch", [{ node: wheel, frames: [{ transform: "rotate(0deg) scale(1)" }, { transform: "rotate(120deg) scale(0.82)", offset: 0.5 }, { transform: "rotate(0deg) scale(1)" }] }]);
    }
  },

  "room-revealed"({ cell }) {
    const tile = this.tile(cell);
    this.add("open", 420, "hatch", tile ? [this.hatch(tile)] : []);
  },

  "character-moved"({ character, cell, cause }) {
    const node = this.figure(character);
    if (node === null || cellAt(this.spot(node)) === cell) {
      return;
    }
    const { row, column } = place(cell);
    const to = { x: MARGIN + column * REACH + TILE / 2, y: MARGIN + row * REACH + TILE * 0.67, scale: this.spot(node).scale };
    const pushed = cause === "push";
    this.add(pushed ? "push" : "walk", pushed ? 520 : 450, pushed ? "push" : "step", [this.go(node, to, pushed ? RECOIL : 0)]);
  },

  "line-shifted"({ line, way }) {
    const { cells } = lineOf(line);
    const [dx, dy] = WAYS[way];
    const nodes = cells.flatMap((cell) => this.on(cell));
    const movements = nodes.flatMap((node) => this.slid(node, dx, dy));
    this.add("slide", 600, "slide", movements);
  },

  "tiles-swapped"({ first, second }) {
    const [one, other] = [this.on(first), this.on(second)];
    const [a, b] = [place(first), place(second)];
    const step = (node, sign) => {
      const { x, y, scale } = this.spot(node);
      return this.go(node, { x: x + sign * REACH * (b.column - a.column), y: y + sign * REACH * (b.row - a.row), scale });
    };
    this.add("swap", 520, "slide", [...one.map((node) => step(node, 1)), ...other.map((node) => step(node, -1))]);
  },

  "action-revealed"({ character, token }) {
    const figure = this.figure(character);
    if (figure === null || !token) {
      return;
    }
    const { x, y, scale } = this.spot(figure);
    const card = s("g", { class: "b-turned" }, s("rect", { x: -17, y: -20, width: 34, height: 40, rx: 4 }), pictogram("action", token, { x: -13, y: -13, size: 26 }));
    const up = Math.max(24, y - 14 * scale - 12);
    const at = (part) => `translate(${x}px, ${up}px) scale(${part}, 1)`;
    this.layer.append(card);
    this.add("flip", 480, "flip", [
      { node: card, temporary: true, frames: [{ transform: at(0.04), opacity: 0 }, { transform: at(1), opacity: 1, offset: 0.4 }, { transform: at(1), opacity: 1 }] },
    ]);
  },

  "character-eliminated"({ character }) {
    const node = this.figure(character);
    if (node === null) {
      return;
    }
    const frozen = /** @type {SVGElement} */ (node.cloneNode(true));
    frozen.setAttribute("class", "b-frozen");
    frozen.removeAttribute("data-figure");
    frozen.style.transform = css(this.spot(node));
    this.layer.append(frozen);
    const gone = { node, frames: [{ opacity: 1 }, { opacity: 0, offset: 0.2 }, { opacity: 0 }].map((frame) => ({ ...frame, transform: css(this.spot(node)) })) };
    this.last.set(node, gone);
    this.add("death", 700, "death", [gone, { node: frozen, temporary: true, frames: [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }] }]);
  },

  "alarm-raised"() {
    const glow = this.board.querySelector(".b-signal-glow");
    const [dim, bright] = [{ transform: "scale(1)", opacity: 0.3 }, { transform: "scale(2.2)", opacity: 0.9 }];
    this.add("alarm", 600, "alarm", glow ? [{ node: glow, frames: [dim, bright, dim, bright, dim] }] : []);
  },
};

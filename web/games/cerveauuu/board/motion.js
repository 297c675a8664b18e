/** How the town moves: pieces walk along their ways, cards turn up, fighters rush at one another, and who is eaten goes red. */

import { s } from "../../../dom.js";

/** @import { Effect, Movement } from "../../../watch/effect-queue.js" */

/** A step of a way, and a whole way at most. */
const STEP_MS = 130;
const LEAST_MS = 320;
const MOST_MS = 700;

/** @type {import("../../contract.js").GameMotion} */
export const MOTION = {
  look: (board) => new Map(/** @type {SVGElement[]} */ ([...board.querySelectorAll(".cv-piece")]).map((node) => [node, node.style.transform])),
  effects: (events, before, board) => new Motion(before, board).of(events),
};

class Motion {
  /** @type {Effect[]} */
  #effects = [];
  /** @type {Map<Element, Movement>} */
  #last = new Map();
  #standIns = new Map();

  /** @param {Map<SVGGElement, string>} before @param {Element} board */
  constructor(before, board) {
    this.board = board;
    this.layer = board.querySelector(".cv-layer-pieces") ?? board;
    this.at = new Map(before);
    this.gone = new Map([...before.keys()].filter((node) => !node.isConnected).map((node) => [node.dataset.piece, node]));
  }

  /** @param {any[]} events @returns {Effect[]} */
  of(events) {
    events.forEach((event) => HANDLERS[event.type]?.call(this, event));
    this.#settle();
    return this.#effects;
  }

  /** @param {string} name @param {number} ms @param {string|null} sound @param {Movement[]} movements */
  add(name, ms, sound, movements) {
    if (movements.length > 0) {
      this.#effects.push({ name, ms, sound, movements });
    }
  }

  /** The node of a piece; of one that is not there any more, one that stands in for it until all is told. */
  piece(id) {
    const node = [...this.at.keys()].find((each) => each.isConnected && each.dataset.piece === id);
    return node ?? this.#standIns.get(id) ?? this.#standIn(id);
  }

  #standIn(id) {
    const gone = this.gone.get(id);
    if (gone === undefined) {
      return null;
    }
    const made = /** @type {SVGGElement} */ (gone.cloneNode(true));
    made.setAttribute("class", "cv-gone");
    made.removeAttribute("data-piece");
    this.layer.append(made);
    this.#standIns.set(id, made);
    this.at.set(made, this.at.get(gone) ?? "");
    return made;
  }

  middle(cell) {
    const grid = /** @type {SVGElement|null} */ (this.board.querySelector(`[data-cell="${cell}"]`));
    const of = (name) => Number(grid?.getAttribute(name) ?? 0);
    return `translate(${of("x") + of("width") / 2}px, ${of("y") + of("height") / 2}px)`;
  }

  /** @returns {Movement[]} along a way of cells. */
  walk(id, path) {
    const node = this.piece(id);
    if (node === null || path.length === 0) {
      return [];
    }
    const frames = [this.at.get(node) ?? "", ...path.map((cell) => this.middle(cell))].map((transform) => ({ transform }));
    this.at.set(node, String(frames.at(-1)?.transform));
    const movement = { node, frames };
    this.#last.set(node, movement);
    return [movement];
  }

  /** Towards another, and back. @returns {Movement[]} */
  rush(id, other) {
    const [node, aim] = [this.piece(id), this.piece(other)];
    if (node === null || aim === null) {
      return [];
    }
    const [from, to] = [this.at.get(node) ?? "", this.at.get(aim) ?? ""];
    const [[x, y], [u, v]] = [from, to].map((transform) => (transform.match(/-?[\d.]+/g) ?? ["0", "0"]).map(Number));
    const near = `translate(${x + (u - x) * 0.55}px, ${y + (v - y) * 0.55}px)`;
    return [{ node, frames: [from, near, from, near, from].map((transform) => ({ transform })) }];
  }

  /** It goes, where it stands. @returns {Movement[]} */
  fade(id) {
    const node = this.piece(id);
    if (node === null || node.isConnected === false || !node.classList.contains("cv-gone")) {
      return [];
    }
    const transform = this.at.get(node);
    return [{ node, temporary: true, frames: [{ transform, opacity: 1 }, { transform, opacity: 1, offset: 0.6 }, { transform, opacity: 0 }] }];
  }

  /** Whatever has ended elsewhere than it was told walks there. */
  #settle() {
    const walked = [];
    for (const [node, transform] of this.at) {
      if (!node.isConnected || node.classList.contains("cv-gone") || transform === node.style.transform) {
        continue;
      }
      const last = this.#last.get(node);
      if (last) {
        last.frames[last.frames.length - 1] = { transform: node.style.transform };
      } else {
        walked.push({ node, frames: [{ transform }, { transform: node.style.transform }] });
      }
    }
    this.add("walk", LEAST_MS, walked.length > 0 ? "step" : null, walked);
  }
}

const walkMs = (paths) => Math.min(MOST_MS, Math.max(LEAST_MS, STEP_MS * Math.max(0, ...paths.map((path) => path.length))));

/** @type {Object<string, (this: Motion, event: any) => void>} */
const HANDLERS = {
  /** A new round is a new reel: its leader counts. */
  "round-began"({ round }) {
    const { width, height } = /** @type {SVGSVGElement} */ (this.board).viewBox.baseVal;
    const [x, y] = [width / 2, height / 2];
    const leader = s(
      "g",
      { class: "cv-leader", "aria-hidden": "true" },
      s("rect", { x: x - 70, y: y - 56, width: 140, height: 112 }),
      s("circle", { cx: x, cy: y, r: 46 }),
      s("circle", { cx: x, cy: y, r: 39 }),
      s("path", { d: `M${x - 70} ${y}h140M${x} ${y - 56}v112` }),
      s("text", { x, y: y + 21, "text-anchor": "middle" }, String(round)),
    );
    this.layer.append(leader);
    this.add("reel", 700, "flip", [{ node: leader, temporary: true, frames: [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }] }]);
  },

  "human-wandered"({ human, path }) {
    this.add("walk", walkMs([path]), "step", this.walk(human, path));
  },

  "batch-judged"({ paths }) {
    const all = Object.entries(paths);
    this.add("walk", walkMs(all.map(([, path]) => path)), "step", all.flatMap(([id, path]) => this.walk(id, path)));
  },

  "piece-moved"({ piece, path }) {
    this.add("walk", walkMs([path]), "step", this.walk(piece, path));
  },

  "attack-began"({ principal, target }) {
    this.add("fight", 520, "fight", this.rush(principal, target));
  },

  "human-eaten"({ human }) {
    this.add("death", 700, "groan", this.fade(human));
  },

  "piece-lost"({ piece }) {
    this.add("death", 700, "death", this.fade(piece));
  },

  "card-played"() {
    const { width, height, y } = /** @type {SVGSVGElement} */ (this.board).viewBox.baseVal;
    const card = s("g", { class: "cv-turned", "aria-hidden": "true" }, s("rect", { x: -26, y: -36, width: 52, height: 72, rx: 4 }), s("path", { d: "M-14-18h28M-14-8h28M-14 2h18" }));
    const at = (part) => `translate(${width / 2}px, ${y + height / 2}px) scale(${part}, 1)`;
    this.layer.append(card);
    this.add("card", 560, "flip", [
      { node: card, temporary: true, frames: [{ transform: at(0.04), opacity: 0 }, { transform: at(1), opacity: 1, offset: 0.35 }, { transform: at(1), opacity: 1, offset: 0.8 }, { transform: at(1), opacity: 0 }] },
    ]);
  },
};

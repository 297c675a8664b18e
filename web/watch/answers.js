/** Answers that no place of the board stands for, as buttons on it all the same: near whom they are asked, or near what has been chosen so far. */

import { focusOn, h } from "../dom.js";
import { patch } from "../patch.js";
import { focusedIn } from "../play/focus.js";

/** @import { Answer, AnswerOption, Spot } from "../games/contract.js" */

/** How far answers stand from what they are near, in pixels. */
const APART = 4;
/** So many stand in one row; more are as many rows as columns, or nearly. */
const ROW = 3;
/** Where nothing beside its spot is free, the board is looked over for each group by so many parts of its own size. */
const PARTS = 3;
/** To cover anything is as bad as to stand so many pixels farther away: what is covered cannot be pressed, or nobody sees that somebody is there. */
const AVERSION = 1000;

const usual = (count) => (count > ROW ? Math.ceil(Math.sqrt(count)) : count);
/** The shapes that answers take until one of them has a free place. */
const SHAPES = [
  { small: false, columnsOf: usual },
  { small: true, columnsOf: usual },
  { small: true, columnsOf: () => 1 },
  { small: true, columnsOf: (count) => count },
];

/** The answers over a board. */
export class Answers {
  #answers = /** @type {Answer[]} */ ([]);

  /** @param {import("../games/contract.js").Board} board that they lie over. */
  constructor(board) {
    this.board = board;
    this.element = h("div", { class: "answers" });
    // A pointer takes no focus, so that the keys of the page go on working.
    this.element.addEventListener("mousedown", (event) => event.preventDefault());
  }

  /** Show some answers, and no others any more. @param {Answer[]} answers */
  update(answers) {
    this.#answers = answers.filter((each) => this.board.spot(each) !== null);
    const focused = focusedIn(this.element);
    patch(this.element, this.#answers.map(group));
    this.place();
    if (focused !== null && focusedIn(this.element) === null) {
      // What is chosen goes; the keyboard stays with what is left to choose, or with the board.
      focusOn(this.element.querySelector("button") ?? this.board.element.querySelector('[tabindex="0"]'));
    }
  }

  /** Put everything where it belongs: the board may have another size. */
  place() {
    if (this.#answers.length === 0) {
      return; // as at every step of a replay: nothing need be measured
    }
    const frame = this.element.getBoundingClientRect();
    const taken = [...this.board.element.querySelectorAll(this.board.spared)].map((each) => within(each.getBoundingClientRect(), frame));
    this.#answers.forEach((answer, i) => {
      const spot = this.board.spot(answer);
      spot && taken.push(this.#put(this.element.children[i], this.#onScreen(spot, frame), { frame, taken }));
    });
  }

  /** A spot in pixels of the frame. @param {Spot} spot @param {DOMRect} frame */
  #onScreen({ left, right, top, bottom }, frame) {
    const matrix = /** @type {SVGSVGElement} */ (this.board.element).getScreenCTM() ?? undefined;
    const [a, b] = [new DOMPoint(left, top), new DOMPoint(right, bottom)].map((point) => point.matrixTransform(matrix));
    return within(new DOMRect(a.x, a.y, b.x - a.x, b.y - a.y), frame);
  }

  /** Below its spot or beside it; where that would cover it or what the board wants to be spared, where little is covered not far away. Where no place is free, they are made smaller. */
  #put(node, spot, { frame, taken }) {
    const covered = (place) => [spot, ...taken].reduce((sum, each) => sum + shared(place, each), 0);
    let [shape, least, found] = [SHAPES[0], Infinity, new DOMRect()];
    for (const next of SHAPES) {
      const place = placed(shaped(node, next), spot, frame, covered);
      const hidden = covered(place);
      [shape, least, found] = hidden < least ? [next, hidden, place] : [shape, least, found];
      if (hidden === 0) {
        break;
      }
    }
    shaped(node, shape);
    node.style.setProperty("left", `${found.x}px`);
    node.style.setProperty("top", `${found.y}px`);
    return found;
  }
}

/** Let a group have a shape, and give its box. */
function shaped(node, { small, columnsOf }) {
  const count = node.children.length;
  const columns = columnsOf(count);
  node.classList.toggle("answer-small", small);
  node.style.setProperty("--columns", String(columns));
  node.style.setProperty("--rest", String(columns - ((count - 1) % columns)));
  return node.getBoundingClientRect();
}

/** Where a box of this size stands: beside its spot where that covers nothing, or where it covers little. */
function placed({ width, height }, spot, frame, covered) {
  const [across, down] = [(spot.left + spot.right - width) / 2, (spot.top + spot.bottom - height) / 2];
  const beside = [
    [across, spot.bottom + APART],
    [across, spot.top - APART - height],
    [spot.right + APART, down],
    [spot.left - APART - width, down],
  ].map(([x, y]) => new DOMRect(kept(x, frame.width - width), kept(y, frame.height - height), width, height));
  return beside.find((each) => covered(each) === 0) ?? best(around(frame, width, height), spot, covered);
}

const kept = (at, most) => Math.max(0, Math.min(at, most));

/** The nearest place to a spot that covers nothing; where there is none, one that covers little: a pixel that is covered is as bad as one farther away. */
function best(places, spot, covered) {
  const near = places.map((place) => ({ place, far: between(place, spot) })).sort((one, other) => one.far - other.far);
  let [found, least] = [near[0].place, Infinity];
  for (const { place, far } of near) {
    if (far >= least) {
      break; // whatever comes now is worse by that alone
    }
    const hidden = covered(place);
    const cost = far + (hidden > 0 ? AVERSION + hidden : 0);
    [found, least] = cost < least ? [place, cost] : [found, least];
  }
  return found;
}

/** Boxes of a size all over a frame. */
function around(frame, width, height) {
  const [columns, rows] = [starts(frame.width, width), starts(frame.height, height)];
  return rows.flatMap((y) => columns.map((x) => new DOMRect(x, y, width, height)));
}

/** Where something of a length may begin; at the beginning even if it is too long. */
const starts = (most, length) => Array.from({ length: Math.max(1, Math.floor((PARTS * (most - length)) / length) + 1) }, (_, i) => (i * length) / PARTS);

/** How far the middles of two boxes are apart. */
const between = (one, other) => Math.hypot((one.left + one.right - other.left - other.right) / 2, (one.top + one.bottom - other.top - other.bottom) / 2);

/** A box on the screen as a frame has it. @param {DOMRect} box @param {DOMRect} frame */
const within = (box, frame) => new DOMRect(box.x - frame.x, box.y - frame.y, box.width, box.height);

/** How much two boxes have in common. @param {DOMRect} one @param {DOMRect} other */
function shared(one, other) {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, across) * Math.max(0, down);
}

/** @param {Answer} answer */
function group({ decision, title, options }) {
  return h(
    "div",
    { class: "answer-group", role: "group", "aria-label": title, dataset: { key: decision.id } },
    options.map((option) => button(decision, option)),
  );
}

/** @param {any} decision @param {AnswerOption} option */
function button(decision, { id, text, face, sign, choose }) {
  const brief = sign !== null && { "aria-label": text, title: text };
  return h(
    "button",
    { type: "button", id: `answer-${decision.id}-${id}`, class: "answer", dataset: { key: id, answer: decision.kind }, onclick: () => choose(), ...brief },
    sign ?? face ?? h("span", {}, text),
  );
}

/** Draws a tile, seen from above: floor, light, walls and doors, the drawing of its room, name and sign of its colour, seal, lock, corridor, and the small tokens on it. */

import { s } from "../../../dom.js";
import { drawBase } from "./bust.js";
import { TILE } from "./geometry.js";
import { READABLE, wrapName } from "./lettering.js";
import { hasRoom, pictogram } from "./pictograms.js";
import { heroOf } from "./scenery.js";

/** @import { ComplexBook } from "../words/book.js" */
/** @import { Square } from "./scene.js" */

/** Above this many figures a tile gives them the room of its pictogram and a line of its name. */
export const CROWD = 6;

/** The shape of each colour class, so that nobody needs to tell the colours apart; 14 by 14 round its middle. */
const SHAPES = {
  green: () => s("circle", { r: 6.2 }),
  yellow: () => s("path", { d: "M0-7L7 5.6H-7z" }),
  red: () => s("path", { d: "M-2.9-7h5.8L7-2.9v5.8L2.9 7h-5.8L-7 2.9v-5.8z" }),
  blue: () => s("path", { d: "M0-7.4L7.4 0 0 7.4-7.4 0z" }),
};

/**
 * The sign of a colour class.
 *
 * @param {string} color a class.
 * @param {number} x middle.
 * @param {number} y middle.
 * @param {number} scale 1 is 14 units across.
 */
export function colorShape(color, x, y, scale = 1) {
  return s("g", { class: `b-shape b-${color}`, transform: `translate(${x} ${y}) scale(${scale})` }, SHAPES[color]());
}

/**
 * What is drawn on a square, its top left corner at 0, 0; figures stand above it, in a layer of their own.
 *
 * @param {Square} square see `scene.js`.
 * @param {ComplexBook} book
 * @param {number} unit how many of the drawing's units are a pixel of the screen.
 * @returns {SVGElement}
 */
export function drawTile(square, book, unit) {
  const face =
    square.face === "hidden" ? drawBack() : square.face === "known" ? knownFace(square, book, unit) : upFace(square, book, unit);
  return s("g", { class: `b-face b-face-${square.face}` }, face, tokens(square, Math.max(1, unit)));
}

function upFace(square, book, unit) {
  const crowded = square.figures.length + square.robots.length > CROWD;
  const name = nameOf(square, book, { width: 92, crowded, unit });
  const lone = square.figures.length + square.robots.length === 0;
  return [
    s("rect", { class: `b-room b-${square.color}`, width: TILE, height: TILE, rx: 5 }),
    s("rect", { class: "b-pattern", width: TILE, height: TILE, rx: 5, fill: `url(#b-pattern-${square.color})` }),
    s("ellipse", { class: "b-light", cx: 50, cy: 64, rx: 49, ry: 40, fill: "url(#b-lamp)" }),
    !crowded && inside(square, { ...(square.axis ? NARROW : WIDE), lone }),
    square.axis && corridor(square.axis),
    s("path", { class: "b-wall", d: WALLS[square.axis ?? "open"] }),
    s("path", { class: `b-band b-${square.color}`, d: name.low ? BAND_LOW : BAND }),
    s("path", { class: "b-lintel", d: name.low ? "M0 18.5h100" : "M0 35.5h100" }),
    title(square, name),
    square.seal && seal(),
  ];
}

/** Walls seen from above; between them the doors, in a corridor those at its ends. */
const WALLS = {
  open: "M38 97.5H2.5V75M2.5 53V2.5H97.5V53M97.5 75V97.5H62",
  horizontal: "M2.5 53V2.5H97.5V53M97.5 75V97.5H2.5V75",
  vertical: "M38 97.5H2.5V2.5H97.5V97.5H62",
};

/** Where the drawing of a room lies: on all of its floor, or between the walls of a corridor. */
const WIDE = { x: 9.5, y: 37.5, scale: 0.9, sign: { x: 29, y: 42, size: 44 } };
const NARROW = { x: 25, y: 50, scale: 0.55, sign: { x: 36, y: 53, size: 28 } };
const ON_CARD = { x: 25, y: 39, scale: 0.55, sign: { x: 35, y: 38, size: 30 }, lone: true };

/** What one meets in a room: its large drawing, or its pictogram as long as that is not here. */
function inside({ kind, color }, { x, y, scale, sign, lone }) {
  const more = `b-${color} ${lone ? "b-plain" : "b-behind"}`;
  return heroOf(kind, { x, y, scale, class: more }) ?? (hasRoom(kind) && pictogram("room", kind, { ...sign, class: more }));
}

/** A face-down room that the viewer knows: the back shows round a card that lies on it. */
function knownFace(square, book, unit) {
  return [
    drawBack({ marked: false }),
    s("rect", { class: `b-room b-card b-${square.color}`, x: 8, y: 6, width: 84, height: 66, rx: 7 }),
    inside(square, ON_CARD),
    s("g", { transform: "translate(0 5)" }, title(square, nameOf(square, book, { width: 80, crowded: false, unit }))),
    square.seal && seal(),
  ];
}

/** The back of a tile: a steel hatch, bolted down. It is not empty, only unknown; `marked`: and it says so, where no card lies over the mark. */
export function drawBack({ marked = true } = {}) {
  return [
    s("rect", { class: "b-back", width: TILE, height: TILE, rx: 5 }),
    s("rect", { class: "b-back-hatch", x: 4, y: 4, width: TILE - 8, height: TILE - 8, rx: 4, fill: "url(#b-pattern-back)" }),
    s("rect", { class: "b-back-frame", x: 4, y: 4, width: TILE - 8, height: TILE - 8, rx: 4 }),
    s("path", { class: "b-bolts", d: BOLTS }),
    s(
      "g",
      { class: "b-hatch" },
      s("circle", { class: "b-lid", cx: 50, cy: 47, r: 33 }),
      s("path", { class: "b-lid-edge", d: "M30 24a31 31 0 0 1 40 0" }),
      s("path", { class: "b-spokes", d: "M50 17v60M24 32l52 30M76 32L24 62" }),
      s("circle", { class: "b-back-eye", cx: 50, cy: 47, r: 19 }),
    ),
    marked && s("text", { class: "b-back-mark", x: 50, y: 56.5, "text-anchor": "middle" }, "?"),
  ];
}

const BOLTS = [[11, 11], [89, 11], [11, 89], [89, 89]].map(([x, y]) => `M${x - 3} ${y}a3 3 0 1 0 6 0a3 3 0 1 0-6 0z`).join("");
const BAND = "M0 5a5 5 0 0 1 5-5h90a5 5 0 0 1 5 5v30.5H0z";
const BAND_LOW = "M0 5a5 5 0 0 1 5-5h90a5 5 0 0 1 5 5v13.5H0z";

/**
 * How the name of a room is written: beside the sign of its colour; where it has no room there, over the whole width with the sign below;
 * or not at all, and then the drawing says which room it is.
 */
function nameOf(square, book, { width, crowded, unit }) {
  const { name } = book.room(square.kind);
  const space = { lines: crowded ? 1 : 2, largest: crowded ? 12 : 15, smallest: READABLE * unit };
  const beside = wrapName(name, { ...space, width: width - 19 });
  const whole = beside === null ? wrapName(name, { ...space, width }) : null;
  return { width, lettering: beside ?? whole, shift: beside ? 9 : 0, low: crowded || (beside ?? whole) === null };
}

function title(square, { width, lettering, shift, low }) {
  const alone = lettering !== null && shift === 0;
  const sign = colorShape(square.color, (TILE - width) / 2 + 7, alone ? 46 : low ? 9.5 : 18, low ? 0.85 : 1);
  if (lettering === null) {
    return [sign];
  }
  const { lines, size } = lettering;
  const top = low ? 4 + 0.8 * size : lines.length === 1 ? 18 + 0.34 * size : 17.5 - 0.1 * size;
  return [
    sign,
    s(
      "text",
      { class: "b-name", "text-anchor": "middle", "font-size": size },
      lines.map((line, i) => s("tspan", { x: 50 + shift, y: top + i * (size + 0.5) }, line)),
    ),
  ];
}

function corridor(axis) {
  const [walls, openings] =
    axis === "vertical"
      ? ["M24 41v52M76 41v52", "M43 46l7-7 7 7M43 88l7 7 7-7"]
      : ["M14 43h72M14 91h72", "M13 60l-8 7 8 7M87 60l8 7-8 7"];
  return s("g", { class: "b-corridor" }, s("path", { d: walls }), s("path", { class: "b-open", d: openings }));
}

const SEALED = "M2 43L98 92M98 43L2 92";

/** Tapes across the room: nobody may enter any more. */
function seal() {
  return s(
    "g",
    { class: "b-seal" },
    s("path", { class: "b-tape", d: SEALED }),
    s("path", { class: "b-tape-marks", d: SEALED }),
    s("circle", { class: "b-seal-plate", cx: 87, cy: 87, r: 10 }),
    pictogram("sign", "seal", { x: 79, y: 79, size: 16 }),
  );
}

function tokens(square, grow) {
  return [
    square.lock &&
      s(
        "g",
        { class: "b-lock" },
        s("circle", { cx: 87, cy: square.seal ? 64 : 87, r: 11 }),
        pictogram("sign", "lock", { x: 79.5, y: square.seal ? 56.5 : 79.5, size: 15 }),
      ),
    square.reminders.map((seat, i) => reminder(seat, square, i, grow)),
    square.looked.length > 0 && lookers(square, grow),
    claims(square, grow),
  ];
}

function reminder(seat, square, i, grow) {
  const x = 98 - 7 * grow - i * Math.min(15 * grow, 78 / square.reminders.length);
  return s(
    "g",
    { class: "b-reminder", transform: `translate(${x} ${12 * grow}) scale(${grow})` },
    s("path", { d: "M-7-9H7V5L0 11-7 5z" }),
    s("text", { y: 3.6, "text-anchor": "middle" }, String(seat)),
  );
}

/** Seats by their numbers; where these have no room, how many there are, however little room there is. */
function seatsIn(seats, room) {
  const width = 10 * seats.length;
  return width <= room ? { text: seats.join(" "), width } : { text: `×${seats.length}`, width: Math.max(8, Math.min(20, room)) };
}

/** Who has looked behind the hatch, stencilled on it in their colour and shape; where there are too many, by their numbers. */
function lookers({ looked, stencils }, grow) {
  const step = 18 * grow;
  if (stencils.length === looked.length && step * looked.length <= 90) {
    const left = 50 - (step * (looked.length - 1)) / 2;
    return s("g", { class: "b-looked" }, stencils.map((each, i) => stencil(each, { x: left + step * i, y: 98 - 9.5 * grow, grow })));
  }
  const { text, width } = seatsIn(looked, 88 / grow - 24);
  return s(
    "g",
    { class: "b-looked", transform: `translate(6 93) scale(${grow})` },
    s("rect", { y: -16, width: 24 + width, height: 16, rx: 8 }),
    pictogram("sign", "eye", { x: 4, y: -14, size: 12 }),
    s("text", { x: 19, y: -4, textLength: text.length > 1 ? width : null, lengthAdjust: "spacingAndGlyphs" }, text),
  );
}

function stencil({ seat, id, shape }, { x, y, grow }) {
  return s(
    "g",
    { class: `b-stencil b-is-${id}`, transform: `translate(${x} ${y}) scale(${grow})` },
    s("g", { class: "b-base", transform: "scale(0.86)" }, drawBase(shape)),
    s("text", { y: 4, "text-anchor": "middle" }, String(seat)),
  );
}

/** What seats have said that the room is: the sign of each colour with the seats that named it, in rows from below. */
function claims(square, grow) {
  const byColor = Map.groupBy(square.claims, ({ color }) => color);
  const room = byColor.size > 2 && grow > 1 ? 14 : 88 / grow - 20;
  let [x, y] = [6, 74 - 16 * grow];
  return [...byColor].map(([color, said]) => {
    const { text, width: letters } = seatsIn(said.map(({ seat }) => seat), room);
    const width = grow * (17 + 0.74 * letters);
    if (x + width > 98) {
      [x, y] = [6, y - 18 * grow];
    }
    const left = x;
    x += width + 3;
    return s(
      "g",
      { class: "b-claim", transform: `translate(${left} ${y}) scale(${grow})` },
      s("rect", { width: width / grow, height: 16, rx: 8 }),
      colorShape(color, 8.5, 8, 0.72),
      s("text", { x: 15, y: 12, textLength: text.length > 1 ? 0.7 * letters : null, lengthAdjust: "spacingAndGlyphs" }, text),
    );
  });
}

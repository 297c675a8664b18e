/** Draws a tile: colour class, pattern and shape, name, pictogram, seal, lock, corridor, and the small tokens on it. */

import { s } from "../../../dom.js";
import { TILE } from "./geometry.js";
import { READABLE, wrapName } from "./lettering.js";
import { hasRoom, pictogram } from "./pictograms.js";

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
    square.face === "hidden" ? back() : square.face === "known" ? knownFace(square, book, unit) : upFace(square, book, unit);
  return s("g", { class: `b-face b-face-${square.face}` }, face, tokens(square, Math.max(1, unit)));
}

function upFace(square, book, unit) {
  const crowded = square.figures.length + square.robots.length > CROWD;
  const name = nameOf(square, book, { width: 92, crowded, unit });
  const lone = square.figures.length + square.robots.length === 0;
  return [
    s("rect", { class: `b-room b-${square.color}`, width: TILE, height: TILE, rx: 9 }),
    s("rect", { class: "b-pattern", width: TILE, height: TILE, rx: 9, fill: `url(#b-pattern-${square.color})` }),
    square.axis && corridor(square.axis),
    !crowded && hasRoom(square.kind) && pictogram("room", square.kind, roomPlace(square, lone)),
    s("path", { class: `b-band b-${square.color}`, d: name.low ? BAND_LOW : BAND }),
    title(square, name),
    square.seal && seal(),
  ];
}

/** In a corridor the pictogram makes way for the walls. */
function roomPlace(square, lone) {
  const place = square.axis ? { x: 36, y: 53, size: 28 } : { x: 29, y: 42, size: 44 };
  return { ...place, class: lone ? "b-plain" : "b-behind" };
}

/** A face-down room that the viewer knows: the back shows round a card that lies on it. */
function knownFace(square, book, unit) {
  return [
    back(),
    s("rect", { class: `b-room b-card b-${square.color}`, x: 8, y: 6, width: 84, height: 66, rx: 7 }),
    hasRoom(square.kind) && pictogram("room", square.kind, { x: 35, y: 38, size: 30, class: "b-plain" }),
    s("g", { transform: "translate(0 5)" }, title(square, nameOf(square, book, { width: 80, crowded: false, unit }))),
    square.seal && seal(),
  ];
}

/** The back of a tile: not empty, only unknown. */
function back() {
  return [
    s("rect", { class: "b-back", width: TILE, height: TILE, rx: 9 }),
    s("rect", {
      class: "b-back-hatch",
      x: 5,
      y: 5,
      width: TILE - 10,
      height: TILE - 10,
      rx: 6,
      fill: "url(#b-pattern-back)",
    }),
    s("rect", { class: "b-back-frame", x: 5, y: 5, width: TILE - 10, height: TILE - 10, rx: 6 }),
    s("circle", { class: "b-back-eye", cx: 50, cy: 44, r: 17 }),
    s("text", { class: "b-back-mark", x: 50, y: 53, "text-anchor": "middle" }, "?"),
  ];
}

const BAND = "M0 9a9 9 0 0 1 9-9h82a9 9 0 0 1 9 9v26H0z";
const BAND_LOW = "M0 9a9 9 0 0 1 9-9h82a9 9 0 0 1 9 9v9H0z";

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
    square.looked.length > 0 && lookers(square.looked, grow),
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

/** Seats by their numbers; where these have no room, how many there are. */
function seatsIn(seats, room) {
  const width = 10 * seats.length;
  return width <= room ? { text: seats.join(" "), width } : { text: `×${seats.length}`, width: Math.min(20, room) };
}

function lookers(seats, grow) {
  const { text, width } = seatsIn(seats, 88 / grow - 24);
  return s(
    "g",
    { class: "b-looked", transform: `translate(6 93) scale(${grow})` },
    s("rect", { y: -16, width: 24 + width, height: 16, rx: 8 }),
    pictogram("sign", "eye", { x: 4, y: -14, size: 12 }),
    s("text", { x: 19, y: -4, textLength: text.length > 1 ? width : null, lengthAdjust: "spacingAndGlyphs" }, text),
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

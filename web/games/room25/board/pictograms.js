/** Our own little drawings of rooms, actions and tokens. */

import { box, dot, drawPictogram, ink, path, ring } from "../../../pictogram.js";

/** Rooms by kind. */
const ROOMS = {
  central: [
    ring(24, 24, 7),
    path("M24 3v10M24 35v10M3 24h10M35 24h10"),
    path("M19 8l5-5 5 5M19 40l5 5 5-5M8 19l-5 5 5 5M40 19l5 5-5 5"),
  ],
  room25: [path("M26 42H9V6h17"), path("M20 24h23M35 15l9 9-9 9"), dot(15, 24)],
  key: [ring(15, 24, 9), dot(15, 24, 2), path("M24 24h21v8M37 24v6")],
  empty: [["rect", { x: 9, y: 9, width: 30, height: 30, rx: 4, "stroke-dasharray": "5 5.6" }]],
  vision: [path("M3 24c6-10 13-14 21-14s15 4 21 14c-6 10-13 14-21 14S9 34 3 24z"), ring(24, 24, 7), dot(24, 24, 2.5)],
  moving: [path("M5 17h34M31 8l9 9-9 9"), path("M43 33H9M17 24l-9 9 9 9")],
  control: [path("M10 5v38M24 5v38M38 5v38"), ink("M5 12h10v7H5zM19 28h10v7H19zM33 18h10v7H33z")],
  tunnel: [
    path("M5 42V24a19 19 0 0 1 38 0v18"),
    path("M14 42V25a10 10 0 0 1 20 0v17"),
    path("M2 42h44M24 42v-6M24 30v-4"),
  ],
  regeneration: [
    path("M24 43C10 33 4 26 4 17a10 10 0 0 1 20-3 10 10 0 0 1 20 3c0 9-6 16-20 26z"),
    path("M24 18v14M17 25h14"),
  ],
  robot: [
    box(9, 15, 30, 24, 5),
    path("M24 15V7M4 23v9M44 23v9M18 33h12"),
    dot(24, 5),
    dot(17, 25, 3.2),
    dot(31, 25, 3.2),
  ],
  secrets: [
    path("M5 12c12 5 26 5 38 0 1 16-4 27-19 31C9 39 4 28 5 12z"),
    path("M13 22c3-2 6-2 8 0M27 22c2-2 5-2 8 0M17 33c4 3 10 3 14 0"),
  ],
  vortex: [path("M25 24a3 3 0 0 0-5 3c1 4 6 6 11 3 6-4 6-13-1-17-9-5-20 1-22 11-2 11 7 20 19 19")],
  jail: [box(6, 5, 36, 38, 3), path("M15 5v38M24 5v38M33 5v38M6 24h36")],
  cold: [
    path("M24 3v42M6 13.5l36 21M42 13.5l-36 21"),
    path("M18 6l6 5 6-5M18 42l6-5 6 5M7 21l7-3-1-8M41 27l-7 3 1 8M41 21l-7-3 1-8M7 27l7 3-1 8"),
  ],
  dark: [path("M40 30A18 18 0 1 1 20 7a14 14 0 0 0 20 23z"), dot(36, 12, 1.8), dot(30, 19, 1.4)],
  pivoting: [
    path("M41 19A18 18 0 0 0 10 13M7 29a18 18 0 0 0 31 6"),
    path("M10 4v10h10M38 44V34H28"),
    path("M18 19v10M30 19v10"),
  ],
  mac: [
    ["rect", { x: 8, y: 10, width: 22, height: 31, rx: 3, transform: "rotate(-12 19 25)" }],
    path("M23 5l15 4a3 3 0 0 1 2 4l-7 27-5-1"),
    path("M16 20l5 13M22 23l-7 6"),
  ],
  mirror: [["ellipse", { cx: 24, cy: 19, rx: 14, ry: 16 }], path("M24 35v9M15 44h18M17 20l9-10M23 24l8-9")],
  jamming: [path("M5 8h38v24H23l-9 9v-9H5z"), path("M17 13l14 14M31 13L17 27")],
  condemned: [path("M10 44V5h28v39M4 44h40"), path("M5 15l38 8M5 25l38-8M5 33h38")],
  acid: [
    path("M18 4h12M20 4v13L8 38a4 4 0 0 0 4 6h24a4 4 0 0 0 4-6L28 17V4"),
    path("M14 29h20"),
    dot(20, 36),
    dot(28, 34, 2),
    dot(27, 40, 1.6),
  ],
  trap: [path("M4 26a20 20 0 0 1 40 0M4 26l6 8 5-8 5 8 4-8 4 8 5-8 5 8 6-8"), path("M4 38h40M24 38v6")],
  flooded: [
    path(
      "M3 16c5-5 9-5 14 0s9 5 14 0 9-5 14 0M3 28c5-5 9-5 14 0s9 5 14 0 9-5 14 0M3 40c5-5 9-5 14 0s9 5 14 0 9-5 14 0",
    ),
  ],
  burning: [
    path("M24 44C13 44 8 37 9 29c1-6 6-9 7-16 5 3 6 6 6 9 4-4 5-11 2-19 9 5 15 14 15 24 0 10-6 17-15 17z"),
    path("M24 44c-4-4-4-9 1-14 4 5 4 10-1 14z"),
  ],
  mortal: [
    path("M8 22a16 16 0 0 1 32 0c0 5-2 8-5 10v9H13v-9c-3-2-5-5-5-10z"),
    path("M20 41v-5M28 41v-5"),
    dot(18, 23, 4),
    dot(30, 23, 4),
    ink("M24 28l-2.5 4.5h5z"),
  ],
  shredder: [
    ring(24, 24, 6),
    path("M24 8l5-5 2 8 8-3-1 9 8 1-5 6 5 6-8 1 1 9-8-3-2 8-5-5-5 5-2-8-8 3 1-9-8-1 5-6-5-6 8-1-1-9 8 3 2-8z"),
  ],
  paranoia: [box(7, 7, 34, 34, 7), dot(16, 16, 3), dot(32, 16, 3), dot(24, 24, 3), dot(16, 32, 3), dot(32, 32, 3)],
  timer: [
    path("M10 4h28M10 44h28M13 4c0 12 5 14 11 20-6 6-11 8-11 20M35 4c0 12-5 14-11 20 6 6 11 8 11 20"),
    ink("M17 42c1-6 4-8 7-11 3 3 6 5 7 11zM19 14h10l-5 6z"),
  ],
  illusion: [
    path("M17 6l4 11 11 4-11 4-4 11-4-11-11-4 11-4z"),
    path("M36 26l2.6 6.4L45 35l-6.4 2.6L36 44l-2.6-6.4L27 35l6.4-2.6z"),
    path("M38 5v8M34 9h8"),
  ],
};

/** Actions by token; "" is an empty slot. */
const ACTIONS = {
  look: ROOMS.vision,
  move: [path("M24 44V6M10 20L24 5l14 15")],
  push: [path("M6 6v36M14 24h29M32 12l12 12-12 12")],
  control: [path("M24 4v40M4 24h40M17 11l7-7 7 7M17 37l7 7 7-7M11 17l-7 7 7 7M37 17l7 7-7 7")],
  special: [path("M24 4l6 13 14 2-10 10 2 14-12-7-12 7 2-14L4 19l14-2z")],
  adrenaline: [path("M28 3L9 28h13l-3 17 20-26H26z")],
  "": [path("M12 24h24")],
};

/** Tokens and other signs. */
const SIGNS = {
  eye: ROOMS.vision,
  flag: [path("M11 45V5"), ink("M11 6h27l-7 9 7 9H11z")],
  lock: [box(9, 21, 30, 22, 4), path("M15 21v-6a9 9 0 0 1 18 0v6"), dot(24, 31, 3.2), path("M24 32v6")],
  seal: [ring(24, 24, 19), path("M11 11l26 26")],
  alarm: [path("M8 38h32l-4-7V20a12 12 0 0 0-24 0v11z"), path("M20 43h8")],
  check: [path("M7 26l11 11L41 11")],
  cross: [path("M10 10l28 28M38 10L10 38")],
  hidden: [path("M3 24c6-10 13-14 21-14s15 4 21 14c-6 10-13 14-21 14S9 34 3 24z"), path("M8 42L40 6")],
  unknown: [path("M15 16c0-6 4-10 9-10s9 4 9 9c0 7-9 8-9 16"), dot(24, 40, 3)],
  trap: [path("M24 5l21 37H3z"), path("M24 18v12"), dot(24, 36, 2.4)],
  shield: [path("M24 4l17 6v13c0 11-7 17-17 21-10-4-17-10-17-21V10z"), dot(24, 20, 4.5), path("M24 22v10")],
  flood: [path("M24 4c8 11 14 18 14 26a14 14 0 0 1-28 0c0-8 6-15 14-26z")],
};

/**
 * A pictogram as a nested drawing, hidden from screen readers: what it means is always said in words beside it.
 *
 * @param {"room"|"action"|"sign"} family
 * @param {string} name
 * @param {import("../../../pictogram.js").Place} how
 * @returns {SVGElement}
 * @throws {Error} there is no such pictogram.
 */
export function pictogram(family, name, how = {}) {
  const parts = { room: ROOMS, action: ACTIONS, sign: SIGNS }[family][name];
  if (parts === undefined) {
    throw new Error(`no pictogram for the ${family} ${name}`);
  }
  return drawPictogram(parts, how);
}

/** Whether a room has a pictogram; rooms of rulebooks to come may have none. */
export function hasRoom(kind) {
  return kind in ROOMS;
}

/** The bases of characters and, on them, their busts: each with an outline that no other has, so that nobody needs to read letters. */

import { s } from "../../../dom.js";

/** The outline of each base, 20 across round its middle. */
const BASES = {
  square: () => s("rect", { x: -9.2, y: -9.2, width: 18.4, height: 18.4, rx: 3 }),
  round: () => s("circle", { r: 10 }),
  cross: () => s("path", { d: "M-5.6-10.4h11.2v4.8h4.8v11.2h-4.8v4.8h-11.2v-4.8h-4.8v-11.2h4.8z" }),
};

const HEAD = "M-3.9-2.2a3.9 4.3 0 1 1 7.8 0a3.9 4.3 0 1 1-7.8 0z";
const SHOULDERS = "M-7 8.4c0-4.6 2.6-5.9 7-5.9s7 1.3 7 5.9z";

/** Skin and clothes, and over them what is dark: hair, hats, glasses. @type {Object<string, {light: string, dark: string}>} */
const BUSTS = {
  // Hair that stands on end, and glasses.
  emmett: {
    light: HEAD + SHOULDERS,
    dark: "M-4.4-2l-3.4-1.5 2.6-1.3-1.9-2.7 3.2.4.4-2.6L-.8-8.2.6-9.8l1.2 1.9 2.7-1.3-.2 2.7 3.1.2-1.8 2.4 2.4 1.5-3.6.6c-.6-2.4-7.6-2.6-8.8-.2zM-3-2.4h2.4v1.9H-3zM.6-2.4H3v1.9H.6zM-.8-2h1.6v.8H-.8z",
  },
  // A cap the wrong way round, and headphones.
  kevin: {
    light: HEAD + SHOULDERS,
    dark: "M-4.5-3.2c0-6.6 9-6.6 9 0zM4-4.4h4.4v1.4H4zM-6.2-3.4h2v4h-2zM4.2-2.6h2v3.2h-2z",
  },
  // A quiff and a tie.
  franck: {
    light: HEAD + SHOULDERS,
    dark: "M-4.4-2.4C-6-6-4.6-9.6-.6-9.8c5-.3 7 2.6 5 7.4C3.8-4.4 2-5 -.4-4.6-2.4-4.3-3.8-4-4.4-2.4zM-1.5 3h3L.8 4.6 1.7 8.4h-3.4L-.8 4.6z",
  },
  // Long hair.
  jennifer: {
    light: HEAD + SHOULDERS,
    dark: "M-6 7.4C-7.6-1-6.8-9.4 0-9.4S7.6-1 6 7.4L3.8 5.6V-2.4C1.2-2.6-1.4-3.6-2.4-5.4-2.6-3.8-3.2-2.8-3.8-2.2v7.8z",
  },
  // Shoulders as wide as he is high, and a beard.
  max: {
    light: "M-3.6-3.6a3.6 4 0 1 1 7.2 0a3.6 4 0 1 1-7.2 0zM-9 8.4C-9 1.6-5 .4 0 .4s9 1.2 9 8z",
    dark: "M-3.7-3.4C-3.7 3 3.7 3 3.7-3.4 2-1.6-2-1.6-3.7-3.4zM-9 8.4l2.6-4.6.4 4.6zM9 8.4L6.4 3.8 6 8.4z",
  },
  // Two bunches, and a small face.
  alice: {
    light: "M-3.5-.8a3.5 3.9 0 1 1 7 0a3.5 3.9 0 1 1-7 0zM-5 8.4c0-3.6 2-4.9 5-4.9s5 1.3 5 4.9z",
    dark: "M-8.8-4.6a2.5 2.7 0 1 1 5 0a2.5 2.7 0 1 1-5 0zM3.8-4.6a2.5 2.7 0 1 1 5 0a2.5 2.7 0 1 1-5 0zM-3.9-1.4C-3.9-7 3.9-7 3.9-1.4 2-3.2-2-3.2-3.9-1.4z",
  },
  // A hood.
  sarah: {
    light: "M-2.9-1.6a2.9 3.5 0 1 1 5.8 0a2.9 3.5 0 1 1-5.8 0z",
    dark: "M0-9.8C6.6-9.8 6.4-1 8 8.4H-8C-6.4-1-6.6-9.8 0-9.8zM0-5.6c-5 0-4.4 8.2 0 8.2s5-8.2 0-8.2z",
  },
  // A hat, and a mask over the eyes.
  bruce: {
    light: HEAD + SHOULDERS,
    dark: "M-8-4.6c2-.2 2.8-.8 3.2-1.6l.8-3.2c2.6-.9 5.4-.9 8 0l.8 3.2c.4.8 1.2 1.4 3.2 1.6v1.4H-8zM-4-2h8v2H.8L0-.8-.8 0H-4z",
  },
};

/** Somebody without a drawing of their own: a head and shoulders. */
const ANYBODY = { light: HEAD + SHOULDERS, dark: "" };

/**
 * The outline of a character's base.
 *
 * @param {string} shape
 * @returns {SVGElement} 20 units across round 0, 0.
 */
export function drawBase(shape) {
  return BASES[shape]();
}

/**
 * A character from the chest up.
 *
 * @param {string} id
 * @returns {SVGElement} it stands on a base.
 */
export function drawBust(id) {
  const { light, dark } = BUSTS[id] ?? ANYBODY;
  return s("g", { class: "b-bust" }, s("path", { class: "b-bust-light", d: light }), dark && s("path", { class: "b-bust-dark", "fill-rule": "evenodd", d: dark }));
}

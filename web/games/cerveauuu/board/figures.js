/** What pieces look like: humans as busts, zombies in the colour of their seat and in an outline that no other colour has. */

import { s } from "../../../dom.js";
import { bust, outline } from "../help/shapes.js";
import { isHuman, isReady } from "./reach.js";

/**
 * A piece, round (0, 0), some 20 units wide.
 *
 * @param {Told.CerveauuuPiece} piece
 * @param {{colours: Told.CerveauuuState["colours"]}} play for the colour of its seat.
 * @returns {SVGGElement}
 */
export function figure(piece, play) {
  const colour = isHuman(piece) ? "human" : (play.colours[piece.controller ?? 0] ?? "grey");
  return s(
    "g",
    { class: ["cv-figure", `cv-${colour}`, ...states(piece)] },
    isHuman(piece) ? bust() : outline(colour),
    signs(piece),
    // By its number a piece is spoken of: nothing lies over it.
    number(piece),
  );
}

/**
 * The number of a piece; an outline that stands for a whole seat has none.
 *
 * @param {Told.CerveauuuPiece} piece
 */
function number({ id, controller = null }) {
  const digits = id.slice(1);
  return digits !== "" && s("text", { class: "cv-number", y: controller === null ? 8.4 : 3.6, "text-anchor": "middle" }, String(Number(digits)));
}

/** What there is to see of a piece beside its kind, as classes. */
function states(piece) {
  return [
    piece.blocked && "cv-blocked",
    piece.doomed && "cv-doomed",
    !isHuman(piece) && !isReady(piece) && "cv-spent",
    (piece.protections ?? []).length > 0 && "cv-protected",
  ];
}

/** Small signs: struck through if it cannot act, crossed out if it is to die, ringed if it is protected, a tick if it is done. */
function signs(piece) {
  return [
    (piece.protections ?? []).length > 0 && s("circle", { class: "cv-shield", r: 11 }),
    piece.blocked && s("path", { class: "cv-bar", d: "M-8 8L8-8" }),
    piece.doomed && s("path", { class: "cv-cross", d: "M-8-8L8 8M-8 8L8-8" }),
    !isHuman(piece) && piece.activated && !piece.blocked && s("path", { class: "cv-tick", d: piece.attacked ? "M3-9l6 6M9-9l-6 6" : "M3-6l2.5 3L10-9" }),
    piece.must_leave && s("path", { class: "cv-leave", d: "M-9-10v5M-9-3.4v1.4" }),
  ];
}

/** A piece in small, for lists. */
export function chip(piece, play, size = 22) {
  return s("svg", { class: "cv-chip", viewBox: "-12 -12 24 24", width: size, height: size, "aria-hidden": "true" }, figure(piece, play));
}

/** The last scene of a game in the town: the end credits of a film, with what everybody has eaten. */

import { s } from "../../../dom.js";
import { ranking } from "./cast.js";
import { seatChip } from "./seat.js";
import { t } from "../../../words.js";

/** @type {import("../../contract.js").GameFinale} */
export function finale({ play, result }, { names, won }) {
  if (!play?.end) {
    return null;
  }
  return {
    title: won === null ? names.word(`outcome.${result.outcome}`) : t(`cerveauuu/finale.${won ? "won" : "lost"}`),
    drawing: screen(),
    people: ranking({ play, result }).map((seat) => ({
      face: seatChip(play, seat) ?? screen(),
      name: names.player(seat),
      said: t("cerveauuu/finale.points", { points: play.scores[seat] ?? 0 }),
      against: false,
    })),
  };
}

/** A hand out of a grave, before a moon. */
function screen() {
  const sprockets = Array.from({ length: 9 }, (_, i) => `M${6 + 17 * i} 4h8v6h-8zM${6 + 17 * i} 104h8v6h-8z`).join("");
  return s(
    "svg",
    { class: "cv-finale", viewBox: "0 0 160 114", "aria-hidden": "true" },
    s("rect", { class: "cv-film", width: 160, height: 114, rx: 3 }),
    s("path", { class: "cv-sprockets", d: sprockets }),
    s("circle", { class: "cv-moon", cx: 112, cy: 42, r: 20 }),
    s("path", { class: "cv-grave", d: "M0 100V84c30-8 52-10 80-8s52 2 80 10v14z" }),
    s("path", { class: "cv-rising", d: "M66 82l2-26c-4-6-8-9-7-14 4 0 6 4 8 8l1-18c3-1 4 0 4 3l1 13 3-17c3-1 4 1 4 3l-2 15 5-13c3 0 3 2 3 4l-5 15 5-7c3 0 3 2 2 5-3 8-6 12-8 16l1 15z" }),
    s("path", { class: "cv-stone", d: "M22 84V60a13 13 0 0 1 26 0v23M28 62h14M35 55v16" }),
  );
}

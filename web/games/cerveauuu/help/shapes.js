/** The outlines of pieces, which a drawing for visitors has without a board. */

import { s } from "../../../dom.js";

/** How many corners the zombies of each colour have. */
const CORNERS = { green: 3, purple: 4, orange: 5, blue: 6, grey: 7, pink: 8 };
const RADIUS = 9.5;

/** A human, round (0, 0). */
export function bust() {
  return [s("circle", { class: "cv-head", cy: -7, r: 3.8 }), s("path", { class: "cv-body", d: "M-9.5 10.5C-9.5 0-6-3 0-3S9.5 0 9.5 10.5z" })];
}

/** A zombie of a colour, round (0, 0). */
export function outline(colour) {
  const corners = CORNERS[colour] ?? 4;
  const radius = corners === 3 ? RADIUS + 1.5 : RADIUS;
  const points = Array.from({ length: corners }, (_, i) => {
    const angle = ((2 * i + (corners % 2 ? 0 : 1)) * Math.PI) / corners - Math.PI / 2;
    return [radius * Math.cos(angle), radius * Math.sin(angle) + (corners === 3 ? 1.5 : 0)].map((n) => n.toFixed(2)).join(",");
  });
  return s("polygon", { class: "cv-body", points: points.join(" ") });
}

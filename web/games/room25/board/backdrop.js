/** What lies under the tiles: the plate, the exit zones, the names of rows and columns, and the patterns of the classes. */

import { s } from "../../../dom.js";
import { SIDE } from "../fold/grid.js";
import { COLUMNS, EXTENT, GAP, MARGIN, TILE, exitOutlines } from "./geometry.js";

/** The patterns by which the classes differ besides their colours, and the back of a tile. */
export function patterns() {
  const pattern = (name, size, ...parts) =>
    s("pattern", { id: `b-pattern-${name}`, width: size, height: size, patternUnits: "userSpaceOnUse" }, parts);
  return s(
    "defs",
    {},
    pattern("green", 14),
    pattern("yellow", 12, s("path", { class: "b-line-yellow", d: "M-3 3L3-3M0 12L12 0M9 15L15 9" })),
    pattern("red", 12, s("path", { class: "b-line-red", d: "M0 0L12 12M12 0L0 12" })),
    pattern("blue", 10, s("circle", { class: "b-line-blue", cx: 5, cy: 5, r: 1.4 })),
    pattern("back", 12, s("path", { class: "b-line-back", d: "M2 4l3-3M7 10l3-3M8 2l2 2M2 8l2 2" })),
    s(
      "radialGradient",
      { id: "b-lamp" },
      s("stop", { class: "b-lamp-near", offset: "0" }),
      s("stop", { class: "b-lamp-far", offset: "1" }),
    ),
  );
}

/** Plate, exit zones and coordinates; none of it ever changes. */
export function backdrop() {
  const middle = (i) => MARGIN + i * (TILE + GAP) + TILE / 2;
  const inner = EXTENT - 2 * MARGIN;
  return s(
    "g",
    { class: "b-backdrop", "aria-hidden": "true" },
    s("rect", { class: "b-plate", x: MARGIN - 9, y: MARGIN - 9, width: inner + 18, height: inner + 18, rx: 16 }),
    exitOutlines().map((points) => s("polygon", { class: "b-exit", points })),
    s(
      "g",
      { class: "b-signal", transform: `translate(${MARGIN / 2 - 2} ${MARGIN / 2 - 2})` },
      s("circle", { class: "b-signal-glow", r: 18 }),
      s("path", { class: "b-signal-foot", d: "M-11 5h22l2 6h-26z" }),
      s("path", { class: "b-signal-glass", d: "M-9 5V-2a9 9 0 0 1 18 0v7z" }),
      s("path", { class: "b-signal-cage", d: "M-4 5V-8M4 5V-8M-9-1H9" }),
    ),
    COLUMNS.flatMap((letter, i) => coordinate(letter, middle(i) - TILE / 2 + 9, MARGIN - 15)),
    Array.from({ length: SIDE }, (_, i) => coordinate(String(i + 1), MARGIN - 19, middle(i) - TILE / 2 + 12)),
  );
}

function coordinate(text, x, y) {
  return s("text", { class: "b-coordinate", x, y, "text-anchor": "middle" }, text);
}

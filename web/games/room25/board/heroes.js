/**
 * One large drawing for each kind of room, of what one meets there, seen on its floor. They come later than the board,
 * which has a pictogram for each until then (`scenery.js`).
 *
 * Each is 90 by 60 units and made of paths. Before each path stands the paint: `f` the colour of the class, `a` its strong
 * tone, `w` light, `i` ink, `n` night, `s` shadow; `l` a line, `t` a strong line.
 */

import { s } from "../../../dom.js";

const ring = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const eye = (x, y, r) => `M${x - r} ${y}q${r}-${1.3 * r} ${2 * r} 0q${-r} ${1.3 * r} ${-2 * r} 0z`;

/** A wheel with teeth. */
function wheel(x, y, r, teeth) {
  const at = (i, far) => {
    const angle = (Math.PI * i) / teeth;
    return `${(x + far * Math.cos(angle)).toFixed(1)} ${(y + far * Math.sin(angle)).toFixed(1)}`;
  };
  return `M${Array.from({ length: 2 * teeth }, (_, i) => at(i, i % 2 ? r : 0.78 * r)).join("L")}z`;
}

/** @type {Object<string, Array<[string, string]>>} */
const HEROES = {
  central: [
    ["s", ring(46, 33, 27)],
    ["f", ring(45, 30, 26)],
    ["l", `${ring(45, 30, 18)}M45 12v8M45 40v8M27 30h8M55 30h8M40 8l5-5 5 5M40 52l5 5 5-5M22 25l-5 5 5 5M68 25l5 5-5 5`],
    ["a", ring(45, 30, 7)],
    ["w", ring(45, 30, 3)],
  ],
  room25: [
    ["w", "M30 6h30l27 54H3z"],
    ["f", "M26 2h38v38H26z"],
    ["w", "M31 7h28v33H31z"],
    ["a", "M45 11l10 11h-6v14h-8V22h-6z"],
    ["l", "M21 44h48M16 50h58M10 56h70"],
  ],
  key: [
    ["s", "M14 52h66v5H14z"],
    ["f", "M13 6h64v46H13z"],
    ["w", "M19 12h26v13H19z"],
    ["i", [21, 29, 37].flatMap((x) => [32, 39, 46].map((y) => ring(x + 1, y, 2.2))).join("")],
    ["t", `${ring(61, 20, 7)}M61 27v20M61 38h7M61 46h6`],
  ],
  empty: [
    ["s", "M6 57l12-9 22 2-6 9z"],
    ["l", `${ring(47, 30, 13)}M39 25h16M37 30h20M39 35h16M8 8l9 7-3 6 10 6M84 52l-9-5 2-7-8-3`],
    ["s", ring(47, 30, 13)],
  ],
  vision: [
    ["w", "M24 13L88 22 70 59 40 58z"],
    ["f", "M6 4h22l6 11-22 8z"],
    ["i", ring(27, 14, 4)],
    ["l", `M4 4v16${eye(60, 40, 17)}`],
    ["a", ring(60, 40, 6)],
    ["i", ring(60, 40, 2.5)],
  ],
  moving: [
    ["s", "M4 46h82v5H4z"],
    ["f", "M12 14h66a8 16 0 0 1 0 32H12a8 16 0 0 1 0-32z"],
    ["l", "M12 14a8 16 0 0 1 0 32M78 14a8 16 0 0 0 0 32"],
    ["t", "M24 21l9 9-9 9M40 21l9 9-9 9M56 21l9 9-9 9"],
  ],
  control: [
    ["w", "M20 2h50v14H20z"],
    ["l", "M20 2h50v14H20zM25 12l8-6 8 4 10-6 13 6"],
    ["f", "M11 20h68l7 36H4z"],
    ["t", "M25 26v24M45 26v24M65 26v24"],
    ["i", "M18 28h14v7H18zM38 41h14v7H38zM58 33h14v7H58z"],
  ],
  tunnel: [
    ["f", "M9 58V32a36 30 0 0 1 72 0v26z"],
    ["n", "M19 58V35a26 22 0 0 1 52 0v23z"],
    ["w", `${ring(45, 33, 5)}M36 58l6-19h2l-3 19zM54 58l-6-19h-2l3 19zM37 50h16v2H37z`],
  ],
  regeneration: [
    ["s", "M15 50h60v5H15z"],
    ["f", "M10 30a20 20 0 0 1 20-20h30a20 20 0 0 1 0 40H30a20 20 0 0 1-20-20z"],
    ["w", "M18 30a13 13 0 0 1 13-13h28a13 13 0 0 1 0 26H31a13 13 0 0 1-13-13z"],
    ["a", "M45 42c-9-6-12-10-12-14a6 6 0 0 1 12-2 6 6 0 0 1 12 2c0 4-3 8-12 14z"],
    ["l", "M0 30h6l2-5 3 9M79 34l3-9 2 5h6"],
  ],
  robot: [
    ["s", "M18 52h56v5H18z"],
    ["f", "M23 16h44v36H23z"],
    ["l", "M45 16V7M16 26v14M74 26v14M35 44h20M40 41v6M45 41v6M50 41v6"],
    ["a", ring(35, 29, 6) + ring(55, 29, 6)],
    ["w", ring(35, 29, 2.2) + ring(55, 29, 2.2)],
    ["i", ring(45, 5, 3.4)],
  ],
  secrets: [
    ["s", "M20 54h52v4H20z"],
    ["f", "M16 6c18 6 40 6 58 0 3 24-6 44-29 50C22 50 13 30 16 6z"],
    ["n", `${eye(33, 25, 8)}${eye(57, 25, 8)}`],
    ["l", "M34 41c7 5 15 5 22 0M45 26v8l-3 2"],
  ],
  vortex: [
    ["s", ring(45, 30, 29)],
    ["t", "M47 31a3 3 0 0 0-5 4c3 6 12 6 16-1 4-8-1-17-10-19-13-3-24 6-24 18 0 14 11 24 25 23 17-1 28-13 28-29"],
    ["l", "M17 44C9 34 10 20 20 11M35 4c9-4 20-3 29 3"],
  ],
  jail: [
    ["s", "M14 10h74v50H14z"],
    ["t", "M8 4h74M8 56h74M14 4v52M26 4v52M38 4v52M52 4v52M64 4v52M76 4v52"],
    ["f", "M36 20h18v20H36z"],
    ["i", `${ring(45, 28, 3)}M43.5 29h3l1 7h-5z`],
  ],
  cold: [
    ["w", "M0 0h38L26 7l-8 15L0 34zM90 60H54l12-8 6-13 18-9z"],
    ["t", "M45 4v52M22 17l46 26M68 17L22 43"],
    ["l", "M37 8l8 7 8-7M37 52l8-7 8 7M21 26l9-3-1-10M69 34l-9 3 1 10M69 26l-9-3 1-10M21 34l9 3-1 10"],
  ],
  dark: [
    ["n", "M0 0h90v60H0z"],
    ["w", "M20 44L58 2a38 38 0 0 1 26 40z"],
    ["f", "M5 51l10-11 8 7-10 11z"],
    ["w", ring(18, 14, 2) + ring(27, 14, 2)],
  ],
  pivoting: [
    ["s", ring(46, 33, 26)],
    ["f", ring(45, 30, 25)],
    ["l", "M65 17a24 24 0 0 0-38-2M25 43a24 24 0 0 0 38 2M26 5v11h11M64 55V44H53"],
    ["i", "M33 19h6v22h-6zM51 19h6v22h-6z"],
  ],
  mac: [
    ["s", "M20 52h52v5H20z"],
    ["f", "M15 14l25-6 10 40-25 6z"],
    ["w", "M46 4l26 8-11 42-26-7z"],
    ["l", "M46 4l26 8-11 42-26-7z"],
    ["t", "M52 18l10 4-9 6 11 4-10 7"],
  ],
  mirror: [
    ["s", "M26 55h40v4H26z"],
    ["f", "M45 0a24 27 0 1 0 .1 0z"],
    ["w", "M45 5a19 22 0 1 0 .1 0z"],
    ["l", "M35 29l16-17M39 39l20-21M47 43l9-10M45 54v4M31 58h28"],
  ],
  jamming: [
    ["l", "M45 24L33 58M45 24l12 34M38 44h14M34 11a16 16 0 0 0 0 20M56 11a16 16 0 0 1 0 20M24 3a28 28 0 0 0 0 36M66 3a28 28 0 0 1 0 36"],
    ["a", ring(45, 21, 5)],
    ["t", "M14 52L76 6"],
  ],
  condemned: [
    ["n", "M22 2h46v57H22z"],
    ["f", "M6 12l78 8v11L6 23zM8 45l74-16v11L8 56z"],
    ["i", [[12, 18], [78, 26], [14, 49], [76, 36]].map(([x, y]) => ring(x, y, 1.8)).join("")],
  ],
  acid: [
    ["s", "M17 54h60v5H17z"],
    ["f", "M8 14h74l-8 39a6 6 0 0 1-6 5H22a6 6 0 0 1-6-5z"],
    ["a", "M12 25c11-5 16 4 33 0s22-5 33 0l-6 27a4 4 0 0 1-4 3H22a4 4 0 0 1-4-3z"],
    ["w", ring(31, 37, 5) + ring(51, 45, 6) + ring(61, 33, 3.5) + ring(40, 48, 2.5)],
    ["l", ring(36, 9, 4) + ring(52, 6, 3) + ring(62, 14, 2.2)],
  ],
  trap: [
    ["s", "M8 26h74v10H8z"],
    ["f", "M7 26C7-4 83-4 83 26l-7 13-8-13-7 13-8-13-8 13-8-13-8 13-7-13-8 13z"],
    ["f", "M7 58l8-14 7 14 8-14 8 14 7-14 8 14 7-14 8 14 8-14 7 14z"],
    ["l", "M20 18c6-10 44-10 50 0"],
    ["a", ring(45, 16, 4)],
  ],
  flooded: [
    ["a", "M0 24c8-6 15-6 23 0s15 6 22 0 15-6 23 0 15 6 22 0v36H0z"],
    ["w", "M0 33c8-6 15-6 23 0s15 6 22 0 15-6 23 0 15 6 22 0v3c-7 6-14 6-22 0s-16-6-23 0-14 6-22 0-15-6-23 0z"],
    ["w", "M0 46c8-5 15-5 23 0s15 5 22 0 15-5 23 0 15 5 22 0v2c-7 5-14 5-22 0s-16-5-23 0-14 5-22 0-15-5-23 0z"],
    ["l", "M80 2v18M74 5h6M76 11h4M74 17h6"],
  ],
  burning: [
    ["a", "M46 0c3 11 20 19 20 38 0 13-9 21-21 21s-21-8-21-21c0-9 6-13 8-22 6 3 7 7 7 11 5-7 9-15 7-27z"],
    ["a", "M14 26c2 8 10 12 10 21 0 7-4 12-10 12S4 54 4 47c0-8 8-13 10-21zM76 26c2 8 10 12 10 21 0 7-4 12-10 12s-10-5-10-12c0-8 8-13 10-21z"],
    ["w", "M45 30c6 7 10 11 10 17a10 10 0 0 1-20 0c0-6 4-10 10-17z"],
  ],
  mortal: [
    ["f", "M17 25a28 24 0 0 1 56 0c0 9-4 13-9 16v17H26V41c-5-3-9-7-9-16z"],
    ["n", `${ring(34, 27, 7)}${ring(56, 27, 7)}M45 34l-4 8h8z`],
    ["l", "M36 58v-8M45 58v-8M54 58v-8"],
  ],
  shredder: [
    ["s", "M4 52h82v6H4z"],
    ["f", wheel(28, 28, 26, 12)],
    ["f", wheel(64, 34, 23, 11)],
    ["n", ring(28, 28, 7) + ring(64, 34, 6)],
    ["l", ring(28, 28, 14) + ring(64, 34, 12)],
  ],
  paranoia: [
    ["w", eye(45, 30, 20) + eye(15, 13, 10) + eye(76, 14, 11) + eye(16, 48, 11) + eye(75, 48, 10)],
    ["l", eye(45, 30, 20) + eye(15, 13, 10) + eye(76, 14, 11) + eye(16, 48, 11) + eye(75, 48, 10)],
    ["a", ring(45, 30, 8) + ring(17, 14, 4) + ring(73, 15, 4) + ring(18, 47, 4) + ring(72, 46, 4)],
    ["n", ring(45, 30, 3.5)],
  ],
  timer: [
    ["f", "M22 2h46v6c0 13-9 16-16 22 7 6 16 9 16 22v6H22v-6c0-13 9-16 16-22-7-6-16-9-16-22z"],
    ["a", "M28 54c2-9 10-11 17-17 7 6 15 8 17 17zM34 15h22c-2 6-7 9-11 13-4-4-9-7-11-13z"],
    ["l", "M18 2h54M18 58h54M45 28v9"],
  ],
  illusion: [
    ["s", "M2 44h20l-6 16H0zM42 44h20l4 16H42zM14 34h16l-6 10H22zM46 34h14l4 10H48z"],
    ["w", "M45 2l7 20 20 7-20 7-7 20-7-20-20-7 20-7z"],
    ["l", "M45 2l7 20 20 7-20 7-7 20-7-20-20-7 20-7zM78 6v12M72 12h12M12 6v8M8 10h8"],
    ["a", ring(45, 29, 5)],
  ],
};

/**
 * The drawing of a kind of room.
 *
 * @param {string} kind
 * @param {{x: number, y: number, scale: number, class?: string}} place
 * @returns {SVGElement|null} null: there is none of this kind.
 */
export function drawHero(kind, { x, y, scale, class: more = "" }) {
  const parts = HEROES[kind];
  return (
    parts &&
    s(
      "g",
      { class: ["b-hero", more], transform: `translate(${x} ${y}) scale(${scale})`, "aria-hidden": "true" },
      parts.map(([paint, d]) => s("path", { class: `b-paint-${paint}`, d })),
    )
  );
}

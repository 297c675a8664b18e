/** What Cerveauuu! is, for a visitor: in words, and a small chase. */

import { s } from "../../../dom.js";
import { figure } from "../board/figures.js";
import { t } from "../../../words.js";

/** @type {import("../../contract.js").GameHelp["invitation"]} */
export function invitation() {
  const play = { colours: { 1: "green", 2: "purple" } };
  const at = (x, y, piece) => s("g", { transform: `translate(${x} ${y})` }, figure(piece, play));
  const drawing = s(
    "svg",
    { class: "cv-invitation", viewBox: "0 0 96 56", "aria-hidden": "true", focusable: "false" },
    at(76, 28, { id: "h", cell: "" }),
    at(44, 18, { id: "z", cell: "", controller: 1 }),
    at(18, 38, { id: "z", cell: "", controller: 2 }),
  );
  return { title: t("cerveauuu/lobby.hero.title"), text: t("cerveauuu/lobby.hero.text"), drawing };
}

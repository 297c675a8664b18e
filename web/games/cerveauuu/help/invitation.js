/** What Cerveauuu! is, for a visitor: in words, and a corner of the town in which a chase begins. */

import { s } from "../../../dom.js";
import { t } from "../../../words.js";
import { bust, outline } from "./shapes.js";

/** @type {import("../../contract.js").GameHelp["invitation"]} */
export function invitation() {
  const [title, text] = [t("cerveauuu/lobby.hero.title"), t("cerveauuu/lobby.hero.text")];
  return { name: t("cerveauuu/name.game"), title, text, drawing: chase() };
}

/** A house with an open door, who is in it, and who comes along the street. */
function chase() {
  const at = (x, y, colour, ...shapes) =>
    s("g", { class: `cv-figure cv-${colour}`, transform: `translate(${x} ${y})` }, ...shapes);
  return s(
    "svg",
    { class: "cv-invitation", viewBox: "0 0 120 100", "aria-hidden": "true", focusable: "false" },
    s("rect", { class: "cv-outdoor", width: 120, height: 100 }),
    s("rect", { class: "cv-indoor", x: 65, y: 10, width: 45, height: 80 }),
    s("path", { class: "cv-wall", d: "M65 40V10h45v80H65V60M88 10v22" }),
    s("path", { class: "cv-door", d: "M65 60l-11 9" }),
    at(97, 26, "human", ...bust()),
    at(90, 68, "human", ...bust()),
    at(44, 46, "green", outline("green")),
    at(22, 28, "orange", outline("orange")),
    at(20, 74, "purple", outline("purple")),
  );
}

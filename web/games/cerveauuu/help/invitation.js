/** What Cerveauuu! is, for a visitor: in words, and a small chase. */

import { s } from "../../../dom.js";
import { t } from "../../../words.js";
import { bust, outline } from "./shapes.js";

/** @type {import("../../contract.js").GameHelp["invitation"]} */
export function invitation() {
  const at = (x, y, colour, ...shapes) =>
    s("g", { class: `cv-figure cv-${colour}`, transform: `translate(${x} ${y})` }, ...shapes);
  const drawing = s(
    "svg",
    { class: "cv-invitation", viewBox: "0 0 96 56", "aria-hidden": "true", focusable: "false" },
    at(76, 28, "human", ...bust()),
    at(44, 18, "green", outline("green")),
    at(18, 38, "purple", outline("purple")),
  );
  const [title, text] = [t("cerveauuu/lobby.hero.title"), t("cerveauuu/lobby.hero.text")];
  return { name: t("cerveauuu/name.game"), title, text, drawing };
}

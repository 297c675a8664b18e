/** What a visitor sees first: what is played here. */

import { h } from "../dom.js";
import { FIRST } from "../games/first.js";
import { wantWords } from "../languages.js";
import { t } from "../words.js";

wantWords([], [FIRST.game]);

/**
 * The lobby's head.
 *
 * @param {boolean} known whether the reader is signed in: then it is short.
 * @returns {HTMLElement}
 */
export function drawHero(known) {
  const { title, text, drawing } = FIRST.invitation();
  const words = [h("h1", { tabindex: "-1" }, known ? t("lobby.title") : title)];
  if (!known) {
    words.push(h("p", { class: "lead" }, text));
  }
  words.push(
    h(
      "p",
      { class: "row" },
      h("a", { class: "button primary", href: "/?page=new" }, t("nav.new")),
      !known && h("a", { class: "button", href: "#tables-live" }, t("lobby.hero.watch")),
    ),
  );
  return h("header", { class: ["hero", known && "short"] }, h("div", { class: "hero-words" }, ...words), !known && drawing);
}

/** What a visitor sees first: what is played here. */

import { h } from "../dom.js";
import { INVITATIONS } from "../games/first.js";
import { wantWords } from "../languages.js";
import { t } from "../words.js";

wantWords(
  [],
  INVITATIONS.map(({ game }) => game),
);

/**
 * The lobby's head.
 *
 * @param {boolean} known whether the reader is signed in: then it is short.
 * @returns {HTMLElement}
 */
export function drawHero(known) {
  const opening = h("a", { class: "button primary", href: "/?page=new" }, t("nav.new"));
  if (known) {
    const title = h("h1", { tabindex: "-1" }, t("lobby.title"));
    return h("header", { class: "hero short" }, title, h("p", { class: "row" }, opening));
  }
  return h(
    "header",
    { class: "hero" },
    h("h1", { tabindex: "-1" }, t("lobby.welcome.title")),
    h("p", { class: "lead" }, t("lobby.welcome.text")),
    h("p", { class: "row" }, opening, h("a", { class: "button", href: "#tables-live" }, t("lobby.welcome.watch"))),
    h("ul", { class: "invitations" }, ...INVITATIONS.map(drawInvitation)),
  );
}

/** What one game is, and the way to a table of it. */
function drawInvitation({ game, invitation }) {
  const { name, title, text, drawing } = invitation();
  const named = { action: t("nav.new"), name };
  return h(
    "li",
    { class: "invitation" },
    h("div", { class: "invitation-drawing" }, drawing),
    h(
      "div",
      {},
      h("h2", {}, name),
      h("p", { class: "slogan" }, title),
      h("p", {}, text),
      h("a", { class: "button", href: `/?page=new&game=${game}`, "aria-label": t("lobby.welcome.open", named) }, t("nav.new")),
    ),
  );
}

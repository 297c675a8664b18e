/** What one sees first: what is played here, and the shortest way to a table of it. */

import { h } from "../dom.js";
import { INVITATIONS } from "../games/first.js";
import { wantWords } from "../languages.js";
import { nameField } from "../name-field.js";
import { t } from "../words.js";

wantWords(
  [],
  INVITATIONS.map(({ game }) => game),
);

/**
 * The lobby's head.
 *
 * @param {boolean} known whether the reader is signed in: then it is short.
 * @param {{play: (game: string, name: string) => void, learn: (game: string, name: string) => void}} given `play` goes to a
 *   table with bots under a name, `learn` to a lesson.
 * @returns {HTMLElement}
 */
export function drawHero(known, { play, learn }) {
  const opening = h("a", { class: "button", href: "/?page=new" }, t("nav.new"));
  if (known) {
    const title = h("h1", { tabindex: "-1" }, t("lobby.title"));
    const buttons = INVITATIONS.flatMap(({ game, invitation }) => {
      const named = { name: invitation().name };
      const now = h("button", { type: "button", dataset: { play: game }, onclick: () => play(game, "") }, t("lobby.play_now.game", named));
      return [now, h("button", { type: "button", dataset: { learn: game }, onclick: () => learn(game, "") }, t("lobby.learn.game", named))];
    });
    return h("header", { class: "hero short" }, title, h("p", { class: "row" }, buttons, opening));
  }
  const input = h("input", { id: "play-name", name: "name", type: "text", ...nameField(), "aria-describedby": "play-name-hint" });
  const field = h(
    "div",
    { class: "field" },
    h("label", { for: input.id }, t("lobby.play_now.name")),
    input,
    h("p", { class: "hint", id: "play-name-hint" }, t("lobby.play_now.hint")),
  );
  const form = h("form", { class: "play-now" }, field, h("ul", { class: "invitations" }, ...INVITATIONS.map(drawInvitation)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { play: played = INVITATIONS[0].game, learn: learnt } = event.submitter?.dataset ?? {};
    learnt === undefined ? play(played, input.value.trim()) : learn(learnt, input.value.trim());
  });
  return h(
    "header",
    { class: "hero" },
    h("h1", { tabindex: "-1" }, t("lobby.welcome.title")),
    h("p", { class: "lead" }, t("lobby.welcome.text")),
    h("p", { class: "row" }, opening, h("a", { class: "button", href: "#tables-live" }, t("lobby.welcome.watch"))),
    form,
  );
}

/** What one game is, and the ways to a table of it. */
function drawInvitation({ game, invitation }) {
  const { name, title, text, drawing } = invitation();
  const named = (action) => ({ "aria-label": t("lobby.welcome.open", { action, name }) });
  const [now, lesson, own] = [t("lobby.play_now"), t("lobby.learn"), t("nav.new")];
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
      h(
        "p",
        { class: "row" },
        h("button", { type: "submit", class: "primary", dataset: { play: game }, ...named(now) }, now),
        h("button", { type: "submit", dataset: { learn: game }, ...named(lesson) }, lesson),
        h("a", { class: "button", href: `/?page=new&game=${game}`, ...named(own) }, own),
      ),
    ),
  );
}

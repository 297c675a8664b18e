/** What if? A finished game, played on from a moment of it: the question who plays which seat, and the way there. */

import { openDialog } from "../dialog.js";
import { clear, h } from "../dom.js";
import { gameOf, loadOffer, offerOf } from "../games/registry.js";
import { newKey, post } from "../net/api.js";
import { Problem } from "../net/problem.js";
import { playerId } from "../net/session.js";
import { refusalNote } from "../refusal.js";
import { number as numeral, t } from "../words.js";
import { turningPoint } from "./turning-point.js";

/** @import { Controller } from "./controller.js" */

/**
 * The window that asks who plays on.
 *
 * @param {Controller} controller
 * @param {{names: any, mine: number[], navigate: (address: string) => void}} options `mine`: the seats that the reader had.
 */
export function showWhatIf(controller, { names, mine, navigate }) {
  const { game, shown } = controller;
  if (playerId() === null) {
    navigate(`/?page=account&next=${encodeURIComponent(`/watch/${game}?at=${shown}`)}`);
    return;
  }
  const { version, state, text } = beginning(controller, gameOf(names.game).log);
  const key = newKey();
  const trouble = h("div", { role: "alert" });
  const first = mine[0] ?? free(state)[0];
  const seats = free(state).map((seat) => {
    const choose = h("select", { name: `seat-${seat}`, dataset: { seat: String(seat) } }, options());
    choose.value = seat === first ? "me" : "bot";
    return { seat, choose, row: h("li", {}, h("label", {}, h("span", {}, names.seated(seat, state.seats[seat].characters)), choose)) };
  });
  const of = (who) => seats.filter(({ choose }) => choose.value === who).map(({ seat }) => seat);
  const go = h("button", { type: "submit", class: "primary", dataset: { move: "branch" } }, t("watch.whatif.go"));
  const submit = async (event) => {
    event.preventDefault();
    clear(trouble);
    if (of("me").length === 0) {
      trouble.append(h("p", {}, t("watch.whatif.none")));
      return;
    }
    go.disabled = true;
    try {
      await loadOffer(state.game);
      const bot = offerOf(state.game).forms.opening.bot;
      const wish = { version, seats: of("me"), guests: of("guest"), ...(bot !== null && { bot }) };
      const { body } = await post(`/v1/games/${encodeURIComponent(game)}/branches`, wish, { key });
      if (dialog.open) { // whoever has closed it stays here
        dialog.close();
        navigate(`/watch/${body.game}`);
      }
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      trouble.append(refusalNote(error));
      go.disabled = false;
    }
  };
  const dialog = openDialog({
    title: t("watch.whatif"),
    name: "what-if",
    content: h(
      "form",
      { class: "what-if-form", onsubmit: submit },
      h("p", {}, t(text, { version: numeral(version) })),
      h("ul", { class: "what-if-seats" }, seats.map(({ row }) => row)),
      h("p", { class: "hint" }, t("watch.whatif.guests")),
      trouble,
      go,
    ),
  });
}

/** From where one plays on: from what is shown, or, where nothing is played then, as at the end, from before the turning point. */
function beginning({ shown, state, timeline, last }, log) {
  const turned = state.phase === "live" ? null : turningPoint(timeline, last, log);
  if (turned === null) {
    return { version: shown, state, text: "watch.whatif.text" };
  }
  const version = turned.version - 1;
  return { version, state: timeline.at(version), text: "watch.whatif.turning" };
}

/** Who may play a seat of a branch. */
function options() {
  const who = { me: t("watch.whatif.me"), bot: t("watch.whatif.bot"), guest: t("watch.whatif.guest") };
  return Object.entries(who).map(([value, text]) => h("option", { value }, text));
}

/** The seats in which one can play on: nobody had resigned from them. */
function free(state) {
  return Object.entries(state.seats).filter(([, seat]) => !seat.resigned).map(([seat]) => Number(seat));
}

/** Where a link to a private table leads: what is played there, and a seat for whoever says who they are. */

import { attempt, field } from "../account/form.js";
import { calledInRow } from "../called.js";
import { clear, focusOn, h, present } from "../dom.js";
import { wantWords } from "../languages.js";
import { nameField } from "../name-field.js";
import { newKey, post } from "../net/api.js";
import { dropSecret, hasSecret, holdSecret } from "../net/fragment.js";
import { isRefusal } from "../net/problem.js";
import { onChange, session } from "../net/session.js";
import { refusalNote } from "../refusal.js";
import { language, listing, t, tn } from "../words.js";
import { arrive } from "./play-now.js";
import { coverOf } from "./shelf.js";

wantWords(["lobby", "board"]);

/** What stands before the secret in the address. */
const FRAGMENT = "invitation";

/**
 * Show what a link invites to.
 *
 * @param {HTMLElement} root
 * @param {{navigate: (address: string, how?: {replace?: boolean}) => void}} context
 * @returns {() => void} unmount.
 */
export function mount(root, { navigate }) {
  const page = h("div", { class: "account" });
  root.append(page);
  let secret = holdSecret(FRAGMENT);
  let readings = 0;
  const draw = async () => {
    const reading = (readings += 1);
    const shown = await contentOf(secret, navigate, lookAgain);
    if (reading === readings) {
      clear(page).append(...shown);
    }
  };
  // What is typed stays, unless nobody can come by this link any more.
  const lookAgain = async () => {
    const reading = readings;
    try {
      await post("/v1/invitations/read", { secret });
    } catch (error) {
      if (isRefusal(error) && reading === readings) {
        clear(page).append(...refused(error));
        focusOn(page.querySelector("h1"));
      }
    }
  };
  // A link that is followed here fires both events; the first of them takes the secret out of the address.
  const onAddress = () => {
    if (hasSecret(FRAGMENT)) {
      secret = holdSecret(FRAGMENT);
      draw();
    }
  };
  draw();
  const stop = onChange(() => session() === null && draw());
  addEventListener("popstate", onAddress);
  addEventListener("hashchange", onAddress);
  return () => {
    readings += 1;
    stop();
    removeEventListener("popstate", onAddress);
    removeEventListener("hashchange", onAddress);
  };
}

async function contentOf(secret, navigate, lookAgain) {
  if (secret === null) {
    return [heading(), h("p", {}, t("invitation.none")), toTables()];
  }
  try {
    const { body: table } = await post("/v1/invitations/read", { secret });
    const book = await coverOf(table.game, table.rulebook, language());
    return [heading(), h("p", {}, aboutOf(table, book)), h("p", {}, seatsOf(table)), joining(table, secret, { navigate, lookAgain })];
  } catch (error) {
    return refused(error);
  }
}

function refused(error) {
  return [heading(), refusalNote(error), toTables()];
}

function heading() {
  return h("h1", { tabindex: "-1" }, t("invitation.title"));
}

function toTables() {
  return h("p", {}, h("a", { href: "/", class: "button" }, t("account.to_tables")));
}

function aboutOf({ host, mode, seats }, book) {
  const what = { mode: book.mode(mode).name, rulebook: book.name };
  return host === null ? tn("invitation.about.nobody", seats, what) : tn("invitation.about", seats, { ...what, host });
}

function seatsOf({ names, bots, seats }) {
  const sitting = Object.entries(names).map(([seat, name]) => calledInRow({ ...name, seat: Number(seat), bot: bots[seat] }));
  const free = seats - sitting.length;
  return sitting.length === 0 ? t("invitation.nobody") : t("invitation.seats", { names: listing(sitting), free });
}

/** Sit down, or look first; whoever has no name yet types one. */
function joining(table, secret, { navigate, lookAgain }) {
  const who = session();
  const trouble = h("div", {});
  const key = newKey();
  const come = async (form, andSit) => {
    if (who === null) {
      // Nobody becomes a player by an invitation that has come to nothing while they read it.
      await post("/v1/invitations/read", { secret });
      await arrive(form.elements.name.value.trim());
    }
    const { body } = await post("/v1/invitations", { secret }, { key });
    if (andSit) {
      await post(`/v1/games/${body.game}/seats`, {});
    }
    dropSecret(FRAGMENT);
    navigate(`/watch/${body.game}`, { replace: true });
  };
  const sit = h("button", { type: "submit", class: "primary", dataset: { action: "sit" } }, t("invitation.sit"));
  const look = h("button", { type: "button", dataset: { action: "see-table" } }, t("invitation.see"));
  const form = h(
    "form",
    { class: "card" },
    ...present([
      who === null
        ? field("name", t("account.new.name"), nameField(), t("invitation.name.hint"))
        : h("p", {}, t("invitation.as", { name: who.name })),
      trouble,
      h("p", { class: "row" }, !table.joined && sit, look),
    ]),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(sit, trouble, () => come(form, true), lookAgain);
  });
  look.addEventListener("click", () => form.reportValidity() && attempt(look, trouble, () => come(form, false), lookAgain));
  return form;
}

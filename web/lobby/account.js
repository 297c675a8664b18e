/** Who one is: choosing a name, signing in and out, and all by which one stays who one is. */

import { deletingBox } from "../account/deleting.js";
import { createDeviceLink, takeLinkSecret } from "../account/device-link.js";
import { card, field } from "../account/form.js";
import { createPasskeys, passkeyCard } from "../account/passkeys.js";
import { createRecoveryFile, recoveryForm } from "../account/recovery-file.js";
import { renamingForm } from "../account/renaming.js";
import { createTokens } from "../account/tokens.js";
import { announce, clear, h, present } from "../dom.js";
import { wantWords } from "../languages.js";
import { showOver } from "../layers.js";
import { nameField } from "../name-field.js";
import { get, newKey } from "../net/api.js";
import { AttemptKey } from "../net/attempt-key.js";
import { isRefused, remember } from "../net/identity.js";
import { forget, onChange, register, session, signIn, signInByLink } from "../net/session.js";
import { refusalNote } from "../refusal.js";
import { t } from "../words.js";
import { copyField } from "./copy.js";

wantWords(["lobby"]);

/**
 * Show the account.
 *
 * @param {HTMLElement} root
 * @param {{navigate: (address: string, how?: {replace?: boolean}) => void}} context
 * @returns {() => void} unmount.
 */
export function mount(root, { navigate }) {
  const next = nextPage();
  const page = h("div", { class: "account" });
  let fresh = null;
  let link = takeLinkSecret();
  let stopReading = () => {};
  const draw = () => {
    stopReading();
    clear(page).append(...content());
  };
  /** @returns {HTMLElement[]} */
  const content = () => {
    const who = session();
    if (link !== null) {
      return linkPage(link, who, arrive, leaveLink);
    }
    if (who === null) {
      return strangerPage(arrive);
    }
    if (fresh?.player === who.player) {
      return newcomerPage(fresh, next);
    }
    const reading = new AbortController();
    stopReading = () => reading.abort();
    return memberPage(who, next, reading.signal);
  };
  const leaveLink = () => {
    link = null;
    draw();
    page.querySelector("h1")?.focus();
  };
  const arrive = (who, isNew) => {
    link = null;
    fresh = isNew ? who : null;
    if (!isNew && next !== null) {
      navigate(next, { replace: true });
      return;
    }
    draw();
    page.querySelector("h1")?.focus();
    announce(t("account.hello", { name: who.name }));
  };
  draw();
  root.append(page);
  // While somebody is just arriving, `arrive` draws; this is for what happens in other tabs and for signing out.
  const stop = onChange(() => queueMicrotask(draw));
  const onAddress = () => {
    fresh = null;
    link = takeLinkSecret();
    draw();
  };
  addEventListener("popstate", onAddress);
  return () => {
    stop();
    stopReading();
    removeEventListener("popstate", onAddress);
  };
}

/** Where the reader wanted to go; only within this page. */
function nextPage() {
  const wish = new URL(location.href).searchParams.get("next");
  return wish !== null && /^\/(?![/\\])/.test(wish) ? wish : null;
}

function heading(text) {
  return h("h1", { tabindex: "-1" }, text);
}

function strangerPage(arrive) {
  const passkey = passkeyCard((who) => arrive(who, false));
  return [
    heading(t("account.title")),
    h("p", {}, t("account.about")),
    h(
      "div",
      { class: "two" },
      nameForm(arrive),
      passkey,
      recoveryForm((who) => arrive(who, false)),
      tokenForm(arrive),
    ),
    ...(passkey === null ? [h("p", { class: "hint" }, t("account.passkeys.none"))] : []),
  ];
}

/** Whoever opens a link that signs in is asked first: it may be somebody else's. */
function linkPage(secret, who, arrive, leave) {
  const key = newKey();
  const form = card(
    async () => arrive(await signInByLink(secret, { key }), false),
    h("p", {}, t("account.arrive.about")),
    who !== null && h("p", {}, t("account.arrive.instead", { name: who.name })),
    h(
      "p",
      { class: "row" },
      h("button", { type: "submit", class: "primary" }, t("account.arrive.go")),
      h("button", { type: "button", onclick: leave }, t("account.arrive.not")),
    ),
  );
  return [heading(t("account.arrive.title")), form];
}

function nameForm(arrive) {
  const key = new AttemptKey();
  const send = async (form) => {
    const name = form.elements.name.value.trim();
    arrive(await register(name, { key: key.of(name) }), true); // the same name again must not make a second player
  };
  return card(
    send,
    h("h2", {}, t("account.new.title")),
    h("p", {}, t("account.new.about")),
    field("name", t("account.new.name"), nameField(), t("account.new.hint")),
    h("button", { type: "submit", class: "primary" }, t("account.new.submit")),
  );
}

function tokenForm(arrive) {
  return card(
    async (form) => arrive(await signIn(form.elements.token.value), false),
    h("h2", {}, t("account.known.title")),
    h("p", {}, t("account.known.about")),
    field("token", t("account.token"), {
      type: "password",
      class: "code",
      autocomplete: "current-password",
      required: true,
    }),
    h("button", { type: "submit" }, t("account.known.submit")),
  );
}

function newcomerPage(who, next) {
  return present([
    heading(t("account.hello", { name: who.name })),
    h(
      "div",
      { class: "note" },
      h("p", {}, h("strong", {}, t("account.keep.title"))),
      h("p", {}, t("account.keep.about")),
    ),
    copyField(who.token, t("account.token"), "token-shown"),
    !who.lasting && h("p", { class: "error" }, t("account.not_kept")),
    h(
      "p",
      { class: "row" },
      h("a", { class: "button primary", href: next ?? "/" }, next ? t("account.go_on") : t("account.to_tables")),
    ),
  ]);
}

function memberPage(who, next, signal) {
  return present([
    heading(who.name),
    isRefused() && h("p", { class: "error", role: "alert" }, t("account.refused")),
    h("p", {}, t("account.member.about")),
    h(
      "p",
      { class: "row" },
      h("a", { class: "button primary", href: next ?? "/" }, next ? t("account.go_on") : t("account.to_tables")),
      h("a", { class: "button", href: "/?page=profile" }, t("nav.profile")),
    ),
    !isRefused() && renamingForm(who),
    !isRefused() && accountBox(who, signal),
    copyField(who.player, t("account.player"), "player-shown"),
    h("p", { class: "hint" }, t("account.player.hint")),
    tokenBox(who),
    leaveBox(who),
    !isRefused() && deletingBox(who),
  ]);
}

/** What the service knows of the account, and what can be done with it. */
function accountBox(who, signal) {
  const trouble = h("div", {});
  const read = async () => {
    try {
      const [{ body }, { body: player }] = await Promise.all([
        get("/v1/tokens", { signal }),
        get(`/v1/players/${who.player}`, { signal }),
      ]);
      if (player.name !== who.name) {
        remember({ ...who, name: player.name }); // renamed in another browser; whoever hears of it draws this anew
        return;
      }
      parts.forEach((part) => part.show(body));
      clear(trouble);
      box.hidden = false;
    } catch (error) {
      if (!signal.aborted) {
        clear(trouble).append(refusalNote(error));
      }
    }
  };
  const parts = [createTokens(read), createPasskeys(read), createDeviceLink(read), createRecoveryFile(read)];
  const box = h("div", { class: "account-parts", hidden: true }, ...parts.map((part) => part.element));
  read();
  return h("div", {}, trouble, box);
}

/** The token once more, for another device; shown only when asked for, because people look over shoulders. */
function tokenBox(who) {
  const box = h("details", {}, h("summary", {}, t("account.show_token")));
  box.addEventListener("toggle", () => {
    box.querySelector(".field")?.remove();
    if (box.open) {
      box.append(copyField(who.token, t("account.token"), "token-shown"));
    }
  });
  return box;
}

function leaveBox(who) {
  const dialog = h(
    "dialog",
    { "aria-labelledby": "leave-title" },
    h("h2", { id: "leave-title" }, t("account.leave.title")),
    h("p", {}, t("account.leave.about", { name: who.name })),
    h(
      "form",
      { method: "dialog", class: "row" },
      h("button", { value: "stay" }, t("account.leave.stay")),
      h("button", { value: "leave", class: "danger" }, t("account.leave.go")),
    ),
  );
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "leave") {
      forget();
    }
  });
  return h(
    "div",
    {},
    h("button", { type: "button", onclick: () => showOver(dialog) }, t("account.leave.button")),
    dialog,
  );
}

/** Passkeys: made here, listed, called something and revoked; and the button that signs in with one. */

import { announce, h } from "../dom.js";
import { serverNow } from "../net/clock.js";
import { hasPasskeys, makePasskey, PasskeyTrouble, usePasskey } from "../net/passkeys.js";
import { arrived } from "../net/session.js";
import { relist } from "../redraw.js";
import { ago, moment, t } from "../words.js";
import { attempt, field } from "./form.js";
import { LABEL_MAX, labelling, revoking } from "./labelled.js";

/**
 * The part of the account page about passkeys. Where the browser has none it points at the recovery file.
 *
 * @param {() => Promise<void>} onChange reads the account anew.
 * @returns {{element: HTMLElement, show: (account: {passkeys: object[]}) => void}}
 */
export function createPasskeys(onChange) {
  const trouble = h("div", {});
  const list = h("ul", { class: "tokens" });
  const making = hasPasskeys() ? makingForm(trouble, onChange) : h("p", { class: "hint" }, t("account.passkeys.none"));
  const element = h(
    "section",
    { "aria-labelledby": "passkeys-title" },
    h("h2", { id: "passkeys-title" }, t("account.passkeys.title")),
    h("p", {}, t("account.passkeys.about")),
    list,
    trouble,
    making,
  );
  return {
    element,
    show({ passkeys }) {
      const live = passkeys.filter((passkey) => passkey.revoked_at === null);
      list.hidden = live.length === 0;
      relist(list, live.map((passkey) => row(passkey, trouble, onChange)), making.querySelector("button") ?? element);
    },
  };
}

function makingForm(trouble, onChange) {
  const make = h("button", { type: "submit", dataset: { action: "make-passkey" } }, t("account.passkeys.make"));
  const named = field("passkey", t("account.passkeys.label"), { maxlength: LABEL_MAX, autocomplete: "off" }, t("account.passkeys.label.hint"));
  const form = h("form", {}, named, h("p", {}, make));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(
      make,
      trouble,
      () =>
        told(trouble, async () => {
          const input = form.querySelector("input");
          await makePasskey(input?.value.trim() ?? "");
          form.reset();
          announce(t("account.passkeys.made"));
          await onChange();
        }),
      onChange,
    );
  });
  return form;
}

function row(passkey, trouble, onChange) {
  const name = passkey.label || t("account.passkeys.unnamed", { when: moment(passkey.made_at) });
  const path = `/v1/passkeys/${passkey.id}`;
  const used = passkey.last_used_at;
  return h(
    "li",
    { class: "token", dataset: { passkey: passkey.id } },
    h(
      "div",
      {},
      h("strong", { dir: "auto" }, name),
      h(
        "p",
        { class: "hint" },
        t("account.passkeys.since", { when: moment(passkey.made_at) }),
        " ",
        used === null ? t("account.tokens.unused") : t("account.tokens.used", { when: ago(used, serverNow()) }),
      ),
    ),
    labelling(passkey, path, { name, field: t("account.passkeys.label"), trouble, onChange }),
    revoking(path, { name, trouble, onChange }),
  );
}

/**
 * The card by which one signs in with a passkey, typing nothing; null where the browser has none.
 *
 * @param {(who: {player: string, name: string, token: string, lasting: boolean}) => void} arrive
 * @returns {HTMLElement|null}
 */
export function passkeyCard(arrive) {
  if (!hasPasskeys()) {
    return null;
  }
  const trouble = h("div", {});
  const go = h("button", { type: "button", class: "primary", dataset: { action: "use-passkey" } }, t("account.passkeys.use"));
  go.addEventListener("click", () => attempt(go, trouble, () => told(trouble, async () => arrive(arrived(await usePasskey())))));
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("account.passkeys.use.title")),
    h("p", {}, t("account.passkeys.use.about")),
    trouble,
    h("p", {}, go),
  );
}

/** Do something; why no passkey came of it is said where refusals are. */
async function told(trouble, act) {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof PasskeyTrouble)) {
      throw error;
    }
    trouble.append(h("p", { class: "error", role: "alert" }, t(error.key)));
  }
}

/** Where one is signed in: the tokens of the account, each with what is known of it. */

import { announce, h } from "../dom.js";
import { serverNow } from "../net/clock.js";
import { del } from "../net/api.js";
import { relist } from "../redraw.js";
import { tag } from "../tag.js";
import { ago, listing, moment, t } from "../words.js";
import { attempt } from "./form.js";
import { labelling, revoking } from "./labelled.js";

const HOUR_MS = 3_600_000;

/**
 * The list of tokens.
 *
 * @param {() => Promise<void>} onChange reads the account anew.
 * @returns {{element: HTMLElement, show: (account: {tokens: object[]}) => void}}
 */
export function createTokens(onChange) {
  const trouble = h("div", {});
  const list = h("ul", { class: "tokens" });
  const others = h("button", { type: "button", class: "danger", dataset: { action: "revoke-others" } }, t("account.tokens.others"));
  others.addEventListener("click", () =>
    attempt(
      others,
      trouble,
      async () => {
        await del("/v1/tokens");
        announce(t("account.tokens.others.done"));
        await onChange();
      },
      onChange,
    ),
  );
  const element = h(
    "section",
    { "aria-labelledby": "tokens-title" },
    h("h2", { id: "tokens-title" }, t("account.tokens.title")),
    h("p", {}, t("account.tokens.about")),
    list,
    trouble,
    h("p", {}, others),
  );
  return {
    element,
    show({ tokens }) {
      const live = tokens.filter((token) => token.revoked_at === null);
      others.hidden = live.length < 2;
      relist(list, live.map((token) => row(token, trouble, onChange)), others);
    },
  };
}

function row(token, trouble, onChange) {
  const name = nameOf(token);
  const path = `/v1/tokens/${token.id}`;
  return h(
    "li",
    { class: "token", dataset: { token: token.id } },
    h(
      "div",
      {},
      h("strong", { dir: "auto" }, name),
      token.current && tag(t("account.tokens.current"), "b-tag-you"),
      token.scopes.includes("bot") && tag(t("account.tokens.automated")),
      h("p", { class: "hint" }, known(token)),
    ),
    labelling(token, path, { name, field: t("account.tokens.label"), trouble, onChange }),
    !token.current && revoking(path, { name, trouble, onChange }),
  );
}

function nameOf({ label, origin }) {
  return label || t(`account.origin.${origin}`);
}

function known({ label, origin, issued_at: issued, last_used_at: used, scopes }) {
  const now = serverNow();
  const offices = scopes.filter((scope) => scope !== "play" && scope !== "bot");
  const recent = used !== null && now - used < HOUR_MS;
  return [
    label && t(`account.origin.${origin}`),
    t("account.tokens.since", { when: moment(issued) }),
    used === null ? t("account.tokens.unused") : recent ? t("account.tokens.used.now") : t("account.tokens.used", { when: ago(used, now) }),
    offices.length > 0 && t("account.tokens.offices", { offices: listing(offices.map((office) => t(`account.office.${office}`))) }),
  ]
    .filter(Boolean)
    .join(" ");
}

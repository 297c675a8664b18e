/** What can be done with each thing in a list of the account: call it something, and revoke it. */

import { announce, h } from "../dom.js";
import { del, post } from "../net/api.js";
import { t } from "../words.js";
import { attempt } from "./form.js";

/** The longest label, in letters. */
export const LABEL_MAX = 80;

/**
 * The form by which something is called something.
 *
 * @param {{id: string, label: string}} thing
 * @param {string} path of the thing.
 * @param {{name: string, field: string, trouble: HTMLElement, onChange: () => Promise<void>}} shown `name` is what it is
 *   called on the page now, `field` the label of the field, `trouble` where refusals are shown; `onChange` reads the
 *   account anew.
 * @returns {HTMLElement}
 */
export function labelling(thing, path, { name, field, trouble, onChange }) {
  const id = `label-${thing.id}`;
  const input = h("input", { type: "text", id, name: "label", maxlength: LABEL_MAX, value: thing.label, autocomplete: "off" });
  const save = h("button", { type: "submit" }, t("account.tokens.label.save"));
  const form = h("form", { class: "row" }, h("label", { for: id }, field), input, save);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(
      save,
      trouble,
      async () => {
        await post(`${path}/label`, { label: input.value.trim() });
        announce(t("account.saved"));
        await onChange();
      },
      onChange,
    );
  });
  return h(
    "details",
    {},
    h("summary", { "aria-label": t("account.tokens.for", { action: t("account.tokens.rename"), name }) }, t("account.tokens.rename")),
    form,
  );
}

/**
 * The button by which something is revoked.
 *
 * @param {string} path of the thing.
 * @param {{name: string, trouble: HTMLElement, onChange: () => Promise<void>}} shown as for `labelling`.
 * @returns {HTMLElement}
 */
export function revoking(path, { name, trouble, onChange }) {
  const label = t("account.tokens.for", { action: t("account.tokens.revoke"), name });
  const button = h("button", { type: "button", "aria-label": label, dataset: { action: "revoke" } }, t("account.tokens.revoke"));
  button.addEventListener("click", () =>
    attempt(
      button,
      trouble,
      async () => {
        await del(path);
        announce(t("account.tokens.revoked", { name }));
        await onChange();
      },
      onChange,
    ),
  );
  return button;
}

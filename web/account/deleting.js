/** Deleting one's account, for ever: asked twice, and the name is to be typed. */

import { announce, h } from "../dom.js";
import { showOver } from "../layers.js";
import { del } from "../net/api.js";
import { forget } from "../net/session.js";
import { t } from "../words.js";
import { attempt } from "./form.js";

/**
 * The button, and the window that asks.
 *
 * @param {{player: string, name: string}} who
 * @returns {HTMLElement}
 */
export function deletingBox(who) {
  const trouble = h("div", {});
  const typed = h("input", { type: "text", id: "delete-name", autocomplete: "off", spellcheck: "false" });
  const go = h("button", { type: "submit", class: "danger", disabled: true }, t("account.delete.go"));
  typed.addEventListener("input", () => (go.disabled = typed.value.trim() !== who.name));
  const form = h(
    "form",
    {},
    h("div", { class: "field" }, h("label", { for: "delete-name" }, t("account.delete.type", { name: who.name })), typed),
    trouble,
    h("p", { class: "row" }, h("button", { type: "button", onclick: () => dialog.close() }, t("account.delete.stay")), go),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(go, trouble, async () => {
      await del(`/v1/players/${who.player}`);
      dialog.close();
      forget();
      announce(t("account.delete.done"));
    });
  });
  const dialog = h(
    "dialog",
    { "aria-labelledby": "delete-title" },
    h("h2", { id: "delete-title" }, t("account.delete.title")),
    h("p", {}, t("account.delete.about", { name: who.name })),
    h("p", {}, t("account.delete.games")),
    form,
  );
  const button = h("button", { type: "button", class: "danger", dataset: { action: "delete-account" } }, t("account.delete.button"));
  button.addEventListener("click", () => {
    typed.value = "";
    go.disabled = true;
    showOver(dialog);
  });
  return h("div", {}, button, dialog);
}

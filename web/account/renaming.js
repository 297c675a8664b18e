/** What one is called: another name takes the place of the one before, everywhere. */

import { announce, h } from "../dom.js";
import { NAME_RULES } from "../name-field.js";
import { post } from "../net/api.js";
import { remember } from "../net/identity.js";
import { Problem } from "../net/problem.js";
import { t } from "../words.js";
import { card, field } from "./form.js";

/**
 * The form by which one calls oneself something else.
 *
 * @param {{player: string, name: string, token: string}} who
 * @returns {HTMLElement}
 */
export function renamingForm(who) {
  const send = async (form) => {
    const name = form.elements.rename.value.trim();
    try {
      await post(`/v1/players/${who.player}/name`, { name });
    } catch (problem) {
      // Another browser may have done it: then what this page shows is old, and what was wanted is so.
      if (!(problem instanceof Problem) || problem.code !== "name-unchanged" || name === who.name) {
        throw problem;
      }
    }
    remember({ player: who.player, name, token: who.token });
    announce(t("account.rename.done", { name }));
  };
  const props = { ...NAME_RULES, value: who.name };
  return h(
    "section",
    { "aria-labelledby": "rename-title" },
    h("h2", { id: "rename-title" }, t("account.rename.title")),
    h("p", {}, t("account.rename.about")),
    card(send, field("rename", t("account.new.name"), props, t("account.new.hint")), h("button", { type: "submit" }, t("account.rename.submit"))),
  );
}

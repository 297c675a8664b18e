/** Where the rules of a rulebook are. */

import { h } from "./dom.js";
import { t } from "./words.js";

/** The address of the page with all that a rulebook says. */
export function rulesAddress(game, rulebook) {
  return `/?${new URLSearchParams({ page: "rules", game, rulebook })}`;
}

/**
 * A way there beside something that is not to be left: it opens a tab of its own.
 *
 * @param {{game: string, id: string}} book
 */
export function rulesLink({ game, id }) {
  return h("a", { class: "rules-link", href: rulesAddress(game, id), target: "_blank", rel: "noopener" }, t("nav.rules.all"));
}

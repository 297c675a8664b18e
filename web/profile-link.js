/** Where one reads of a player: a name leads there, wherever there is a service to ask. */

import { h } from "./dom.js";
import { t } from "./words.js";

/**
 * The address of a player's profile.
 *
 * @param {string} player
 */
function profileAddress(player) {
  return `/?${new URLSearchParams({ page: "profile", player })}`;
}

/**
 * A name that leads to its player's profile; the name alone for a bot, for somebody who has been deleted, and where the page stands in
 * a file or within another page.
 *
 * @param {string} text the name.
 * @param {{player?: string, bot?: string|null, deleted?: boolean}} seat as a state or a row has it.
 * @param {{apart?: boolean}} [how] `apart`: in a window of its own, because one plays here.
 * @returns {Node|string}
 */
export function nameLink(text, { player = "", bot = null, deleted = false }, { apart = false } = {}) {
  const alone = document.body.classList.contains("archived") || document.body.classList.contains("embedded");
  if (bot || deleted || alone || !player.startsWith("p")) {
    return text;
  }
  const elsewhere = apart ? { target: "_blank", rel: "noopener" } : {};
  return h("a", { class: "name-link", href: profileAddress(player), title: t("player.profile", { name: text }), ...elsewhere }, text);
}

/** Chooses the tables of a wall: by tournament, by rulebook and mode, one's own, or those whose addresses one has. */

import { h } from "../dom.js";
import { textField } from "../lobby/fields.js";
import { drawFilter } from "../lobby/filter.js";
import { playerId } from "../net/session.js";
import { TOURNAMENT, TOURNAMENT_MAX } from "../tournaments.js";
import { t } from "../words.js";
import { addressOf, tablesIn } from "./choice.js";

/** @import { Choice } from "./choice.js" */

/** So much of a word that is no table is repeated. */
const SHOWN = 40;

/**
 * The forms. They say where to go.
 *
 * @param {Choice} choice what is shown.
 * @param {{lang: string, onChoose: (address: string) => void}} options
 * @returns {HTMLElement}
 */
export function drawChooser(choice, { lang, onChoose }) {
  const { filter, host, tournament, tables } = choice;
  const me = playerId();
  const own = h("input", { type: "checkbox", id: "wall-own", checked: me !== null && host === me, onchange: () => onChoose(addressOf({ filter, tournament, host: own.checked && me !== null ? me : "" })) });
  return h(
    "details",
    { class: "wall-chooser" },
    h("summary", {}, t("wall.choose")),
    byTournament(tournament, (code) => onChoose(addressOf({ filter, tournament: code, host }))),
    drawFilter(filter, lang, (wish) => onChoose(addressOf({ filter: wish, tournament, host }))),
    me !== null && h("p", {}, h("label", { class: "choice", for: "wall-own" }, own, h("span", {}, t("wall.own")))),
    byAddress(tables ?? [], onChoose),
  );
}

/** @param {string} tournament @param {(code: string) => void} onChoose of none with "". */
function byTournament(tournament, onChoose) {
  const field = textField({ name: "wall-tournament", label: t("wall.tournament"), value: tournament, pattern: TOURNAMENT, maxlength: TOURNAMENT_MAX, hint: t("wall.tournament.hint"), wrong: t("refused.bad-tournament") });
  const choose = (event) => {
    event.preventDefault();
    onChoose(/** @type {HTMLInputElement} */ (field.querySelector("input")).value);
  };
  return h("form", { class: "wall-by-tournament", onsubmit: choose }, field, h("button", { type: "submit" }, t("wall.tournament.show")));
}

/** @param {string[]} tables @param {(address: string) => void} onChoose */
function byAddress(tables, onChoose) {
  const field = h("textarea", { id: "wall-tables", rows: "3", "aria-describedby": "wall-tables-hint" }, tables.join("\n"));
  const wrong = h("p", { class: "error", role: "alert", hidden: true });
  const choose = (event) => {
    event.preventDefault();
    const { ids, unreadable } = tablesIn(field.value);
    wrong.hidden = unreadable.length === 0 && ids.length > 0;
    wrong.textContent = unreadable.length > 0 ? t("wall.unreadable", { what: shortened(unreadable) }) : t("wall.tables.none");
    wrong.hidden && onChoose(addressOf({ tables: ids }));
  };
  return h(
    "form",
    { class: "wall-by-address", onsubmit: choose },
    h("label", { for: "wall-tables" }, t("wall.tables.label")),
    field,
    h("p", { class: "hint", id: "wall-tables-hint" }, t("wall.tables.hint")),
    wrong,
    h("button", { type: "submit" }, t("wall.tables.show")),
  );
}

/** What somebody has written, as far as it fits into a sentence. @param {string[]} words */
export function shortened(words) {
  return words.map((word) => word.slice(0, SHOWN)).join(", ");
}

/** Which tables the lobby shows: of which game and rulebook, in which mode. */

import { h } from "../dom.js";
import { labelledMenu, menuOptions } from "../menu.js";
import { Problem } from "../net/problem.js";
import { t } from "../words.js";
import { coverOf, rulebooks } from "./shelf.js";
import { titleOf } from "./wish.js";

/**
 * The two menus. They fill themselves.
 *
 * @param {{game: string, rulebook: string, mode: string}} chosen ids, empty for all.
 * @param {string} lang
 * @param {(wish: {game: string, rulebook: string, mode: string}) => void} onChoose
 * @returns {HTMLFormElement}
 */
export function drawFilter(chosen, lang, onChoose) {
  const menu = (id, label, all, onChange) => labelledMenu({ id, label, choices: [{ value: "", text: all }], kind: "filter-menu", onChoose: onChange });
  const rulebook = menu("filter-rulebook", t("lobby.filter.rulebook"), t("lobby.filter.all_rulebooks"), () => onChoose({ ...titleIn(rulebook.select), mode: "" }));
  const mode = menu("filter-mode", t("lobby.filter.mode"), t("lobby.filter.all_modes"), (value) => onChoose({ ...chosen, mode: value }));
  mode.element.hidden = chosen.rulebook === "";
  fill(rulebook.select, mode.select, chosen, lang);
  return h(
    "form",
    { class: "filter row", "aria-label": t("lobby.filter.label"), onsubmit: (event) => event.preventDefault() },
    rulebook.element,
    mode.element,
  );
}

/** Without the names the menus stay short; the lobby itself tells that the service is out of reach. */
async function fill(rulebook, mode, chosen, lang) {
  try {
    const list = await rulebooks(lang);
    const title = list.rulebooks.find(
      ({ game, id }) => id === chosen.rulebook && (game === chosen.game || chosen.game === ""),
    );
    const choices = list.rulebooks.map(({ game, id, name }) => ({ id: titleOf(game, id), name, dataset: { game, rulebook: id } }));
    add(rulebook, choices, title === undefined ? "" : titleOf(title.game, title.id));
    if (title !== undefined) {
      add(mode, (await coverOf(title.game, title.id, lang)).json.modes, chosen.mode);
    }
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error;
    }
  }
}

function add(select, entries, chosen) {
  select.append(...menuOptions(entries.map(({ id, name, dataset }) => ({ value: id, text: name, dataset })), chosen));
}

/** The game and the rulebook that a menu shows; empty for all. */
function titleIn(select) {
  const { game = "", rulebook = "" } = select.selectedOptions[0].dataset;
  return { game, rulebook };
}

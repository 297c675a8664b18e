/** Which tables the lobby shows: of which game and rulebook, in which mode. */

import { h } from "../dom.js";
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
  const rulebook = menu("filter-rulebook", t("lobby.filter.rulebook"), t("lobby.filter.all_rulebooks"));
  const mode = menu("filter-mode", t("lobby.filter.mode"), t("lobby.filter.all_modes"));
  rulebook.select.addEventListener("change", () => onChoose({ ...titleIn(rulebook.select), mode: "" }));
  mode.select.addEventListener("change", () => onChoose({ ...chosen, mode: mode.select.value }));
  mode.element.hidden = chosen.rulebook === "";
  fill(rulebook.select, mode.select, chosen, lang);
  return h(
    "form",
    { class: "filter row", "aria-label": t("lobby.filter.label"), onsubmit: (event) => event.preventDefault() },
    rulebook.element,
    mode.element,
  );
}

function menu(id, label, all) {
  const select = h("select", { id }, h("option", { value: "" }, all));
  return { select, element: h("div", { class: "filter-menu" }, h("label", { for: id }, label), select) };
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
  select.append(
    ...entries.map(({ id, name, dataset = {} }) => h("option", { value: id, selected: id === chosen, dataset }, name)),
  );
}

/** The game and the rulebook that a menu shows; empty for all. */
function titleIn(select) {
  const { game = "", rulebook = "" } = select.selectedOptions[0].dataset;
  return { game, rulebook };
}

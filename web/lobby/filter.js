/** Which tables the lobby shows: of which rulebook, in which mode. */

import { h } from "../dom.js";
import { Problem } from "../net/problem.js";
import { t } from "../words.js";
import { bookOf, rulebooks } from "./shelf.js";

/**
 * The two menus. They fill themselves.
 *
 * @param {{rulebook: string, mode: string}} chosen ids, empty for all.
 * @param {string} lang
 * @param {(wish: {rulebook: string, mode: string}) => void} onChoose
 * @returns {HTMLFormElement}
 */
export function drawFilter(chosen, lang, onChoose) {
  const rulebook = menu("filter-rulebook", t("lobby.filter.rulebook"), t("lobby.filter.all_rulebooks"));
  const mode = menu("filter-mode", t("lobby.filter.mode"), t("lobby.filter.all_modes"));
  rulebook.select.addEventListener("change", () => onChoose({ rulebook: rulebook.select.value, mode: "" }));
  mode.select.addEventListener("change", () => onChoose({ rulebook: chosen.rulebook, mode: mode.select.value }));
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
    add(rulebook, list.rulebooks, chosen.rulebook);
    if (list.rulebooks.some((each) => each.id === chosen.rulebook)) {
      add(mode, (await bookOf(chosen.rulebook, lang)).json.modes, chosen.mode);
    }
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error;
    }
  }
}

function add(select, entries, chosen) {
  select.append(...entries.map((entry) => h("option", { value: entry.id, selected: entry.id === chosen }, entry.name)));
}

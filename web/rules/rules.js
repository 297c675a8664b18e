/** All that a rulebook says of its things, on one page: to be read, searched and printed. */

import { loadBook } from "../books.js";
import { h } from "../dom.js";
import { offerOf } from "../games/registry.js";
import { wantWords } from "../languages.js";
import { rulebooks } from "../lobby/shelf.js";
import { labelledMenu } from "../menu.js";
import { refusalNote } from "../refusal.js";
import { rulesAddress } from "../rules-address.js";
import { language, matches, t, tn } from "../words.js";

/** @import { Chapter } from "../games/contract.js" */

wantWords(["lobby", "board", "rules"]);

/**
 * Show the rulebook that the address names; the first one, where it names none.
 *
 * @param {HTMLElement} root
 * @param {{navigate: (address: string) => void}} context
 * @returns {() => void} unmount.
 */
export function mount(root, { navigate }) {
  const over = new AbortController();
  const page = h("section", { class: "rules", "aria-busy": "true" }, h("h1", { tabindex: "-1" }, t("nav.rules")));
  root.append(page);
  const show = async () => {
    try {
      const { rulebooks: all } = await rulebooks(language());
      const { game, id } = wanted(all);
      const book = await loadBook(game, id, language());
      if (!over.signal.aborted) {
        page.append(...content(book, all, navigate));
      }
    } catch (error) {
      if (!over.signal.aborted) {
        page.append(refusalNote(error));
      }
    } finally {
      page.removeAttribute("aria-busy");
    }
  };
  show();
  return () => over.abort();
}

/** The rulebook of the address: what is not known is asked for, and refused by name. */
function wanted(all) {
  const { searchParams } = new URL(location.href);
  const [game, id] = [searchParams.get("game"), searchParams.get("rulebook")];
  const first = all.find((each) => game === null || each.game === game) ?? all[0];
  return game === null || id === null ? first : { game, id };
}

function content(book, all, navigate) {
  const chapters = chaptersOf(book);
  const told = h("div", {}, chapters.map(drawChapter));
  const found = h("output", { class: "rules-found", for: "rules-search" });
  const search = (text) => {
    const count = narrow(told, text);
    found.textContent = text.trim() === "" ? "" : tn("rules.found", count);
  };
  return [
    h(
      "form",
      { class: "rules-tools row", role: "search", onsubmit: (event) => event.preventDefault() },
      menu(book, all, navigate),
      h("label", { for: "rules-search" }, t("rules.search")),
      h("input", { type: "search", id: "rules-search", autocomplete: "off", oninput: ({ target }) => search(target.value) }),
      h("button", { type: "button", id: "rules-print", onclick: () => print() }, t("rules.print")),
      found,
    ),
    h("h2", {}, book.name),
    h("p", { class: "lead" }, book.json.about),
    told,
  ];
}

/** The modes, which every rulebook has, and what the game has besides. @returns {Chapter[]} */
function chaptersOf(book) {
  const modes = book.json.modes.map(({ name, about }) => ({ name, texts: [about] }));
  return [{ title: t("rules.modes"), entries: modes }, ...offerOf(book.game).words.chapters(book)].filter(({ entries }) => entries.length > 0);
}

/** @param {Chapter} chapter */
function drawChapter({ title, entries }) {
  return h("section", { class: "rules-chapter" }, h("h3", {}, title), entries.map(drawEntry));
}

function drawEntry({ name, texts }) {
  return h("div", { class: "rules-entry" }, name && h("h4", {}, name), texts.map((text) => h("p", {}, text)));
}

/**
 * Show the entries that hold all words of a text, and the chapters that have any; all of a chapter whose title holds them.
 *
 * @returns {number} how many entries are shown.
 */
function narrow(told, text) {
  let count = 0;
  for (const chapter of told.querySelectorAll(".rules-chapter")) {
    const whole = matches(chapter.querySelector("h3").textContent, text);
    const entries = [...chapter.querySelectorAll(".rules-entry")];
    entries.forEach((entry) => {
      entry.hidden = !whole && !matches(entry.textContent, text);
    });
    const shown = entries.filter(({ hidden }) => !hidden).length;
    chapter.hidden = shown === 0;
    count += shown;
  }
  return count;
}

function menu(book, all, navigate) {
  const choices = all.map(({ name }, index) => ({ value: String(index), text: name }));
  const chosen = all.findIndex(({ game, id }) => game === book.game && id === book.id);
  const onChoose = (index) => navigate(rulesAddress(all[Number(index)].game, all[Number(index)].id));
  return labelledMenu({ id: "rules-book", label: t("rules.book"), choices, chosen: String(chosen), kind: "filter-menu", onChoose }).element;
}

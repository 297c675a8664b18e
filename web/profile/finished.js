/** Looking for finished games: by player, result, ending, game and day. */

import { announce, clear, h } from "../dom.js";
import { wantWords } from "../languages.js";
import { GamePages } from "../lobby/pages.js";
import { listPath } from "../lobby/queries.js";
import { TableSection } from "../lobby/section.js";
import { field } from "../account/form.js";
import { labelledMenu, menuOptions } from "../menu.js";
import { get } from "../net/api.js";
import { serverNow } from "../net/clock.js";
import { Problem } from "../net/problem.js";
import { playerId } from "../net/session.js";
import { refusalNote } from "../refusal.js";
import { language, t } from "../words.js";
import { mountRead } from "./page.js";
import { queryOf, searchAddress, searchOf } from "./search-query.js";
import { titlesIn } from "./titles.js";

wantWords(["people", "lobby", "board"]);

const PAGE = 20;
/** Among the players of so many games, the newest, a name is looked for. */
const LOOKED_THROUGH = 100;
const PLAYER = /p[0-9a-f]{2}-[0-9a-hjkmnp-tv-z]{26}/;
const RESULTS = ["won", "lost", "undecided"];

/**
 * Show the form, and what its search finds.
 *
 * @param {HTMLElement} root
 * @param {{navigate: (address: string, how?: {replace?: boolean}) => void}} context
 * @returns {() => void} unmount.
 */
export function mount(root, { navigate }) {
  return mountRead(root, t("people.search.title"), async (signal) => {
    const search = searchOf(location.href);
    const [titles, name] = await Promise.all([titlesIn(language()), nameOf(search.player, signal)]);
    const form = new SearchForm(search, name, titles, navigate, signal);
    const found = new FoundGames(search, signal);
    await found.read();
    return [h("h1", { tabindex: "-1" }, t("people.search.title")), form.element, found.element];
  });
}

/** What a player is called now; the id of one who has no name any more. */
async function nameOf(player, signal) {
  if (player === "") {
    return "";
  }
  try {
    return (await get(`/v1/players/${encodeURIComponent(player)}`, { signal })).body.name ?? player;
  } catch (error) {
    if (error instanceof Problem && error.code === "player-not-found") {
      return player;
    }
    throw error;
  }
}

/** The form of a search. */
class SearchForm {
  #trouble = h("div", { "aria-live": "polite" });

  constructor(search, name, titles, navigate, signal) {
    this.search = search;
    this.name = name;
    this.titles = titles;
    this.navigate = navigate;
    this.signal = signal;
    const games = titles.games.map(({ game }) => ({ id: game, name: titles.game(game) }));
    const outcome = menu("outcome", t("people.search.outcome"), this.#outcomes(search.game), search.outcome);
    const refill = (game) => outcome.select.replaceChildren(...menuOptions(withAny(this.#outcomes(game))));
    const game = menu("game", t("people.search.game"), games, search.game, refill);
    const results = RESULTS.map((id) => ({ id, name: t(`people.result.${id}`) }));
    this.element = h(
      "form",
      { class: "card search", "aria-label": t("people.search.label") },
      field("player", t("people.search.player"), { value: name, maxlength: 200, autocomplete: "off", spellcheck: "false" }, t("people.search.player.hint")),
      menu("result", t("people.search.result"), results, search.result).element,
      game.element,
      outcome.element,
      field("from", t("people.search.from"), { type: "date", value: search.from }),
      field("to", t("people.search.to"), { type: "date", value: search.to }),
      h("p", { class: "row" }, h("button", { type: "submit", class: "primary" }, t("people.search.go")), h("a", { class: "button", href: searchAddress({}) }, t("people.search.clear"))),
      this.#trouble,
    );
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
  }

  /** The endings of a game; of all games where none is chosen. */
  #outcomes(game) {
    const games = game === "" ? this.titles.games.map((each) => each.game) : [game];
    const found = new Map(games.flatMap((each) => [...this.titles.outcomes(each)]));
    return [...found].map(([id, name]) => ({ id, name }));
  }

  async #send() {
    clear(this.#trouble);
    const data = new FormData(/** @type {HTMLFormElement} */ (this.element));
    const wish = Object.fromEntries([...data].map(([name, value]) => [name, String(value).trim()]));
    try {
      const player = await this.#player(wish.player);
      if (player === null) {
        return;
      }
      if (wish.result !== "" && player === "") {
        this.#say(t("people.search.whose"));
        return;
      }
      this.navigate(searchAddress({ ...wish, player }));
    } catch (error) {
      this.#trouble.append(refusalNote(error));
    }
  }

  /** The id of the player that a text means; "" for anybody, null where it is not clear and something has been said. */
  async #player(text) {
    if (text === "" || text === this.name) {
      return text === "" ? "" : this.search.player;
    }
    const id = PLAYER.exec(text);
    if (id !== null) {
      return id[0];
    }
    const called = await playersCalled(text, this.signal);
    if (called.length === 1) {
      return called[0];
    }
    this.#say(t(called.length === 0 ? "people.search.unknown" : "people.search.several", { name: text }), called);
    return null;
  }

  #say(text, players = []) {
    const links = players.map((player) => h("li", {}, h("a", { href: searchAddress({ ...this.search, player }) }, player)));
    clear(this.#trouble).append(h("p", { class: "error" }, text));
    links.length > 0 && this.#trouble.append(h("ul", {}, ...links));
  }
}

/** The players of a name at the tables that the reader may see: names are nobody's alone, and have no index. @returns {Promise<string[]>} */
async function playersCalled(name, signal) {
  const pages = await Promise.all(["finished", "live", "open"].map((status) => get(listPath({ status, limit: LOOKED_THROUGH }), { signal })));
  const seats = pages.flatMap(({ body }) => body.games).flatMap((row) => row.seats);
  const alike = seats.filter((seat) => !seat.bot && seat.name?.toLocaleLowerCase() === name.toLocaleLowerCase());
  return [...new Set(alike.map(({ player }) => player))];
}

/** A menu of a search, which may ask for anything. */
function menu(name, label, entries, chosen, onChoose) {
  return labelledMenu({ id: `field-${name}`, name, label, choices: withAny(entries), chosen, onChoose });
}

function withAny(entries) {
  return [{ value: "", text: t("people.search.any") }, ...entries.map(({ id, name }) => ({ value: id, text: name }))];
}

/** The games that a search finds, page by page. */
class FoundGames {
  constructor(search, signal) {
    this.signal = signal;
    this.pages = new GamePages(queryOf(search, PAGE));
    this.trouble = h("div", {});
    this.section = new TableSection({ name: "found", title: t("people.found.title"), empty: [t("people.found.vacant")], onMore: () => this.#widen() });
    this.element = h("div", { class: "lobby" }, this.section.element, this.trouble);
  }

  async read() {
    await this.pages.refresh(this.signal);
    const around = () => ({ me: playerId(), calls: 0, now: serverNow(), sit: () => {}, panel: null, screen: null });
    await this.section.update(this.pages.rows, around, { lang: language(), more: this.pages.more });
  }

  async #widen() {
    clear(this.trouble);
    this.pages.widen();
    try {
      await this.read();
      announce(t("people.board.more"));
    } catch (error) {
      this.trouble.append(refusalNote(error));
    }
  }
}

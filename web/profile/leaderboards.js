/** Who is strongest: by season, game and side. */

import { attempt } from "../account/form.js";
import { announce, h, present } from "../dom.js";
import { wantWords } from "../languages.js";
import { labelledMenu } from "../menu.js";
import { get } from "../net/api.js";
import { playerId } from "../net/session.js";
import { nameLink } from "../profile-link.js";
import { language, number, t } from "../words.js";
import { boardAddress } from "./board-address.js";
import { DataTable, mountRead } from "./page.js";
import { ladderTitle, seasonTitle, titlesIn } from "./titles.js";

wantWords(["people", "lobby", "board"]);

/** @import { Board } from "./board-address.js" */

const PAGE = 50;

/**
 * Show the leaderboard that the address names.
 *
 * @param {HTMLElement} root
 * @param {{navigate: (address: string, how?: {replace?: boolean}) => void}} context
 * @returns {() => void} unmount.
 */
export function mount(root, { navigate }) {
  return mountRead(root, t("nav.leaderboards"), async (signal) => {
    const [{ body: listed }, titles] = await Promise.all([get("/v1/leaderboards", { signal }), titlesIn(language())]);
    const board = wanted(listed, titles);
    const choices = menus(board, listed, titles, (chosen) => navigate(boardAddress(chosen)));
    const table = new BoardTable(board, titles, signal);
    await table.more();
    return [h("h1", { tabindex: "-1" }, t("nav.leaderboards")), choices, table.element, h("p", { class: "hint" }, t("people.rating.about"))];
  });
}

/** The leaderboard of the address; where it says nothing, one that has somebody on it. @returns {Board} */
function wanted({ season, leaderboards }, titles) {
  const { searchParams } = new URL(location.href);
  const first = leaderboards.find((each) => each.season === season) ?? leaderboards[0] ?? { season, ...ladders(titles)[0] };
  const game = searchParams.get("game");
  return game === null ? first : { season: searchParams.get("season") ?? "all", game, side: searchParams.get("side") };
}

/** What there may be a leaderboard of. @returns {Array<{game: string, side: string|null}>} */
function ladders(titles) {
  return titles.games.flatMap(({ game, sides }) => [...sides, null].map((side) => ({ game, side })));
}

function menus(board, { season, leaderboards }, titles, onChoose) {
  const seasons = [...new Set(["all", season, ...leaderboards.map((each) => each.season), board.season])];
  const games = ladders(titles);
  const same = (each) => each.game === board.game && each.side === board.side;
  const chosen = games.findIndex(same);
  const name = ({ game, side }) => (side === null && titles.games.some((each) => each.game === game && each.sides.length > 0) ? t("people.ladder.open", { game: titles.game(game) }) : ladderTitle(titles, game, side));
  const seasonMenu = numbered("board-season", t("people.season.head"), seasons.map(seasonTitle), seasons.indexOf(board.season), (index) => onChoose({ ...board, season: seasons[index] }));
  const gameMenu = numbered("board-game", t("people.what"), games.map(name), chosen, (index) => onChoose({ season: board.season, ...games[index] }));
  const form = h("form", { class: "filter row", "aria-label": t("people.board.which"), onsubmit: (event) => event.preventDefault() }, gameMenu, seasonMenu);
  return h("div", { class: "lobby" }, form);
}

/** A menu of things that have an order and no ids. */
function numbered(id, label, names, chosen, onChoose) {
  const choices = names.map((text, index) => ({ value: String(index), text }));
  return labelledMenu({ id, label, choices, chosen: String(chosen), kind: "filter-menu", onChoose: (index) => onChoose(Number(index)) }).element;
}

/** A leaderboard as far as it has been asked for. */
class BoardTable {
  /** @type {string|null} */
  #cursor = null;
  #more = h("button", { type: "button", class: "quiet", hidden: true }, t("lobby.more"));
  #trouble = h("div", {});

  /** @param {Board} board */
  constructor(board, titles, signal) {
    this.board = board;
    this.signal = signal;
    this.element = h("div", {});
    const caption = t("people.board.of", { what: ladderTitle(titles, board.game, board.side), season: seasonTitle(board.season) });
    const heads = ["people.rank", "people.player", "people.rating", "people.rated_games", "people.won"].map((key) => t(key));
    this.table = new DataTable(caption, heads, { about: 1, kind: "ranked" });
    this.#more.addEventListener("click", () => this.#widen());
  }

  /** Ask for the next page, and show it. */
  async more() {
    const { season, game, side } = this.board;
    const query = { game, limit: String(PAGE), ...(side !== null && { side }), ...(this.#cursor !== null && { cursor: this.#cursor }) };
    const { body } = await get(`/v1/leaderboards/${encodeURIComponent(season)}?${new URLSearchParams(query)}`, { signal: this.signal });
    this.#cursor = body.next;
    this.table.add(body.rows.map(rowOf));
    this.#more.hidden = body.next === null;
    if (this.element.firstChild === null) {
      this.element.append(...(body.rows.length === 0 ? empty() : [this.table.element, this.#trouble, h("p", {}, this.#more)]));
    }
  }

  async #widen() {
    await attempt(this.#more, this.#trouble, async () => {
      await this.more();
      announce(t("people.board.more"));
    });
  }
}

function empty() {
  return present([
    h("p", { class: "empty" }, t("people.board.vacant")),
    h("p", {}, h("a", { class: "button primary", href: "/" }, t("people.profile.play"))),
  ]);
}

/** @returns {import("./page.js").DataRow} */
function rowOf({ rank, player, name, rating, deviation, games, won }) {
  return {
    columns: [number(rank), nameLink(name, { player }), t("people.rating.is", { rating: number(rating), deviation: number(deviation) }), number(games), number(won)],
    props: { class: player === playerId() ? "mine" : "", dataset: { player } },
  };
}

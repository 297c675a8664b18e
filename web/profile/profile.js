/** A player: what they have played and won, on which side, and how strong they are. */

import { h, present } from "../dom.js";
import { wantWords } from "../languages.js";
import { get } from "../net/api.js";
import { playerId } from "../net/session.js";
import { language, moment, number, t, tn } from "../words.js";
import { boardAddress } from "./board-address.js";
import { dataTable, mountRead } from "./page.js";
import { searchAddress } from "./search-query.js";
import { ladderTitle, seasonTitle, titlesIn } from "./titles.js";

wantWords(["people", "lobby", "board"]);

/** After so many rated games a rating is shown. */
const SHOWN_AFTER = 10;

/**
 * Show the profile that the address names; without one, the reader's own.
 *
 * @param {HTMLElement} root
 * @returns {() => void} unmount.
 */
export function mount(root) {
  const player = new URL(location.href).searchParams.get("player") ?? playerId();
  if (player === null) {
    const link = h("a", { class: "button primary", href: "/?page=account&next=%2F%3Fpage%3Dprofile" }, t("nav.sign_in"));
    return mountRead(root, t("people.profile.title"), async () => [heading(t("people.profile.title")), h("p", {}, t("people.profile.nobody")), h("p", {}, link)]);
  }
  return mountRead(root, t("people.profile.title"), async (signal) => {
    const [{ body }, titles] = await Promise.all([get(`/v1/players/${encodeURIComponent(player)}/profile`, { signal }), titlesIn(language())]);
    return draw(body, titles);
  });
}

function heading(text) {
  return h("h1", { tabindex: "-1", dir: "auto" }, text);
}

function draw(profile, titles) {
  const own = profile.id === playerId();
  const links = h(
    "p",
    { class: "row" },
    h("a", { class: "button", href: searchAddress({ player: profile.id }) }, t("people.profile.games")),
    h("a", { class: "button", href: "/?page=leaderboards" }, t("nav.leaderboards")),
    own && h("a", { class: "button", href: "/?page=account" }, t("people.profile.account")),
  );
  const since = h("p", { class: "muted" }, t("people.profile.since", { at: moment(profile.registered_at) }));
  if (profile.games === 0) {
    return present([heading(profile.name), since, h("p", { class: "empty" }, t(own ? "people.profile.vacant.own" : "people.profile.vacant")), own && h("p", {}, h("a", { class: "button primary", href: "/" }, t("people.profile.play"))), links]);
  }
  return present([heading(profile.name), since, totals(profile), played(profile, titles), ratings(profile, titles), seasons(profile), h("p", { class: "hint" }, t("people.counted")), links]);
}

function totals(profile) {
  const fact = (key, value) => h("div", {}, h("dt", {}, t(key)), h("dd", {}, value));
  return h(
    "dl",
    { class: "people-facts" },
    fact("people.games", number(profile.games)),
    fact("people.won", number(profile.won)),
    fact("people.lost", number(profile.games - profile.won)),
    fact("people.last", moment(profile.last_played_at)),
  );
}

function played({ played: lines }, titles) {
  const rows = lines.map(({ game, rulebook, mode, side, games, won }) => [
    [titles.rulebook(game, rulebook), titles.mode(game, rulebook, mode), titles.side(game, side)].filter((part) => part !== null).join(" · "),
    number(games),
    number(won),
    number(games - won),
  ]);
  return dataTable(t("people.played"), [t("people.what"), t("people.games"), t("people.won"), t("people.lost")], rows);
}

function ratings({ ratings: found }, titles) {
  if (found.length === 0) {
    return null;
  }
  const rows = found.map(({ game, side, games, rating, deviation }) => [
    h("a", { href: boardAddress({ season: "all", game, side }) }, ladderTitle(titles, game, side)),
    rating === null ? tn("people.rating.later", SHOWN_AFTER - games) : t("people.rating.is", { rating: number(rating), deviation: number(deviation) }),
    number(games),
  ]);
  return h("div", {}, dataTable(t("people.ratings"), [t("people.what"), t("people.rating"), t("people.rated_games")], rows), h("p", { class: "hint" }, t("people.rating.about")));
}

function seasons({ seasons: found }) {
  const rows = found.map(({ season, games, won }) => [seasonTitle(season), number(games), number(won), number(games - won)]);
  return dataTable(t("people.seasons"), [t("people.season.head"), t("people.games"), t("people.won"), t("people.lost")], rows);
}

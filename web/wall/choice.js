/** Which tables an address of the wall asks for (pure): some by their ids, or those of a tournament, of a rulebook, or of a host. */

import { isTournament } from "../tournaments.js";

/** As many as the service tells of in one answer. */
export const TABLES_MAX = 50;

const TABLE = /^g[0-9a-f]{2}-[0-9a-hjkmnp-tv-z]{26}$/;
const HOST = /^p[0-9a-f]{2}-[0-9a-hjkmnp-tv-z]{26}$/;

/**
 * @typedef {Object} Choice
 * @property {string[]|null} tables ids; null: those that fit the filter.
 * @property {{game: string, rulebook: string, mode: string}} filter empty for all.
 * @property {string} host whose tables; empty for everybody's.
 * @property {string} tournament the code of the one whose tables; empty for all.
 * @property {string[]} unreadable what stands for a table, a host or a tournament and cannot be one.
 * @property {number} left how many tables there is no room for.
 */

/**
 * What an address asks for.
 *
 * @param {string} address
 * @returns {Choice}
 */
export function choiceOf(address) {
  const { searchParams } = new URL(address);
  const part = (name) => (searchParams.get(name) ?? "").trim();
  const filter = { game: part("game"), rulebook: part("rulebook"), mode: part("mode") };
  const [host, badHost] = checked(part("host"), (text) => HOST.test(text));
  const [tournament, badTournament] = checked(part("tournament"), isTournament);
  const { ids, unreadable } = tablesIn(searchParams.get("tables") ?? "");
  const listed = searchParams.has("tables");
  return {
    tables: listed ? ids.slice(0, TABLES_MAX) : null,
    filter,
    host,
    tournament,
    unreadable: [...unreadable, ...badHost, ...badTournament],
    left: Math.max(0, ids.length - TABLES_MAX),
  };
}

/** What an address names if it can be that, and otherwise nothing, and what it is that cannot. @returns {[string, string[]]} */
const checked = (text, fits) => (text === "" || fits(text) ? [text, []] : ["", [text]]);

/**
 * The tables that somebody has written down: ids, or the addresses of their pages.
 *
 * @param {string} text with commas, spaces or line breaks between them.
 * @returns {{ids: string[], unreadable: string[]}}
 */
export function tablesIn(text) {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  const named = words.map((word) => /\/(?:watch|embed)\/([^/?#]+)/.exec(word)?.[1] ?? word);
  const ids = [...new Set(named.filter((name) => TABLE.test(name)))];
  return { ids, unreadable: named.filter((name) => !TABLE.test(name)) };
}

/**
 * The address of a wall.
 *
 * @param {{tables?: string[]|null, filter?: {game: string, rulebook: string, mode: string}, host?: string, tournament?: string}} choice
 */
export function addressOf({ tables = null, filter = { game: "", rulebook: "", mode: "" }, host = "", tournament = "" }) {
  const given = tables === null ? Object.entries({ tournament, ...filter, host }).filter(([, value]) => value !== "") : [["tables", tables.join(",")]];
  return `/?${new URLSearchParams([["page", "wall"], ...given])}`;
}

/** Paths of the API that more than one part of the page asks for; and of which game the table is that the document is of. */

/**
 * The path of a game's view.
 *
 * @param {string} game its id.
 * @param {string|null} wish "public", "seat:2", "full" or null: one's own seat, or the public view.
 */
export function viewPath(game, wish) {
  const path = `/v1/games/${encodeURIComponent(game)}`;
  return wish === null ? path : `${path}?as=${wish}`;
}

/**
 * The path of the book of a rulebook.
 *
 * @param {string} game the game that it is of: two may have rulebooks of one id.
 * @param {string} rulebook its id.
 * @param {string} lang one of the page's languages.
 */
export function bookPath(game, rulebook, lang) {
  return `/v1/rulebooks/${encodeURIComponent(rulebook)}?${new URLSearchParams({ game, lang })}`;
}

/**
 * The path of a game's log, and the query that asks for all of it, for what comes, and for whom the game waits.
 *
 * @param {string} game its id.
 * @param {string} viewer "public", "seat:2" or "full".
 */
export function eventsPath(game, viewer) {
  return `/v1/games/${encodeURIComponent(game)}/events?as=${viewer}&asked=true`;
}

/** The address that the document was sent for. */
const FIRST = location.pathname;

/**
 * What the document says of a table.
 *
 * @param {string} game its id.
 * @returns {{game: string, rulebook: string}|null} null: the document is of another address, or of a table that not everybody may know of.
 */
export function knownTable(game) {
  const [, of] = /\/([\w-]+)\/?$/.exec(FIRST) ?? [];
  const [plays, rulebook] = (document.querySelector('meta[name="table"]')?.getAttribute("content") ?? "").split(" ");
  return of !== game || rulebook === undefined ? null : { game: plays, rulebook };
}

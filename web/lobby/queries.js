/** What the lobby asks the service for first: the lists of tables, and what can be played. */

const PAGE = 12;
const OWN = 50;

/**
 * The filter that an address of the lobby asks for.
 *
 * @param {string} address
 * @returns {{game: string, rulebook: string, mode: string}} empty for all.
 */
export function filterOf(address) {
  const { searchParams } = new URL(address);
  const part = (name) => searchParams.get(name) ?? "";
  return { game: part("game"), rulebook: part("rulebook"), mode: part("mode") };
}

/**
 * The queries of the lobby's lists, by their names.
 *
 * @param {{game: string, rulebook: string, mode: string}} filter
 * @param {string|null} me the reader's player id.
 * @returns {Object<string, Object<string, string|number>>} of `GET /v1/games`.
 */
export function queriesOf(filter, me) {
  const wished = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ""));
  const all = (status) => ({ ...wished, status, limit: PAGE });
  const own = (status) => ({ player: me ?? "", status, limit: OWN });
  return {
    ...(me !== null && { myLive: own("live"), myOpen: own("open"), myFinished: { ...own("finished"), limit: PAGE } }),
    open: all("open"),
    live: all("live"),
    finished: all("finished"),
  };
}

/**
 * The path of a list.
 *
 * @param {Object<string, string|number>} query
 * @param {string|null} cursor of a further page.
 */
export function listPath(query, cursor = null) {
  return `/v1/games?${new URLSearchParams({ ...query, ...(cursor !== null && { cursor }) })}`;
}

/** The path of the list of rulebooks. */
export function rulebooksPath(lang) {
  return `/v1/rulebooks?${new URLSearchParams({ lang })}`;
}

/** What is looked for among finished games: in an address, in a form, and as the service is asked. */

const FIELDS = ["player", "result", "game", "outcome", "from", "to"];
const DAY_MS = 24 * 3600 * 1000;

/**
 * A search; fields that are empty are anything. `from` and `to` are days such as `2026-11-24`, both included.
 *
 * @typedef {{player: string, result: string, game: string, outcome: string, from: string, to: string}} Search
 */

/** The search that an address asks for. @param {string} address @returns {Search} */
export function searchOf(address) {
  const { searchParams } = new URL(address);
  return /** @type {Search} */ (Object.fromEntries(FIELDS.map((name) => [name, searchParams.get(name) ?? ""])));
}

/** The address of a search. @param {Partial<Search>} search */
export function searchAddress(search) {
  const given = FIELDS.map((name) => [name, search[name] ?? ""]).filter(([, value]) => value !== "");
  return `/?${new URLSearchParams([["page", "finished"], ...given])}`;
}

/**
 * What the service is asked for.
 *
 * @param {Search} search
 * @param {number} limit
 * @returns {Object<string, string|number>} of `GET /v1/games`.
 */
export function queryOf({ player, result, game, outcome, from, to }, limit) {
  const begin = dayOf(from);
  const end = dayOf(to);
  return {
    status: "finished",
    limit,
    ...(player !== "" && { player }),
    ...(player !== "" && result !== "" && { result }),
    ...(game !== "" && { game }),
    ...(outcome !== "" && { outcome }),
    ...(begin !== null && { opened_from: begin }),
    ...(end !== null && { opened_before: end + DAY_MS }),
  };
}

/** When a day begins where the reader is; null for what is no day. */
function dayOf(text) {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00`).getTime() : NaN;
  return Number.isNaN(time) ? null : Math.max(0, time);
}

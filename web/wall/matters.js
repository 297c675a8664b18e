/** What is the matter with a table, and how urgent it is (pure). */

/** With so little time left a table goes before those that just run, in milliseconds. */
const SOON_MS = 30_000;

/** How a table stands, the most urgent first. */
const URGENCIES = ["calls", "soon", "runs", "stands", "open", "over"];

/**
 * Something that whoever watches over a table should know.
 *
 * @typedef {Object} Matter
 * @property {"held"|"director"|"players"|"proposed"|"missed"|"absent"|"disconnected"|"resigned"|"annulled"} kind
 * @property {number|null} seat whom it is about.
 * @property {number} count how often in a row; 1 where it is not counted.
 * @property {boolean} calls whether somebody is to be called for it.
 * @property {string} id the same as long as it is the same matter, so that nobody is called for it twice.
 */

/**
 * What is the matter with a table, what calls first.
 *
 * @param {any} table one of `GET /v1/wall`.
 * @returns {Matter[]}
 */
export function mattersOf(table) {
  const found = [...ofTable(table), ...table.seats.flatMap((seat) => ofSeat(seat, table))];
  return [...found.filter(({ calls }) => calls), ...found.filter(({ calls }) => !calls)];
}

/** @returns {Matter[]} */
function ofTable({ status, result, paused, paused_at: at, pause_proposed: by, version }) {
  const matter = (kind, id, calls, seat = null) => ({ kind, seat, count: 1, calls, id: `${kind}-${id}` });
  if (status === "finished") {
    return result?.reason === "annulled" ? [matter("annulled", "", true)] : [];
  }
  return [
    ...(paused === null ? [] : [matter(paused, at, paused === "held")]),
    ...(by === null ? [] : [matter("proposed", version, false, by)]),
  ];
}

/** @returns {Matter[]} */
function ofSeat({ seat, strikes = 0, absent = false, resigned = false, asked = null, connection = null }, { status, turn, since }) {
  if (status !== "live") {
    return [];
  }
  const matter = (kind, id, calls, count = 1) => ({ kind, seat, count, calls, id: `${kind}-s${seat}-${id}` });
  if (resigned) {
    return [matter("resigned", "", false)];
  }
  const gone = connection === "disconnected";
  return [
    ...(absent ? [matter("absent", `t${turn}`, true)] : []),
    ...(!absent && strikes > 0 ? [matter("missed", `t${turn}-${strikes}`, true, strikes)] : []),
    // Whoever is not waited for may be gone without harm.
    ...(gone ? [matter("disconnected", asked === null ? "" : String(since), asked !== null)] : []),
  ];
}

/**
 * How a table stands.
 *
 * @param {any} table
 * @param {number} now by the service's clock.
 * @returns {string} one of `URGENCIES`.
 */
export function urgencyOf(table, now) {
  const calls = mattersOf(table).some((matter) => matter.calls);
  if (table.status === "finished") {
    return "over";
  }
  if (calls) {
    return "calls";
  }
  if (table.status === "open") {
    return "open";
  }
  if (table.paused !== null) {
    return "stands";
  }
  return isDueSoon(table, now) ? "soon" : "runs";
}

/** Whether time is about to run out, whatever else is the matter. */
export const isDueSoon = ({ due }, now) => due !== null && due - now < SOON_MS;

/**
 * The tables in the order in which they are looked at: the most urgent first, and of those the one with the least time.
 *
 * @param {any[]} tables
 * @param {number} now by the service's clock.
 * @returns {any[]}
 */
export function byUrgency(tables, now) {
  const place = (table) => URGENCIES.indexOf(urgencyOf(table, now));
  const due = (table) => table.due ?? Infinity;
  const before = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  return [...tables].sort((a, b) => before(place(a), place(b)) || before(due(a), due(b)) || before(a.id, b.id));
}

/**
 * The same tables in the order of before, with new ones behind them: as long as somebody points at one, none moves.
 *
 * @param {any[]} tables
 * @param {string[]} order ids as they stand now.
 * @returns {any[]}
 */
export function asBefore(tables, order) {
  const place = ({ id }) => (order.includes(id) ? order.indexOf(id) : order.length);
  return [...tables].sort((a, b) => place(a) - place(b));
}

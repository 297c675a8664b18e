/**
 * The service's clock, as far as it can be told from here.
 *
 * The offset (service minus browser) lies between two bounds. An answer's Date was written between sending and
 * receiving, but is cut to seconds and up to a second old; an event had happened before it came, so each one pushes
 * the lower bound up to within the network's delay. Bounds that contradict each other mean that a clock was set: then
 * what was known before counts no more.
 */

/** By how much a Date header may lag behind its answer: cut to seconds, and made once a second. */
const DATE_LAG_MS = 2000;

let lower = -Infinity;
let upper = Infinity;
/** Whether the lower bound was set by an event. Then it is the better guess; otherwise the middle is. */
let byEvent = false;

/**
 * Learn from an answer.
 *
 * @param {Response} response
 * @param {number} sentAt `Date.now()` before it was asked for.
 * @param {number} receivedAt the same when its headers were there.
 */
export function observe(response, sentAt, receivedAt) {
  const date = Date.parse(response.headers.get("date") ?? "");
  if (!Number.isNaN(date) && !response.headers.has("age")) {
    byEvent &&= date - receivedAt <= lower;
    narrow(date - receivedAt, date + DATE_LAG_MS - sentAt);
  }
}

/**
 * Learn from an event, or a command's receipt: it happened before now.
 *
 * @param {number} atMs its time, by the service.
 */
export function observeEvent(atMs) {
  const low = atMs - Date.now();
  byEvent ||= low > lower;
  narrow(low, Infinity);
}

/** The time by the service's clock, in milliseconds since 1970. */
export function serverNow() {
  return Date.now() + offset();
}

/** What is to be added to the browser's clock, in milliseconds. */
function offset() {
  if (lower === -Infinity) {
    return 0;
  }
  return byEvent || upper === Infinity ? lower : (lower + upper) / 2;
}

function narrow(low, high) {
  lower = Math.max(lower, low);
  upper = Math.min(upper, high);
  if (lower > upper) {
    [lower, upper] = [low, high];
  }
}

/**
 * Following the service live: NDJSON over fetch, with the token in its header.
 *
 * A stream may end at any moment, in the middle of a line too. Only whole lines count, each event's version must be
 * the next one, and whatever happens the stream goes on after the last version that was handed over: so nothing is
 * missing and nothing comes twice.
 */

import { bearer, onIdentity, refuse } from "./identity.js";
import { observe, observeEvent } from "./clock.js";
import { LineCutter } from "./lines.js";
import { pauseAfter, untilWorthTrying } from "./pause.js";
import { isPassing, problemOf, unreachable } from "./problem.js";

/** @import { Problem } from "./problem.js" */

/** The service sends something every 15 seconds; after so long without, the connection is taken for dead. */
const SILENCE_MS = 40_000;
const LOOK_MS = 5_000;

/**
 * Follow a game. The first connection begins with a snapshot where `after` is missing.
 *
 * @param {string} path `/v1/games/{game}/events`, with `as=` if wished.
 * @param {object} options
 * @param {number} [options.after] go on after this version, without a snapshot.
 * @param {(text: string) => void} options.onLine takes each event's line as it came, in order of versions.
 * @param {(view: object) => void} [options.onSnapshot] takes the GameView that a stream begins with.
 * @param {(names: object) => void} [options.onNames] takes what all seats are called, when that has changed.
 * @param {(told: {version: number, asked: Array<{seat: number}>}) => void} [options.onAsked] takes whom the game waits for after a version.
 * @param {(status: Status) => void} [options.onStatus] hears how the connection is.
 * @param {Promise<unknown>} [options.ready] what is to be there before the first line is taken; it is awaited while the
 *   connection is being opened.
 * @param {AbortSignal} options.signal ends it.
 * @returns {Promise<void>} settles when the stream has ended, was refused or aborted; never rejects for these.
 *
 * @typedef {{state: "connecting"|"live"|"waiting"|"ended"|"refused", problem?: Problem, retryAt?: number}} Status
 *   `retryAt` by the browser's clock, in milliseconds since 1970.
 */
export async function follow(path, { after, onLine, onSnapshot, onNames, onAsked, onStatus, ready, signal }) {
  let seen = after;
  const address = () => addressOf(path, seen);
  const take = (line) => {
    const told = parse(line);
    if (typeof told.v === "number") {
      seen = next(seen, told.v, () => onLine(line));
      observeEvent(told.at);
    } else if (told.snapshot !== undefined) {
      if (seen === undefined) {
        seen = told.snapshot.version;
        onSnapshot?.(told.snapshot);
      }
    } else if (told.names !== undefined) {
      onNames?.(told.names);
    } else if (told.asked !== undefined) {
      onAsked?.(told.asked);
    } else if (told.end !== undefined) {
      return told.end.version === undefined || told.end.version <= (seen ?? 0) ? "ended" : "again";
    } else if (told.reset !== undefined) {
      return "again";
    }
    return "on";
  };
  await keepConnected(address, take, onStatus ?? (() => {}), signal, ready);
}

/** @type {{url: string, cut: AbortController, answer: Promise<Response>}|null} */
let ahead = null;

/**
 * Begin to follow a game for whoever does so next, from the same version: while the part of the page that will is being loaded.
 *
 * @param {string} path as for `follow`.
 * @param {number} after
 */
export function followAhead(path, after) {
  forgetStream();
  const url = addressOf(path, after);
  const cut = new AbortController();
  const answer = request(url, cut.signal);
  answer.catch(() => {}); // whoever takes it hears of it
  ahead = { url, cut, answer };
}

/** What was begun ahead, if it is what is asked for; then it ends with `signal`. */
function taken(url, signal) {
  if (ahead === null || ahead.url !== url || signal.aborted) {
    return null;
  }
  const { cut, answer } = ahead;
  signal.addEventListener("abort", () => cut.abort());
  ahead = null;
  return answer;
}

/** What nobody has taken is not wanted. */
export function forgetStream() {
  ahead?.cut.abort();
  ahead = null;
}

onIdentity(forgetStream);

/** @param {string} path @param {number|undefined} after */
function addressOf(path, after) {
  const [base, query = ""] = path.split("?");
  const params = new URLSearchParams(query);
  params.set("follow", "true");
  if (after !== undefined) {
    params.set("after", String(after));
  }
  return `${base}?${params}`;
}

/**
 * Follow `GET /v1/stream`: what concerns the caller. It begins with `games` whenever it is connected anew.
 *
 * @param {object} options
 * @param {(name: string, body: unknown) => void} options.onNotice takes each notice.
 * @param {(status: Status) => void} [options.onStatus] hears how the connection is.
 * @param {AbortSignal} options.signal ends it.
 */
export async function listen({ onNotice, onStatus, signal }) {
  const take = (line) => {
    const [[name, body]] = Object.entries(parse(line));
    if (name === "reset") {
      return "again";
    }
    onNotice(name, body);
    return "on";
  };
  await keepConnected(() => "/v1/stream", take, onStatus ?? (() => {}), signal);
}

/**
 * Follow a tour of a game; it begins with where it is whenever it is connected anew.
 *
 * @param {string} path `/v1/games/{game}/tours/{tour}`.
 * @param {object} options
 * @param {(info: any) => void} options.onTour takes where it goes.
 * @param {(status: Status) => void} options.onStatus hears how the connection is; `ended`: the tour is over.
 * @param {AbortSignal} options.signal ends it.
 */
export async function followTour(path, { onTour, onStatus, signal }) {
  const take = (line) => {
    const told = parse(line);
    told.tour !== undefined && onTour(told.tour);
    return told.end !== undefined ? "ended" : told.reset !== undefined ? "again" : "on";
  };
  await keepConnected(() => path, take, onStatus, signal);
}

/** A line's value. One that is no JSON was spoilt on its way. */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    throw new Broken("a line that is no JSON");
  }
}

/** The version seen after an event: handed over if it is the next one, passed over if it came before. */
function next(seen, version, hand) {
  if (seen !== undefined && version <= seen) {
    return seen;
  }
  if (seen !== undefined && version !== seen + 1) {
    throw new Gap();
  }
  hand();
  return version;
}

/** @param {Promise<unknown>} [ready] */
async function keepConnected(address, take, onStatus, signal, ready = Promise.resolve()) {
  let failures = 0;
  while (!signal.aborted) {
    onStatus({ state: "connecting" });
    const course = await connectOnce(address(), take, onStatus, signal, ready);
    if (signal.aborted) {
      return;
    }
    if (course.state === "ended" || course.state === "refused") {
      onStatus(course);
      return;
    }
    failures = course.moved ? 0 : failures + 1;
    const ms = pauseAfter(failures, course.problem);
    onStatus({ state: "waiting", problem: course.problem, retryAt: Date.now() + ms });
    await untilWorthTrying(ms, course.problem, signal);
  }
}

/**
 * One connection, from its request to its end: how it ended, and whether it brought anything.
 *
 * @returns {Promise<{state: "waiting"|"ended"|"refused", moved?: boolean, problem?: Problem}>}
 */
async function connectOnce(url, take, onStatus, signal, ready) {
  const watch = new Watch(signal);
  /** @type {{state: "waiting"|"ended", moved: boolean, problem?: Problem}} */
  const course = { state: "waiting", moved: false, problem: unreachable() };
  try {
    const [answer] = await Promise.all([open(url, watch), ready]);
    if (answer.status === 204) {
      return { state: "ended" };
    }
    if (!answer.ok) {
      return await refusal(answer);
    }
    onStatus({ state: "live" });
    course.problem = undefined;
    await readLines(answer.body.getReader(), watch, (line) => {
      const verdict = take(line);
      course.moved = true;
      course.state = verdict === "ended" ? "ended" : "waiting";
      return verdict === "on";
    });
    return course;
  } catch (error) {
    if (error instanceof Broken) {
      return course;
    }
    throw error;
  } finally {
    watch.close();
  }
}

async function open(url, watch) {
  const answer = await orBroken(taken(url, watch.signal) ?? request(url, watch.signal));
  watch.heard();
  return answer;
}

async function request(url, signal) {
  const token = bearer();
  const headers = { accept: "application/x-ndjson", ...(token !== null && { authorization: `Bearer ${token}` }) };
  const sentAt = Date.now();
  const answer = await fetch(url, { headers, signal, credentials: "omit", cache: "no-store", redirect: "error" });
  observe(answer, sentAt, Date.now());
  if (answer.status === 401 && token !== null) {
    refuse(token);
  }
  return answer;
}

/** What may pass is waited for; any other refusal ends the stream. @returns {Promise<{state: "waiting"|"refused", moved: boolean, problem: Problem}>} */
async function refusal(answer) {
  const problem = await problemOf(answer);
  return { state: isPassing(problem) ? "waiting" : "refused", moved: false, problem };
}

/** Give every whole line that is not a heartbeat, until one says stop or the stream ends. */
async function readLines(reader, watch, give) {
  const cutter = new LineCutter();
  try {
    for (;;) {
      const { done, value } = await orBroken(reader.read());
      if (done) {
        return;
      }
      watch.heard();
      for (const line of cutter.push(value)) {
        if (line !== "" && !give(line)) {
          return;
        }
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** A connection broke, which is nobody's mistake. */
class Broken extends Error {}

/** A version is missing: as good as broken. */
class Gap extends Broken {}

/** What the network promises; where it fails, `Broken`. */
async function orBroken(promised) {
  try {
    return await promised;
  } catch (error) {
    throw new Broken(String(error));
  }
}

/** Ends a connection that has fallen silent, or whose network has changed under it. */
class Watch {
  /** @param {AbortSignal} signal of the whole stream. */
  constructor(signal) {
    this.cut = new AbortController();
    this.over = new AbortController();
    this.signal = AbortSignal.any([signal, this.cut.signal]);
    this.last = performance.now();
    this.timer = setInterval(() => this.look(SILENCE_MS), LOOK_MS);
    const { signal: over } = this.over;
    addEventListener("online", () => this.cut.abort(), { signal: over });
    document.addEventListener("visibilitychange", () => this.look(SILENCE_MS / 2), { signal: over });
  }

  heard() {
    this.last = performance.now();
  }

  look(limit) {
    if (performance.now() - this.last > limit) {
      this.cut.abort();
    }
  }

  close() {
    clearInterval(this.timer);
    this.over.abort();
    this.cut.abort();
  }
}

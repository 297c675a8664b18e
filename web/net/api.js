/** Requests to the service: JSON in and out, refusals as `Problem`, repeated where repeating is safe. */

import { waits } from "./again.js";
import { bearer, onIdentity, refuse } from "./identity.js";
import { observe } from "./clock.js";
import { isRefusal, Problem, problemOf, unreachable } from "./problem.js";
import { pause } from "./pause.js";

/** How long one attempt may take; the longest wait that the page asks for is 25 seconds. */
const PATIENCE_MS = 40_000;
const READ_PAUSES_MS = [300, 1500];
/** Of what the page says by itself, and nobody waits for. */
const QUIET_PAUSES_MS = [300, 1000, 3000, 8000];
/** Of a command, about a minute in all: whoever has given it is told, and may give it up. */
const COMMAND_PAUSES_MS = [...QUIET_PAUSES_MS, 15_000, 15_000, 15_000];
/** A shorter pause is over before anybody has read of it. */
const TOLD_MS = 1000;
/** A command may have happened after these, or is asked to come again: the same key tells. */
const REPEATED = new Set([
  "internal-error", "store-unavailable", "too-busy", "clock-skew", "deadlines-moving", "http-502", "http-503", "http-504",
]);

/** A reading after which the service, or what stands before it, asks the reader to come again. */
const READ_AGAIN = new Set(["store-unavailable", "http-502", "http-503", "http-504"]);

/** What is being read for whoever asks for it next, by path. */
const ahead = new Map();

/**
 * Begin to read something for whoever asks for it next: while the part of the page that will do so is being loaded.
 *
 * @param {string} path as for `get`.
 */
export function readAhead(path) {
  const answer = get(path);
  answer.catch(() => {}); // whoever takes it hears of it
  ahead.set(path, answer);
}

/** What was read ahead and nobody has asked for is not wanted. */
export function forgetAhead() {
  ahead.clear();
}

onIdentity(forgetAhead);

/**
 * Read something.
 *
 * @param {string} path begins with `/v1`.
 * @param {{etag?: string, signal?: AbortSignal, lang?: string}} options `etag` of what is at hand: then the status may
 *   be 304 and the body null. `lang` is the language of texts.
 * @returns {Promise<{status: number, body: any, etag: string|null, headers: Headers}>} the body is JSON's value, or
 *   text where the answer is not JSON.
 * @throws {Problem} refused, or out of reach.
 */
export async function get(path, { etag, signal, lang } = {}) {
  const begun = etag || lang ? undefined : ahead.get(path);
  if (begun !== undefined) {
    ahead.delete(path);
    return begun;
  }
  const headers = {
    accept: "application/json",
    ...(etag && { "if-none-match": etag }),
    ...(lang && { "accept-language": lang }),
  };
  return repeated(
    () => once(path, { method: "GET", headers, signal }),
    READ_PAUSES_MS,
    { signal, again: (problem) => problem.status === 0 || READ_AGAIN.has(problem.code) },
  );
}

/**
 * Give a command. Where no answer comes, or the service is busy with whatever, it is repeated under the same key, and so happens once; whoever
 * looks at the page is told.
 *
 * @param {string} path begins with `/v1`.
 * @param {unknown} body JSON's value; undefined or null for none.
 * @param {{key?: string, signal?: AbortSignal, onWait?: (giveUp: () => void) => void}} options `key` makes this a repetition of an earlier command. `onWait`
 *   is called before each pause after which it is given again, and tells of it instead of the page's strip; `giveUp` ends that.
 * @returns {Promise<{status: number, body: any, etag: string|null, headers: Headers}>}
 * @throws {Problem} refused: nothing has happened; or out of reach, or given up on its way: then nobody knows (`unsure`).
 */
export async function post(path, body = null, { key = newKey(), signal, onWait } = {}) {
  const content = body === null || body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = {
    accept: "application/json",
    "idempotency-key": key,
    ...(content.body && { "content-type": "application/json" }),
  };
  return command(path, { method: "POST", headers, ...content, signal }, onWait);
}

/**
 * Say how something is now, which may be repeated as it is; arguments as for `post`.
 *
 * @param {string} path
 * @param {unknown} body
 * @param {{signal?: AbortSignal}} options
 */
export async function put(path, body, { signal } = {}) {
  const request = { method: "PUT", headers: { accept: "application/json", "content-type": "application/json" }, body: JSON.stringify(body), signal };
  return repeated(() => once(path, request), QUIET_PAUSES_MS, { signal, again: isRepeated });
}

/**
 * Take something away; arguments as for `post`, without a body.
 *
 * @param {string} path
 * @param {{key?: string, signal?: AbortSignal}} options
 */
export async function del(path, { key = newKey(), signal } = {}) {
  return command(path, { method: "DELETE", headers: { accept: "application/json", "idempotency-key": key }, signal });
}

/** A new Idempotency-Key: 32 random hexadecimal digits. Works without a secure context, unlike `randomUUID`. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function isRepeated({ status, code }) {
  return status === 0 || REPEATED.has(code);
}

async function command(path, request, onWait) {
  const enough = new AbortController();
  const giveUp = () => enough.abort();
  let settled = () => {};
  let told = false;
  const tell = (ms) => {
    if (onWait) {
      onWait(giveUp);
    } else if (!told && ms >= TOLD_MS) {
      told = true;
      settled = waits(giveUp);
    }
  };
  const signal = request.signal ? AbortSignal.any([request.signal, enough.signal]) : enough.signal;
  const again = (problem) => problem.status === 503 || isRepeated(problem);
  let unanswered = false;
  const attempt = () =>
    once(path, { ...request, signal }).catch((problem) => {
      unanswered ||= !(problem instanceof Problem) || problem.status === 0 || problem.code.startsWith("http-");
      throw problem;
    });
  try {
    return await repeated(attempt, COMMAND_PAUSES_MS, { signal, again, tell, enough: enough.signal });
  } catch (problem) {
    if (problem instanceof Problem) {
      problem.unsure = unanswered && !isRefusal(problem);
    }
    throw problem;
  } finally {
    settled();
  }
}

/**
 * Try until it works, is refused, or all pauses are over. What is given up (`enough`) ends with the problem that was last.
 *
 * @param {() => Promise<any>} attempt
 * @param {number[]} pauses
 * @param {{signal?: AbortSignal, again: (problem: Problem) => boolean, tell?: (ms: number) => void, enough?: AbortSignal}} how
 */
async function repeated(attempt, pauses, { signal, again, tell, enough }) {
  let last = null;
  for (const ms of [...pauses, null]) {
    try {
      return await attempt();
    } catch (problem) {
      if (enough?.aborted && last !== null) {
        throw last;
      }
      if (ms === null || signal?.aborted || !(problem instanceof Problem) || !again(problem)) {
        throw problem;
      }
      last = problem;
      const rest = Math.max(ms, 1000 * (problem.retryAfter ?? 0));
      tell?.(rest);
      await pause(rest, signal).catch((reason) => {
        throw enough?.aborted ? problem : reason;
      });
    }
  }
}

async function once(path, request) {
  const token = bearer();
  const answer = await ask(path, request, token);
  if (answer.ok || answer.status === 304) {
    return {
      status: answer.status,
      body: await bodyOf(answer),
      etag: answer.headers.get("etag"),
      headers: answer.headers,
    };
  }
  const problem = await problemOf(answer);
  if (problem.code === "token-invalid" && token !== null) {
    refuse(token);
    if (request.method === "GET") {
      return once(path, request);
    }
  }
  throw problem;
}

async function ask(path, { headers, signal, ...request }, token) {
  const limit = AbortSignal.timeout(PATIENCE_MS);
  const sentAt = Date.now();
  try {
    const answer = await fetch(path, {
      ...request,
      headers: token === null ? headers : { ...headers, authorization: `Bearer ${token}` },
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      credentials: "omit",
      redirect: "error",
    });
    observe(answer, sentAt, Date.now());
    return answer;
  } catch (error) {
    throw signal?.aborted ? error : unreachable();
  }
}

async function bodyOf(answer) {
  if (answer.status === 204 || answer.status === 304) {
    return null;
  }
  try {
    const isJson =
      (answer.headers.get("content-type") ?? "").includes("json") &&
      !answer.headers.get("content-type").includes("ndjson");
    return isJson ? await answer.json() : await answer.text();
  } catch (error) {
    throw error instanceof Error && error.name === "AbortError" ? error : unreachable();
  }
}

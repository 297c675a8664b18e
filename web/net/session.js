/** Signing in: a name and its token, kept in this browser. */

import { get, newKey, post } from "./api.js";
import { identity, isRefused, onIdentity, remember } from "./identity.js";
import { Problem, problemOf, unreachable } from "./problem.js";

/**
 * Who is signed in.
 *
 * @returns {{player: string, name: string, token: string} | null}
 */
export function session() {
  return identity();
}

/**
 * Whom the service takes the reader for.
 *
 * @returns {string|null} a player id; null without a session, and with one that the service has refused.
 */
export function playerId() {
  return isRefused() ? null : (identity()?.player ?? null);
}

/**
 * Become a player, and sign in.
 *
 * @param {string} name what others see.
 * @param {{key?: string}} options repeat an attempt whose answer did not come under its key, or there is a second
 *   player.
 * @returns {Promise<{player: string, name: string, token: string, lasting: boolean}>} `lasting`: this browser keeps it.
 * @throws {Problem} bad-name, rate-limited, …
 */
export async function register(name, { key = newKey() } = {}) {
  const { body } = await post("/v1/players", { name }, { key });
  const who = { player: body.id, name: body.name, token: body.token.token };
  return { ...who, lasting: remember(who) };
}

/**
 * Sign in with a token that one has.
 *
 * @param {string} token
 * @returns {Promise<{player: string, name: string, token: string, lasting: boolean}>}
 * @throws {Problem} token-invalid; or the service cannot be reached.
 */
export async function signIn(token) {
  const player = await ownerOf(token.trim());
  const { body } = await get(`/v1/players/${player}`);
  const who = { player, name: body.name, token: token.trim() };
  return { ...who, lasting: remember(who) };
}

/**
 * Sign in with the secret of a device link.
 *
 * @param {string} secret
 * @param {{key?: string}} options as for `register`: a link can be used only once.
 * @returns {Promise<{player: string, name: string, token: string, lasting: boolean}>}
 * @throws {Problem} unknown-device-link, device-link-used, device-link-expired, …
 */
export async function signInByLink(secret, { key = newKey() } = {}) {
  return signInBy("/v1/sign-ins/device-link", secret, key);
}

/**
 * Sign in with the secret of a recovery file.
 *
 * @param {string} secret
 * @param {{key?: string}} options as for `register`.
 * @returns {Promise<{player: string, name: string, token: string, lasting: boolean}>}
 * @throws {Problem} recovery-file-invalid, …
 */
export async function signInByFile(secret, { key = newKey() } = {}) {
  return signInBy("/v1/sign-ins/recovery-file", secret, key);
}

async function signInBy(path, secret, key) {
  return arrived((await post(path, { secret }, { key })).body);
}

/**
 * Remember whom the service has just signed in.
 *
 * @param {{id: string, name: string, token: {token: string}}} body the service's answer.
 * @returns {{player: string, name: string, token: string, lasting: boolean}}
 */
export function arrived(body) {
  const who = { player: body.id, name: body.name, token: body.token.token };
  return { ...who, lasting: remember(who) };
}

/** Sign out: this browser forgets the token. */
export function forget() {
  remember(null);
}

/**
 * Hear when somebody signs in or out, here or in another tab.
 *
 * @param {() => void} listener
 * @returns {() => void} stop listening.
 */
export function onChange(listener) {
  return onIdentity(listener);
}

/** Whose token this is. It is asked by itself because the page may speak for somebody else yet. */
async function ownerOf(token) {
  if (!/^[!-~]+$/.test(token)) {
    // No header can hold it.
    throw new Problem({ type: "/problems/token-invalid", title: "Invalid token", status: 401 });
  }
  let answer;
  try {
    const headers = { accept: "application/json", authorization: `Bearer ${token}` };
    answer = await fetch("/v1/tokens", { headers, credentials: "omit", redirect: "error" });
  } catch {
    throw unreachable();
  }
  if (!answer.ok) {
    throw await problemOf(answer);
  }
  return (await answer.json()).player;
}

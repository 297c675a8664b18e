/** What players are called. No event says it: an event has a seal, and the service tells what still opens it. */

import { get } from "./api.js";

/** Names by their seals; null for one that was asked for and is not told any more. */
const known = new Map();

let changes = 0;
let exchanges = 0;

function learn(seal, name) {
  const before = known.get(seal);
  if (before !== name) {
    known.set(seal, name);
    changes += 1;
    exchanges += before === undefined ? 0 : 1;
  }
}

/** How often another name has come in the place of one that was known: whatever says names is then said anew. */
export function nameExchanges() {
  return exchanges;
}

/** How often a name has come or gone: whoever draws names draws them again when this has changed. */
export function nameChanges() {
  return changes;
}

/**
 * Learn names.
 *
 * @param {Object<string, {name: string}>} openings by seal, as `GET /v1/games/{game}/names` gives them.
 * @param {Object<string, string>} [renamed] the present names of who has been renamed since, by seal.
 */
export function learnNames(openings, renamed = {}) {
  for (const [seal, { name }] of Object.entries(openings)) {
    learn(seal, name);
  }
  for (const [seal, name] of Object.entries(renamed)) {
    learn(seal, name);
  }
}

/**
 * Learn the names that a GameView has beside its state.
 *
 * @param {{state: {seats?: object}, names: Object<string, {name?: string, deleted?: boolean}>}} view
 */
export function learnFromView({ state, names }) {
  for (const [number, { name_seal: seal, bot }] of Object.entries(state.seats ?? {})) {
    if (seal && !bot && names[number]) {
      learn(seal, names[number].name ?? null);
    }
  }
}

/**
 * What is known of a seat's name.
 *
 * @param {number|string} number the seat's.
 * @param {{bot?: string|null, name_seal?: string}} seat as a state or an event has it.
 * @returns {string|null|undefined} null: the player has been deleted; undefined: nobody knows, or not yet.
 */
export function nameOf(number, { bot, name_seal: seal }) {
  return bot ? `${bot} ${number}` : known.get(seal);
}

/**
 * Ask for the names at a table that are not known yet.
 *
 * @param {string} game its id.
 * @param {{seats?: object}} state a state of it.
 * @param {AbortSignal} signal
 * @param {{anew?: boolean}} options `anew`: also for those that are known, which may have changed.
 * @returns {Promise<boolean>} whether there was something to learn.
 * @throws {Problem} they cannot be had now.
 */
export async function askForNames(game, state, signal, { anew = false } = {}) {
  const wanted = Object.values(state.seats ?? {}).filter(({ name_seal: seal, bot }) => seal && !bot && (anew || !known.has(seal)));
  if (wanted.length === 0) {
    return false;
  }
  const { body } = await get(`/v1/games/${encodeURIComponent(game)}/names`, { signal });
  learnNames(body.names, body.renamed);
  wanted.filter(({ name_seal: seal }) => !(seal in body.names || seal in body.renamed)).forEach(({ name_seal: seal }) => learn(seal, null));
  return true;
}

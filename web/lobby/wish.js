/** What a host wishes for, and the request that it becomes (pure). */

import { offerOf } from "../games/registry.js";

/** What tells one rulebook from another, as a value of forms: two games may have rulebooks of one id. */
export function titleOf(game, rulebook) {
  return `${game}-${rulebook}`;
}

/** Of some paces the one that hurries least; undefined if there is none. */
export function calmest(paces) {
  const shortest = ({ limits_s: limits }) => Math.min(...Object.values(limits));
  return paces.toSorted((a, b) => shortest(b) - shortest(a))[0];
}

/** The pace that was chosen; before that the rulebook's first, and for whoever keeps nobody but bots waiting the calmest. */
export function paceOf(wish, { paces }) {
  const isAlone = wish.sit && wish.bots === wish.seats - 1;
  return wish.pace ?? (isAlone ? calmest(paces) : paces[0])?.id ?? "own";
}

/**
 * The wish to begin with.
 *
 * @param {{game: string, id: string}} rulebook one of the list; `of` is its game, `game` that of the parts below.
 * @param {string} [tournament] the code of the one that the table is to be played for; empty for none.
 * @returns {object}
 */
export function firstWish({ game, id }, tournament = "") {
  return {
    of: game,
    rulebook: id,
    game: null,
    mode: null,
    seats: null,
    options: {},
    extra: null,
    sit: true,
    bots: 0,
    bot: null,
    botPace: 1500,
    pace: null,
    time: { limits_s: {}, absent_after: 2 },
    visibility: "public",
    invited: "",
    start: "auto",
    delay: "none",
    delayTurns: 1,
    delaySeconds: 120,
    tournament,
  };
}

/**
 * A wish that a rulebook can fulfil: what it does not know becomes its first mode, its usual number of seats, its
 * defaults.
 *
 * @param {object} wish
 * @param {object} json the rulebook, as `GET /v1/rulebooks/{id}` gives it.
 * @param {string[]} bots the house bots that there are.
 * @returns {object} another wish.
 */
export function fit(wish, json, bots) {
  const { opening } = offerOf(json.game).forms;
  const begun = wish.game === json.game ? wish : { ...wish, ...firstOf(opening, json, bots) };
  const mode = json.modes.find((each) => each.id === begun.mode) ?? json.modes[0];
  const seats = mode.seats.includes(begun.seats)
    ? begun.seats
    : (mode.seats.find((count) => count >= 4) ?? mode.seats.at(-1));
  const known = optionsOf(json, mode, { ...begun, mode: mode.id, seats });
  const options = Object.fromEntries(
    Object.entries(begun.options).filter(([id, value]) =>
      known.some((each) => each.id === id && each.values.includes(value)),
    ),
  );
  const fitted = { ...begun, mode: mode.id, seats, options, bots: Math.min(begun.bots, seats - (begun.sit ? 1 : 0)) };
  return { ...fitted, time: timeOf(fitted, json), extra: opening.extra(fitted, json, mode) };
}

/** The time that a wish gives: limits of one's own are kept. */
function timeOf(wish, json) {
  const pace = json.paces.find(({ id }) => id === paceOf(wish, json));
  return { ...wish.time, limits_s: { ...wish.time.limits_s, ...pace?.limits_s } };
}

/** The parts of a wish that are of one game only. */
function firstOf(opening, json, bots) {
  const usual = Object.fromEntries(json.waits.map(({ id, default_s: seconds }) => [id, seconds]));
  return {
    game: json.game,
    extra: null,
    bot: bots.includes(opening.bot) ? opening.bot : (bots[0] ?? null),
    pace: null,
    time: { limits_s: usual, absent_after: 2 },
  };
}

/**
 * The options that a host can choose, each with the values that go with the rest of the wish.
 *
 * @param {object} json the rulebook.
 * @param {object} mode one of its modes.
 * @param {object} wish
 * @returns {Array<{id: string, name: string, about: string, default: unknown, values: Array}>}
 */
export function optionsOf(json, mode, wish) {
  const { opening } = offerOf(json.game).forms;
  return json.options
    .filter((option) => mode.options.includes(option.id))
    .map((option) => ({ ...option, values: opening.values(option, { json, mode, wish }) }))
    .filter((option) => option.values.length > 0);
}

/**
 * The body of `POST /v1/games`.
 *
 * @param {object} wish one that fits.
 * @returns {object}
 */
export function requestOf(wish) {
  const delays = { none: null, turns: { turns: wish.delayTurns }, seconds: { seconds: wish.delaySeconds } };
  const delay = delays[wish.delay];
  const { opening } = offerOf(wish.game).forms;
  return {
    game: wish.game,
    rulebook: wish.rulebook,
    mode: wish.mode,
    seats: wish.seats,
    options: { ...wish.options, ...(wish.extra !== null && opening.extraOptions(wish.extra)) },
    time: { ...wish.time, bot_pace_ms: wish.bots > 0 ? wish.botPace : 0 },
    visibility: wish.visibility,
    start: wish.start,
    ...(wish.visibility === "private" && { invited: playersIn(wish.invited) }),
    ...(delay !== null && { delay }),
    ...(wish.tournament !== "" && { tournament: wish.tournament }),
  };
}

/** The player ids in a text, however they are set apart. */
export function playersIn(text) {
  return text.split(/[\s,;]+/).filter((part) => part !== "");
}

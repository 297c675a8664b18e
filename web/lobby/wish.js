/** What a host wishes for, and the request that it becomes (pure). */

/** Time limits in seconds, by name; the first is for playing in one sitting. */
export const PACES = {
  sitting: { programming: 120, decision: 60 },
  quick: { programming: 60, decision: 30 },
  relaxed: { programming: 600, decision: 300 },
  days: { programming: 172_800, decision: 86_400 },
};

/**
 * The wish to begin with.
 *
 * @param {string} rulebook its id.
 * @returns {object}
 */
export function firstWish(rulebook) {
  return {
    rulebook,
    mode: null,
    seats: null,
    options: {},
    rooms: null,
    sit: true,
    bots: 0,
    bot: "steady",
    botPace: 1500,
    pace: "sitting",
    time: { limits_s: PACES.sitting, absent_after: 2 },
    visibility: "public",
    invited: "",
    start: "auto",
    delay: "none",
    delayTurns: 1,
    delaySeconds: 120,
  };
}

/**
 * A wish that a rulebook can fulfil: what it does not know becomes its first mode, its usual number of seats, its
 * defaults.
 *
 * @param {object} wish
 * @param {object} json the rulebook, as `GET /v1/rulebooks/{id}` gives it.
 * @returns {object} another wish.
 */
export function fit(wish, json) {
  const mode = json.modes.find((each) => each.id === wish.mode) ?? json.modes[0];
  const seats = mode.seats.includes(wish.seats)
    ? wish.seats
    : (mode.seats.find((count) => count >= 4) ?? mode.seats.at(-1));
  const known = optionsOf(json, mode, { ...wish, mode: mode.id, seats });
  const options = Object.fromEntries(
    Object.entries(wish.options).filter(([id, value]) =>
      known.some((each) => each.id === id && each.values.includes(value)),
    ),
  );
  const bots = Math.min(wish.bots, seats - (wish.sit ? 1 : 0));
  const rooms = options.composition === "custom" ? (wish.rooms ?? usualRooms(json, mode, seats)) : null;
  return { ...wish, mode: mode.id, seats, options, bots, rooms };
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
  const guards = guardsOf(mode, wish);
  const values = (option) => {
    if (option.id === "composition") {
      return option.values.filter((id) => fitsComposition(json, id, mode, guards));
    }
    if (option.id === "guards") {
      const counts = [mode.roles[wish.seats]?.[1], mode.other_roles[wish.seats]?.[1]].filter(
        (count) => count !== undefined,
      );
      return counts.length > 1 ? option.values.filter((count) => counts.includes(count)) : [];
    }
    return option.values;
  };
  return json.options
    .filter((option) => mode.options.includes(option.id))
    .map((option) => ({ ...option, values: values(option) }))
    .filter((option) => option.values.length > 0);
}

/** How many guards are dealt, where the host may say so; else null. */
function guardsOf(mode, wish) {
  return mode.options.includes("guards") ? (wish.options.guards ?? mode.roles[wish.seats]?.[1] ?? null) : null;
}

function fitsComposition(json, id, mode, guards) {
  const known = json.compositions.find((each) => each.id === id);
  return known === undefined || (known.modes.includes(mode.id) && (known.guards === null || known.guards === guards));
}

/** The usual rooms of a mode as a first draft of one's own; where they are left to chance, one of each kind first. */
function usualRooms(json, mode, seats) {
  const usual = json.compositions.find((each) => each.id === mode.compositions[seats]);
  const rooms = { ...usual.rooms };
  for (const [color, count] of Object.entries(usual.fill)) {
    const pool = json.rooms.filter(
      (room) => room.color === color && !(room.id in usual.rooms) && !usual.never.includes(room.id),
    );
    const copies = pool.flatMap((room) => Array.from({ length: room.copies }, (_, copy) => ({ id: room.id, copy })));
    for (const { id } of copies.toSorted((a, b) => a.copy - b.copy).slice(0, count)) {
      rooms[id] = (rooms[id] ?? 0) + 1;
    }
  }
  return rooms;
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
  return {
    rulebook: wish.rulebook,
    mode: wish.mode,
    seats: wish.seats,
    options: { ...wish.options, ...(wish.rooms !== null && { rooms: wish.rooms }) },
    time: { ...wish.time, bot_pace_ms: wish.bots > 0 ? wish.botPace : 0 },
    visibility: wish.visibility,
    start: wish.start,
    ...(wish.visibility === "private" && { invited: playersIn(wish.invited) }),
    ...(delay !== null && { delay }),
  };
}

/** The player ids in a text, however they are set apart. */
export function playersIn(text) {
  return text.split(/[\s,;]+/).filter((part) => part !== "");
}

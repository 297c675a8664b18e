/** The parts of a game of Cerveauuu!, as its views have them (pure): what has its default is left out of the smaller ones. */

/** The state before the game has begun. */
export function initialPlay() {
  return {
    rulebook: "",
    mode: "",
    options: {},
    seats: [],
    colours: {},
    map: "",
    edges: {},
    cells: {},
    round: 0,
    phase: "setup",
    chief: 1,
    pieces: {},
    counters: {},
    deck: null,
    deck_size: 0,
    shuffles: 0,
    hands: {},
    next_numbers: {},
    piles: {},
    credits: [],
    credits_need: 0,
    weather: null,
    media_lock: false,
    scores: {},
    played: {},
    swapped: [],
    modifiers: [],
    bans: [],
    triggers: [],
    yields: {},
    replacing: {},
    dormant: [],
    windows: 0,
    window: null,
    panic: null,
    wandering: null,
    go: null,
    last_go: null,
    activation: null,
    fight: null,
    discards: {},
    asked: 0,
    agenda: [],
    end: null,
  };
}

/** What is always told, even if it is empty or nothing. */
const TOLD = new Set(["id", "cell", "number", "kind", "trigger", "queue", "zombie", "principal", "target", "attackers", "defenders", "totals"]);

const isDefault = (value) =>
  value === null ||
  value === undefined ||
  value === 0 ||
  value === false ||
  (typeof value === "object" && Object.keys(value).length === 0);

/** A part of a play with some members changed, without those that have their default. */
export function changed(part, changes) {
  const all = { ...part, ...changes };
  return Object.fromEntries(Object.entries(all).filter(([name, value]) => TOLD.has(name) || !isDefault(value)));
}

/** An object without some of its keys. */
export function without(object, ...keys) {
  const gone = new Set(keys.map(String));
  return Object.fromEntries(Object.entries(object).filter(([key]) => !gone.has(key)));
}

/** Counts by key, one of them changed. */
export function addTo(counts, key, number) {
  return { ...counts, [key]: (counts[key] ?? 0) + number };
}

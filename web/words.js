/**
 * Everything that the page says, by message key, in the reader's language.
 *
 * The key of a game's own text begins with the game's id and a slash.
 */

let current = "en";
let catalogue = new Map();
let games = [];
let plurals = new Intl.PluralRules("en");
/** What writes numbers, moments and lists in the present language: each takes as long to make as to use a hundred times. */
const formats = new Map();

/**
 * Speak from a catalogue that is at hand, as an archive has it.
 *
 * @param {string} lang its language.
 * @param {Object<string, Object<string, string>>} sections texts by section and key.
 */
export function useWords(lang, sections) {
  catalogue = new Map(Object.values(sections).flatMap((texts) => Object.entries(texts)));
  games = [...new Set([...catalogue.keys()].filter((key) => key.includes("/")).map((key) => key.split("/")[0]))];
  plurals = new Intl.PluralRules(lang);
  formats.clear();
  current = lang;
  document.documentElement.lang = lang;
}

/** The language that the page speaks. */
export function language() {
  return current;
}

/**
 * A text.
 *
 * @param {string} key its message key.
 * @param {Object<string, string|number>} params what stands for its `{placeholders}`.
 * @returns {string}
 * @throws {Error} there is no such key, or a placeholder has nothing to stand for it.
 */
export function t(key, params = {}) {
  const text = catalogue.get(key);
  if (text === undefined) {
    throw new Error(`no text for ${key} in ${current}`);
  }
  return text.replace(/\{(\w+)\}/g, (_, name) => {
    if (params[name] === undefined || params[name] === null) {
      throw new Error(`${key} needs ${name}`);
    }
    return String(params[name]);
  });
}

/** Whether there is a text of this key. */
export function has(key) {
  return catalogue.has(key);
}

/**
 * The key of a text that may be a game's own, `<game>/log.card-played`, or every table's, `log.seat-taken`.
 *
 * @param {string} game the game's id.
 * @param {string} key the key without a game.
 * @returns {string} that of the game's own text where there is one, otherwise `key`.
 */
export function keyIn(game, key) {
  const own = `${game}/${key}`;
  return has(own) ? own : key;
}

/**
 * The key of a text of which nobody says whose it is, as of a problem: the page's own, or that of a game.
 *
 * @param {string} key the key without a game.
 * @returns {string|null} null: there is no such text.
 */
export function keyAnywhere(key) {
  return [key, ...games.map((game) => `${game}/${key}`)].find(has) ?? null;
}

/**
 * A text that counts something: `key.one`, `key.few`, `key.many` or `key.other`, with `{count}` written out.
 *
 * @param {string} key the message key without its form.
 * @param {number} count how many.
 * @param {Object<string, string|number>} params further placeholders.
 * @returns {string}
 */
export function tn(key, count, params = {}) {
  const form = `${key}.${plurals.select(count)}`;
  // French has a form of its own for millions; nothing here is counted in millions.
  return t(catalogue.has(form) ? form : `${key}.other`, { count: number(count), ...params });
}

/** A number as the reader writes it. */
export function number(n) {
  // Below a thousand all languages of the page write it alike, and the first format that a browser makes for a page takes it 20 ms and more.
  if (Number.isInteger(n) && n >= 0 && n < 1000) {
    return String(n);
  }
  return format("number", () => new Intl.NumberFormat(tag())).format(n);
}

/**
 * A length of time as a clock shows it: `0:07`, `12:30`, `1:02:03`. Less than nothing is nothing.
 *
 * @param {number} ms milliseconds.
 */
export function duration(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/**
 * A length of time in whole units that need no word in any language of the page: `2 min`, `1 h 30 min`, `7 s`. Less than nothing is nothing.
 *
 * @param {number} ms milliseconds.
 */
export function lasting(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const counts = Object.entries({ h: Math.floor(seconds / 3600), min: Math.floor(seconds / 60) % 60, s: seconds % 60 });
  return counts.filter(([, count]) => count > 0).map(([unit, count]) => `${count}\u00a0${unit}`).join(" ") || "0\u00a0s";
}

/**
 * A moment as the reader writes it.
 *
 * @param {number} at milliseconds since 1970.
 */
export function moment(at) {
  return format("moment", () => new Intl.DateTimeFormat(tag(), { dateStyle: "medium", timeStyle: "short" })).format(at);
}

/** @typedef {[Intl.RelativeTimeFormatUnit, number]} TimeUnit a unit, and how many seconds it has. */

/** @type {TimeUnit} */
const SECOND = ["second", 1];

/** @param {TimeUnit[]} units */
const unitsOf = (units) => units;

/**
 * How long ago something was: "3 minutes ago".
 *
 * @param {number} at milliseconds since 1970.
 * @param {number} now the same of the present.
 */
export function ago(at, now) {
  const seconds = Math.min(0, Math.round((at - now) / 1000));
  const [unit, size] = unitsOf([
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
    ["second", 1],
  ]).find(([, length]) => -seconds >= length) ?? SECOND;
  const relative = format("ago", () => new Intl.RelativeTimeFormat(tag(), { numeric: "auto" }));
  return relative.format(Math.trunc(seconds / size), unit);
}

/**
 * How long something will take: "in 40 seconds", "in 6 hours".
 *
 * @param {number} seconds how many, from one on.
 */
export function within(seconds) {
  const [unit, size] = unitsOf([
    ["hour", 3600],
    ["minute", 60],
  ]).find(([, length]) => seconds >= 2 * length) ?? SECOND;
  const relative = format("within", () => new Intl.RelativeTimeFormat(tag(), { numeric: "always" }));
  return relative.format(Math.ceil(seconds / size), unit);
}

/**
 * A text as it begins a sentence.
 *
 * @param {string} text
 * @returns {string}
 */
export function capitalised(text) {
  return text.charAt(0).toLocaleUpperCase(language()) + text.slice(1);
}

/**
 * Things in a row: "Ada, Blaise and Carl".
 *
 * @param {string[]} parts
 */
export function listing(parts) {
  return format("listing", () => new Intl.ListFormat(tag(), { type: "conjunction" })).format(parts);
}

/**
 * Things in a row that may have commas of their own: "Franck (acts now, paranoid); Jennifer".
 *
 * @param {string[]} parts
 * @returns {string} empty for none.
 */
export function apart(parts) {
  return parts.length > 0 ? parts.reduce((before, after) => t("row.apart", { before, after })) : "";
}

/** The present language as the reader's browser has it: "en-GB" writes dates otherwise than "en". */
function tag() {
  // Some browsers tell of a locale of the system as it is, "en-US@posix", which is no tag.
  const own = (navigator.languages ?? []).find((each) => /^[a-z]+(-[a-z0-9]+)*$/i.test(each) && each.toLowerCase().split("-")[0] === current);
  return own ?? current;
}

/**
 * What writes something in the present language, made once.
 *
 * @template T
 * @param {string} name
 * @param {() => T} make
 * @returns {T}
 */
function format(name, make) {
  if (!formats.has(name)) {
    formats.set(name, make());
  }
  return formats.get(name);
}

/** Whether a text holds all the words of a search, however they are written. */
export function matches(text, search) {
  const plain = (value) => value.toLocaleLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/ł/g, "l");
  return plain(search)
    .split(/\s+/)
    .every((word) => plain(text).includes(word));
}

/** The languages of the page: which one a reader wants, and where its words are. */

import { present } from "./dom.js";
import { fileAt } from "./late.js";
import { read, write } from "./net/storage.js";
import { useWords } from "./words.js";

/** All of them. */
export const languages = ["en", "fr", "pl"];

const KEPT = "parlour.language";

const listeners = new Set();

/** The files that are spoken from, `*` for the language; those that were fetched; and what came of them, by path. */
const wanted = new Set();
const asked = new Map();
const texts = new Map();

let chosen = "";
let given = false;

/**
 * The language to begin with: the one chosen before, or the first of the browser's that the page speaks.
 *
 * @param {string[]} first wishes that go before these.
 * @returns {string} one of `languages`.
 */
export function preferred(first = []) {
  const wishes = present([...first, read(KEPT), ...(navigator.languages ?? [])]);
  const known = wishes.map((wish) => wish.toLowerCase().split("-")[0]).find((wish) => languages.includes(wish));
  return known ?? "en";
}

/**
 * Say from where a part of the page speaks; `loadWords` fetches it.
 *
 * @param {string[]} sections of the page's own words.
 * @param {string[]} games whose words are needed.
 */
export function wantWords(sections, games = []) {
  sections.forEach((section) => wanted.add(`words/*/${section}.json`));
  games.forEach((game) => wanted.add(`games/${game}/words/*.json`));
}

/**
 * Fetch what is wanted of a language and not there yet, and speak it from now on.
 *
 * @param {string} lang one of `languages`; by default the one that is spoken.
 * @throws {Error} a file could not be read; then nothing changes.
 */
export async function loadWords(lang = chosen || preferred()) {
  if (given) {
    return;
  }
  const before = chosen;
  chosen = lang;
  try {
    // While one waits, more may be wanted, and in another language.
    for (let missing = missingWords(); missing.length > 0; missing = missingWords()) {
      await Promise.all(missing.map(fetchOnce));
    }
  } catch (error) {
    chosen = chosen === lang ? before : chosen;
    throw error;
  }
  useWords(chosen, Object.fromEntries(pathsOf(chosen).map((path) => [path, texts.get(path)])));
}

/**
 * Take at once what the document has asked for already, whether or not it is what will be spoken: of files that were fetched early and are
 * not taken within seconds browsers complain.
 */
export function takeWords() {
  const place = fileAt("");
  const links = /** @type {HTMLLinkElement[]} */ ([...document.querySelectorAll('link[rel="preload"][as="fetch"]')]);
  links
    .filter(({ href }) => href.startsWith(place))
    .forEach(({ href }) => fetchOnce(href.slice(place.length)).catch(() => {})); // who speaks from it asks again
}

/** The language that is spoken, or will be as soon as its words are there. */
export function wordsLanguage() {
  return chosen;
}

/** Speak from what is given and from nothing else, as an archive does. */
export function speakFrom(lang, sections) {
  given = true;
  useWords(lang, sections);
}

/** Speak another language, remember it, and tell whoever listens. */
export async function setLanguage(lang) {
  await loadWords(lang);
  write(KEPT, lang);
  listeners.forEach((listener) => listener(lang));
}

/**
 * Hear of a change of language.
 *
 * @param {(lang: string) => void} listener called after the new words are there.
 * @returns {() => void} stop listening.
 */
export function onLanguage(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function pathsOf(lang) {
  return [...wanted].map((file) => file.replace("*", lang));
}

function missingWords() {
  return pathsOf(chosen).filter((path) => !texts.has(path));
}

/** What cannot be read is asked for again by whoever wants it next. */
function fetchOnce(path) {
  if (!asked.has(path)) {
    asked.set(path, fetchTexts(path).finally(() => asked.delete(path)));
  }
  return asked.get(path);
}

/** The document may have asked for it already: so this is asked for in the same way. */
async function fetchTexts(path) {
  const answer = await fetch(fileAt(path));
  if (!answer.ok) {
    throw new Error(`the words ${path} are not there (${answer.status})`);
  }
  texts.set(path, await answer.json());
}

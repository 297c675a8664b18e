/** The languages of the page: which one a reader wants, and where its words are. */

import { present } from "./dom.js";
import { wordedGames } from "./games/registry.js";
import { read, write } from "./net/storage.js";
import { useWords } from "./words.js";

/** All of them. */
export const languages = ["en", "fr", "pl"];

const SECTIONS = ["common", "lobby", "board", "play", "watch", "log", "refusals"];
const KEPT = "parlour.language";

const listeners = new Set();

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
 * Fetch the catalogue of a language and speak it from now on.
 *
 * @param {string} lang one of `languages`.
 * @throws {Error} a section could not be read.
 */
export async function loadWords(lang = preferred()) {
  const paths = [
    ...SECTIONS.map((section) => `/web/words/${lang}/${section}.json`),
    ...wordedGames().map((game) => `/web/games/${game}/words/${lang}.json`),
  ];
  useWords(lang, Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await fetchTexts(path)]))));
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

async function fetchTexts(path) {
  const answer = await fetch(path, { credentials: "omit" });
  if (!answer.ok) {
    throw new Error(`the words ${path} are not there (${answer.status})`);
  }
  return answer.json();
}

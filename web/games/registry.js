/**
 * Which games the page knows, and how each is loaded when somebody needs it: for the lobby what it offers, for a table
 * all of it. Beside `first.js` nothing outside their folders names one; a test of the house holds it.
 */

import { Book } from "../book.js";
import { loadWords, wantWords } from "../languages.js";
import { late } from "../late.js";
import { STRANGER } from "./stranger.js";

/** @import { Game, GameOffer, Lesson } from "./contract.js" */

/**
 * @typedef {Object} Loading
 * @property {() => Promise<{OFFER: GameOffer}>} offer
 * @property {() => Promise<{GAME: Game}>} whole
 * @property {() => Promise<{LESSON: Lesson}>} lesson
 */

/** @type {Map<string, Loading>} */
const GAMES = new Map([
  [
    "room25",
    {
      offer: () => late("games/room25/offer.js", () => import("./room25/offer.js")),
      whole: () => late("games/room25/game.js", () => import("./room25/game.js")),
      lesson: () => late("games/room25/lesson.js", () => import("./room25/lesson.js")),
    },
  ],
  [
    "cerveauuu",
    {
      offer: () => late("games/cerveauuu/offer.js", () => import("./cerveauuu/offer.js")),
      whole: () => late("games/cerveauuu/game.js", () => import("./cerveauuu/game.js")),
      lesson: () => late("games/cerveauuu/lesson.js", () => import("./cerveauuu/lesson.js")),
    },
  ],
]);

/** @type {Map<string, Game>} */
const wholes = new Map();

/** @type {Map<string, GameOffer>} */
const offers = new Map();

/**
 * What a game brings to the page, once `loadGame` has loaded it.
 *
 * @param {string} id
 * @returns {Game} of a game that is not known here, what can be said of any.
 * @throws {Error} it has not been loaded: a mistake of this page.
 */
export function gameOf(id) {
  return loadedOf(id, wholes);
}

/**
 * What a game offers to the lobby, once `loadOffer` or `loadGame` has loaded it; otherwise as `gameOf`.
 *
 * @param {string} id
 * @returns {GameOffer}
 */
export function offerOf(id) {
  return loadedOf(id, offers);
}

/**
 * Load all of a game with its words, for a table of it.
 *
 * @param {string} id a game that is not known here needs nothing.
 */
export async function loadGame(id) {
  await load(id, async (game) => {
    const { GAME } = await game.whole();
    wholes.set(id, GAME);
    offers.set(id, GAME);
  });
}

/**
 * Load what a game offers to the lobby, with its words.
 *
 * @param {string} id as for `loadGame`.
 */
export async function loadOffer(id) {
  await load(id, async (game) => {
    if (!offers.has(id)) {
      offers.set(id, (await game.offer()).OFFER);
    }
  });
}

/**
 * Load the lesson of a game, with its words.
 *
 * @param {string} id
 * @returns {Promise<Lesson>}
 * @throws {Error} the game is not known here: a mistake of this page.
 */
export async function loadLesson(id) {
  const found = /** @type {{lesson?: Lesson}} */ ({});
  await load(id, async (game) => {
    found.lesson = (await game.lesson()).LESSON;
  });
  if (found.lesson === undefined) {
    throw new Error(`the game ${id} has no lesson`);
  }
  return found.lesson;
}

/**
 * The book of a rulebook as far as lists of tables need it: what its modes and outcomes are called. Nothing is loaded.
 *
 * @param {any} listed an entry of `GET /v1/rulebooks`.
 * @param {string} language of its texts.
 * @returns {Book}
 */
export function coverFrom({ id, game, name, turn, mode_names: modes, outcomes }, language) {
  const words = Object.fromEntries(Object.entries(outcomes).map(([outcome, text]) => [`outcome.${outcome}`, text]));
  const named = Object.entries(modes).map(([mode, text]) => ({ id: mode, name: text }));
  const json = { id, game, name, turn, language, modes: named, words };
  return GAMES.has(game) ? new Book(json) : STRANGER.words.book(json);
}

/** @param {(game: Loading) => Promise<void>} how */
async function load(id, how) {
  const game = GAMES.get(id);
  if (game !== undefined) {
    wantWords([], [id]);
    await Promise.all([how(game), loadWords()]);
  }
}

/**
 * @template T
 * @param {string} id
 * @param {Map<string, T>} kept
 * @returns {T|Game}
 */
function loadedOf(id, kept) {
  const found = kept.get(id);
  if (found === undefined && GAMES.has(id)) {
    throw new Error(`the game ${id} has not been loaded`);
  }
  return found ?? STRANGER;
}

/** What has to be known before a game can be drawn: whose view it is, and its book. */

import { bookFrom, loadBook } from "../books.js";
import { loadGame } from "../games/registry.js";
import { get } from "../net/api.js";
import { isPublic } from "../net/identity.js";
import { knownTable, viewPath } from "../net/paths.js";
import { Problem } from "../net/problem.js";
import { learnFromView, learnNames } from "../net/names.js";
import { parseLine } from "../fold/lines.js";
import { language, t } from "../words.js";
import { Feed } from "./feed.js";

/** @import { Book } from "../book.js" */

/**
 * @typedef {object} Opening
 * @property {string} viewer whose view the service gives.
 * @property {number} newest a version that exists.
 * @property {Book} book
 * @property {string|null} notice what should be said once, as that a view is not open.
 * @property {Feed|null} feed the log of that view, which is listened to already; null out of an archive.
 */

/**
 * Ask for a game as one may see it. A view that is not open is said not to be, and another one is given.
 *
 * @param {string} game its id.
 * @param {string|null} wish "public", "seat:2", "full" or null: one's own seat, or the public view.
 * @param {boolean} embed whether the log is joined in its middle.
 * @param {AbortSignal} signal
 * @returns {Promise<Opening>}
 * @throws {Problem} there is no such game, or no way to it.
 */
export async function openGame(game, wish, embed, signal) {
  let ready = () => {};
  const foldable = new Promise((done) => (ready = () => done(undefined)));
  const listenAs = (viewer) => {
    const made = new Feed(game, viewer, { fromSnapshot: embed, ready: foldable });
    made.start();
    return made;
  };
  // Whose view that of a stranger will be needs no answer: their log comes beside it.
  let feed = isPublic(wish) ? listenAs("public") : null;
  const known = knownTable(game);
  known && loadBook(known.game, known.rulebook, language()).catch(() => {}); // whoever takes it hears of it
  try {
    const { view, notice } = await askForView(game, wish, signal);
    const { viewer, version, state } = view;
    if (feed?.viewer !== viewer) {
      feed?.stop();
      feed = listenAs(viewer);
    }
    const [book] = await Promise.all([loadBook(state.game, state.rulebook, language()), loadGame(state.game)]);
    signal.throwIfAborted();
    return { viewer, newest: version, book, notice, feed };
  } catch (error) {
    feed?.stop();
    throw error;
  } finally {
    ready();
  }
}

/** The view that is wished for, or with a notice the one that is open. */
async function askForView(game, wish, signal) {
  let notice = null;
  let view;
  try {
    view = await get(viewPath(game, wish), { signal });
  } catch (problem) {
    if (!(problem instanceof Problem && ["view-not-yours", "inspection-needed"].includes(problem.code))) {
      throw problem;
    }
    notice = t("watch.notice.view");
    view = await get(viewPath(game, null), { signal });
  }
  learnFromView(view.body);
  return { view: view.body, notice };
}

/** The same out of an archive, which holds one view of a whole game. */
export async function openArchive(archive) {
  const first = parseLine(archive.lines[0]);
  const books = archive.books;
  const json = books[language()] ?? books[archive.language] ?? Object.values(books)[0];
  await loadGame(json.game);
  const book = bookFrom(json);
  if (book.id !== first.event.rulebook) {
    throw new Error(`the archive holds the book ${book.id}, and a game of ${first.event.rulebook}`);
  }
  learnNames(archive.names, archive.renamed);
  return { viewer: archive.viewer, newest: archive.lines.length, book, notice: null, feed: null };
}

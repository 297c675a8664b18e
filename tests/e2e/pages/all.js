/** The page with everything that it loads later, for tests that look at modules alone. */

import { loadGame } from "/web/games/registry.js";
import { loadWords, wantWords } from "/web/languages.js";

const SECTIONS = ["common", "lobby", "board", "play", "watch", "log", "refusals", "wall"];
const GAMES = ["room25", "cerveauuu"];

/** All games are there. */
export async function games() {
  await Promise.all(GAMES.map(loadGame));
}

/** All games and all words of a language are there, and it is spoken. */
export async function everything(language) {
  wantWords(SECTIONS);
  await loadWords(language);
  await games();
}

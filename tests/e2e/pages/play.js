/** What the tests of the play panel do inside the browser: the panel alone, as the page of a table has it. */

import { everything } from "./all.js";
import { bookFrom } from "/web/books.js";
import { get, post } from "/web/net/api.js";
import { createPlay } from "/web/play/play.js";

/** Show the panel of a game; it reads the decisions anew as the page does. */
export async function begin(game, book, language) {
  document.querySelector(".p-panel")?.remove();
  document.querySelector("#live")?.remove();
  await everything(language);
  const said = document.createElement("div");
  said.id = "live";
  const read = async () => panel.update((await get(`/v1/games/${game}/decisions`)).body, { state: null });
  const panel = createPlay({ game, book: bookFrom(book), api: { get, post }, ranOut: ({ seat, at }) => globalThis.late?.seat === seat && globalThis.late.at === at, onAnswered: read });
  document.body.append(panel.element, said);
  globalThis.read = read;
  globalThis.panel = panel;
  await read();
}

/** The game has moved on: read the decisions as the page does when a line comes. */
export async function moved() {
  await globalThis.read();
}

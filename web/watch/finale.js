/** The last scene: over the board, once a game is over. It can be left at any moment, and without motion it is a still. */

import { h } from "../dom.js";
import { layOver } from "../layers.js";
import { aboutSign } from "../term.js";
import { t } from "../words.js";

/**
 * Show it.
 *
 * @param {Element} stage what it lies over.
 * @param {NonNullable<ReturnType<import("../games/contract.js").GameFinale>>} scene
 * @param {{still: boolean, text: string, about: {title: string, content: Node[]}|null, onClose?: () => void}} given `text` says why it has come out
 *   so, `about` what there is to know of what that and the title name.
 * @returns {() => void} ends it.
 */
export function showFinale(stage, { title, drawing, people }, { still, text, about, onClose = () => {} }) {
  const over = new AbortController();
  const close = () => {
    if (!over.signal.aborted) {
      over.abort();
      lift();
      element.remove();
      onClose();
    }
  };
  const leave = h("button", { type: "button", class: "finale-leave", dataset: { move: "finale-leave" }, onclick: close }, t("watch.finale.leave"));
  const element = h(
    "section",
    { class: ["finale", still && "finale-still"], "aria-label": t("watch.finale") },
    drawing,
    h("p", { class: "finale-title" }, title),
    (text || about) && h("p", { class: "finale-why" }, text, " ", aboutSign(about)),
    h("ul", { class: "finale-cast" }, people.map(({ face, name, said, against }) => h("li", { class: against && "finale-dark" }, face, h("b", { dir: "auto" }, name), h("span", { class: "finale-role" }, said)))),
    leave,
  );
  // A click anywhere is meant for what lies below, which nobody sees: it ends the scene, and does nothing else. Whoever asks what a word means stays.
  element.addEventListener("click", ({ target }) => (target instanceof Element && target.closest("[aria-haspopup]")) || close());
  // A window that lies over the scene closes first.
  document.addEventListener("keydown", (event) => event.key === "Escape" && document.querySelector("dialog[open]") === null && close(), { signal: over.signal });
  stage.append(element);
  const lift = layOver(close);
  return close;
}

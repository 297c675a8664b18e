/** What something on the board or in a form is, in a window: why it cannot be chosen, and folded up below all that has happened to it. */

import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { gameOf } from "../games/registry.js";
import { patch } from "../patch.js";
import { aboutSign } from "../term.js";

/** @import { Controller } from "./controller.js" */

/**
 * The versions at which there was something new to see (pure).
 *
 * @param {import("../fold/timeline.js").Timeline} timeline
 * @param {(state: object) => string|null} seen see `Story`.
 * @param {number} until the last version that counts.
 * @returns {number[]} in order.
 */
function changesOf(timeline, seen, until) {
  const found = [];
  let before = null;
  for (let version = Math.max(1, timeline.first); version <= until; version += 1) {
    const now = seen(timeline.at(version));
    if (now !== null && now !== before) {
      found.push(version);
    }
    before = now;
  }
  return found;
}

/**
 * Show what there is to know of a target.
 *
 * @param {Controller} controller
 * @param {string} target of the board, or one that a form of the game names.
 * @param {{book: import("../book.js").Book, names: any, log: any, reasons?: Promise<string[]>}} options `reasons`: why it cannot be chosen.
 */
export function showHelpOf(controller, target, { book, names, log, reasons }) {
  const { help } = gameOf(book.game);
  const about = help.about(controller.state, target, { book, names });
  const story = help.story(controller.state, target, names);
  if (about === null) {
    return;
  }
  const go = (version) => {
    dialog.close();
    controller.pause();
    controller.seek(version);
  };
  const why = h("div", { class: "place-why", "aria-live": "polite" });
  const dialog = openDialog({ title: about.title, name: "place", content: [why, about.content, story && history(controller, story, { log, go })] });
  reasons?.then((texts) => patch(why, texts.map((text) => h("p", {}, text, " ", aboutSign(namedBeside(about, help.named(null, book, text)))))));
}

/** What a reason names, but for that which the window is about and tells by itself. */
function namedBeside(about, named) {
  return named !== null && about.title.includes(named.title) ? null : named;
}

/** The history of what lies there; it is looked for once it is wanted. */
function history(controller, story, { log, go }) {
  const body = h("div", {});
  const unfold = (event) => event.target.open && body.childElementCount === 0 && body.append(...told(controller, story, { log, go }));
  return h("details", { class: "place-history", ontoggle: unfold }, h("summary", {}, story.title), body);
}

function told(controller, story, { log, go }) {
  const entries = changesOf(controller.timeline, story.seen, controller.last)
    .map((version) => ({ version, text: log.textOf(version) }))
    .filter(({ text }) => text)
    .map(({ version, text }) =>
      h(
        "li",
        { class: version > controller.shown && "later" },
        h("button", { type: "button", "aria-current": version === controller.shown ? "step" : null, onclick: () => go(version) }, h("span", { class: "log-version" }, String(version)), h("span", { class: "listing" }, text)),
      ),
    );
  return [h("p", {}, story.text), entries.length ? h("ol", { class: "changes" }, entries) : h("p", {}, story.empty)];
}

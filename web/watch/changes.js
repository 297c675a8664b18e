/** "When did this change": all that happened to what lies on a place of the board. */

import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { gameOf } from "../games/registry.js";

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
 * Show the history of what lies on a place.
 *
 * @param {Controller} controller
 * @param {string} target a target of the board.
 * @param {{names: object, log: object}} options
 */
export function showChanges(controller, target, { names, log }) {
  const story = gameOf(names.game).help.story(controller.state, target, names);
  if (story === null) {
    return;
  }
  const versions = changesOf(controller.timeline, story.seen, controller.last);
  const go = (version) => {
    dialog.close();
    controller.pause();
    controller.seek(version);
  };
  const entries = versions
    .map((version) => ({ version, text: log.textOf(version) }))
    .filter(({ text }) => text)
    .map(({ version, text }) =>
      h(
        "li",
        { class: version > controller.shown && "later" },
        h("button", { type: "button", "aria-current": version === controller.shown ? "step" : null, onclick: () => go(version) }, h("span", { class: "log-version" }, String(version)), h("span", {}, text)),
      ),
    );
  const dialog = openDialog({
    title: story.title,
    name: "changes",
    content: [h("p", {}, story.text), entries.length ? h("ol", { class: "changes" }, entries) : h("p", {}, story.empty)],
  });
}

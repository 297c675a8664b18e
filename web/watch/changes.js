/** "When did this change": all that happened to one room, wherever it has been. */

import { h } from "../dom.js";
import { t } from "../words.js";
import { openDialog } from "./dialogs.js";

/**
 * The versions at which something changed about a tile up to a version: its place, its face, what lies on it, who stands
 * there, who has looked at it (pure).
 *
 * @param {Timeline} timeline
 * @param {number} id the tile's.
 * @param {number} until the last version that counts.
 * @returns {number[]} in order.
 */
function changesOf(timeline, id, until) {
  const found = [];
  let before = null;
  let known = null;
  for (let version = Math.max(1, timeline.first); version <= until; version += 1) {
    const { play } = timeline.at(version);
    const parts = [play?.grid, play?.characters, play?.peeked, play?.claims, play?.robots];
    if (known !== null && parts.every((part, i) => part === known[i])) {
      continue;
    }
    known = parts;
    const now = play?.grid ? look(play, id) : null;
    if (now !== null && now !== before) {
      found.push(version);
    }
    before = now;
  }
  return found;
}

/** All that there is to see of a tile, as a text that differs where anything does. */
function look(play, id) {
  const place = Object.entries(play.grid).find(([, tile]) => tile.id === id);
  if (!place) {
    return null;
  }
  const [cell, tile] = place;
  const figures = Object.values(play.characters ?? {}).filter((figure) => figure.cell === cell).map((figure) => figure.id);
  const robots = (play.robots ?? []).map((where, i) => (where === cell ? i : null)).filter((i) => i !== null);
  const looked = Object.entries(play.peeked ?? {}).filter(([, ids]) => ids.includes(id)).map(([seat]) => seat);
  const said = Object.entries(play.claims ?? {}).flatMap(([seat, claims]) => claims.filter((claim) => claim.tile === id).map(({ color }) => [seat, color]));
  return JSON.stringify([cell, tile, figures, robots, looked, said]);
}

/**
 * Show the history of the tile on a cell.
 *
 * @param {Controller} controller
 * @param {string} cell
 * @param {{names: object, log: object}} options
 */
export function showChanges(controller, cell, { names, log }) {
  const tile = controller.state.play?.grid?.[cell];
  if (!tile) {
    return;
  }
  const versions = changesOf(controller.timeline, tile.id, controller.last);
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
  const room = tile.kind ? names.room(tile.kind) : t("room25/watch.changes.hidden");
  const dialog = openDialog({
    title: t("room25/watch.changes", { cell: names.cell(cell) }),
    name: "changes",
    content: [h("p", {}, t("room25/watch.changes.text", { room })), entries.length ? h("ol", { class: "changes" }, entries) : h("p", {}, t("room25/watch.changes.none"))],
  });
}

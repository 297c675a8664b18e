/** The history of a room, wherever it has been. */

import { t } from "../../../words.js";

/** @type {import("../../contract.js").GameHelp["story"]} */
export function tileStory(state, cell, names) {
  const tile = state.play?.grid?.[cell];
  if (!tile) {
    return null;
  }
  const room = tile.kind ? names.room(tile.kind) : t("room25/watch.changes.hidden");
  return {
    title: t("room25/watch.changes", { cell: names.cell(cell) }),
    text: t("room25/watch.changes.text", { room }),
    empty: t("room25/watch.changes.none"),
    seen: seenOf(tile.id),
  };
}

/** Most versions change nothing that is looked at here: then it is not looked at again. */
function seenOf(id) {
  let known = null;
  let text = null;
  return ({ play }) => {
    const parts = [play?.grid, play?.characters, play?.peeked, play?.claims, play?.robots];
    if (known === null || !parts.every((part, i) => part === known[i])) {
      known = parts;
      text = play?.grid ? look(play, id) : null;
    }
    return text;
  };
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

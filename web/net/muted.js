/** Whom the reader does not want to hear: everybody, or some players; kept by this browser. */

import { identity } from "./identity.js";
import { listenersTo, read, write } from "./storage.js";

const KEY = "parlour.muted";
const changes = listenersTo(KEY);

/** @returns {{all: boolean, players: string[]}} */
function kept() {
  try {
    const { all = false, players = [] } = JSON.parse(read(KEY) ?? "{}");
    return { all: all === true, players: Array.isArray(players) ? players : [] };
  } catch {
    return { all: false, players: [] }; // another program has written there
  }
}

function keep(muted) {
  write(KEY, JSON.stringify({ ...kept(), ...muted }));
  changes.tell();
}

/** Have a listener called whenever others are to be heard than before; gives what stops it. */
export const onMuted = changes.listen;

/** Whether everybody is muted. */
export function isAllMuted() {
  return kept().all;
}

/** Whether a player is muted, by id; not only because everybody is. */
export function isMuted(player) {
  return kept().players.includes(player);
}

/** Whether a player is to be heard; oneself always is. */
export function isHeard(player) {
  return player === identity()?.player || (!isAllMuted() && !isMuted(player));
}

/** Mute everybody, or no longer. */
export function muteAll(all) {
  keep({ all });
}

/** Mute one player, or no longer. */
export function mute(player, muted) {
  const others = kept().players.filter((each) => each !== player);
  keep({ players: muted ? [...others, player] : others });
}

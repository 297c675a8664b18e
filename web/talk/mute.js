/** Whom the reader does not want to hear: everybody, or some players; kept by this browser. */

import { read, write } from "../net/storage.js";

const KEY = "parlour.muted";

/** @returns {{all: boolean, players: string[]}} */
function kept() {
  try {
    const { all = false, players = [] } = JSON.parse(read(KEY) ?? "{}");
    return { all: all === true, players: Array.isArray(players) ? players : [] };
  } catch {
    return { all: false, players: [] }; // another program has written there
  }
}

/** Whether everybody is muted. */
export function isAllMuted() {
  return kept().all;
}

/** Whether a player is muted, by id; not only because everybody is. */
export function isMuted(player) {
  return kept().players.includes(player);
}

/** Whether a player is to be heard. */
export function isHeard(player) {
  return !isAllMuted() && !isMuted(player);
}

/** Mute everybody, or no longer. */
export function muteAll(all) {
  write(KEY, JSON.stringify({ ...kept(), all }));
}

/** Mute one player, or no longer. */
export function mute(player, muted) {
  const others = kept().players.filter((each) => each !== player);
  write(KEY, JSON.stringify({ ...kept(), players: muted ? [...others, player] : others }));
}

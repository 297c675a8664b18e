/** What each event says in the log: the sentence that its rulebook has for it, and how much room it takes. */

import { called } from "../called.js";
import { t } from "../words.js";

/** Events that name an account, which is told by its name where it sits at the table. */
const OF_INVITATIONS = new Set(["player-invited", "invitation-withdrawn", "invitation-declined"]);

/**
 * An event as a sentence.
 *
 * @param {any} event as its reader may see it, a secret field is not there; with what the game says beside it, see
 *   `GameLog.beside`.
 * @param {any} names see `namesOf`.
 * @returns {string}
 */
export function sentence(event, names) {
  // Who has sat down may have left since, and somebody else may sit there.
  const player = (seat) => (event.type === "seat-taken" ? called(seat, event) : names.player(seat));
  // A newer service may tell of things that nobody here knows.
  const who = OF_INVITATIONS.has(event.type) ? names.seatOf(event.player) : undefined;
  return names.sentences.tell({ ...event, who }, player) ?? t("log.unknown", { type: event.type });
}

/** Whether what is said of one event may be another since another one: who was invited has sat down. */
export const concerns = (event, other) => other.type === "seat-taken" && OF_INVITATIONS.has(event.type) && event.player === other.player;

/** Whether a sentence has a list in it, each entry of which stands in a line of its own. */
export const lists = (text) => text.includes("\n");

/**
 * The last of some sentences, as far as they fit into so many lines; the very last is there in any case.
 *
 * @param {string[]} texts
 * @param {number} most how many lines; a sentence is one, and each entry of its list another one.
 * @returns {string[]}
 */
export function lastLines(texts, most) {
  let left = most;
  const first = texts.findLastIndex((text) => {
    left -= text.split("\n").length;
    return left < 0;
  });
  return texts.slice(Math.min(first + 1, Math.max(texts.length - 1, 0)));
}

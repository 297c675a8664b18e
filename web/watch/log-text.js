/** What each event says in the log: the sentence that its rulebook has for it. */

import { called } from "../called.js";
import { t } from "../words.js";

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
  return names.sentences.tell(event, player) ?? t("log.unknown", { type: event.type });
}

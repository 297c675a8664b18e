/** How many pieces are still to come while they are placed at the beginning (pure). */

import { t } from "../../../words.js";

/** What each decision places: its letter among the counters, how many there are by the mode, and which of them this is. */
const PLACED = {
  place_human: { letter: "h", all: ({ humans }) => humans, which: (numbers) => t("cerveauuu/play.placing.humans", numbers) },
  place_zombie: { letter: "z", all: ({ zombies }) => zombies, which: (numbers) => t("cerveauuu/play.placing.zombies", numbers) },
};

/**
 * Which piece of how many is placed, and how many more its player places; null for other decisions. Seats place in turn (§3.4, §3.5).
 *
 * @type {import("../../contract.js").GameWords["limit"]}
 */
export function stillToPlace({ kind }, book, state) {
  const play = state?.play;
  const placed = PLACED[kind];
  if (placed === undefined || !play) {
    return null;
  }
  const seats = play.seats.length;
  const total = placed.all(book.mode(play.mode))[seats];
  const number = (play.counters[placed.letter] ?? 0) + 1;
  const own = Math.floor((total - number) / seats);
  const after = own === 0 ? t("cerveauuu/play.placing.last") : t("cerveauuu/play.placing.more", { count: own });
  return `${placed.which({ number, total })} ${after}`;
}

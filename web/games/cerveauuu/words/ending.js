/** Why a game of Cerveauuu! has come out as it has (pure). */

import { t } from "../../../words.js";

/** @type {import("../../contract.js").GameWords["ending"]} */
export function endingOf({ play }, names) {
  if (!play?.end) {
    return null;
  }
  const { outcome, winners } = play.end;
  const [first] = winners;
  const given = {
    players: names.players(winners),
    points: first === undefined ? 0 : (play.scores[first] ?? 0),
    cards: first === undefined ? 0 : (play.played[first] ?? 0),
  };
  return t(`cerveauuu/watch.why.${outcome}`, given);
}

/** What holds for the whole table at this moment: the weather, how far the end credits are once they have begun, what is forbidden (pure). */

import { present } from "../../../dom.js";
import { t } from "../../../words.js";

/** @type {import("../../contract.js").GameWords["inForce"]} */
export function inForce({ play }, book) {
  if (!play || play.round === 0) {
    return [];
  }
  const { weather, bans, credits, credits_need: need } = play;
  return present([
    weather && book.cardName(weather.card),
    credits.length > 0 && t("cerveauuu/board.in_force.credits", { count: credits.length, need }),
    ...bans.map(({ type }) => t("cerveauuu/board.in_force.ban", { type: book.word(`card_type.${type}`) })),
    play.media_lock && t("cerveauuu/board.in_force.media"),
  ]);
}

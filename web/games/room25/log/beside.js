/** What sentences need beside their event. */

import { whyLost } from "../board/programmes.js";

/**
 * Why an action was lost, by the state in which it was: a word of `lost.*`. While a game runs, the log leaves out which role
 * was dealt: that is on its player's card, which may be sealed.
 */
export function beside(event, { version, timeline }) {
  if (event.type === "role-dealt" && timeline.at(timeline.last).phase !== "finished") {
    return { role: null };
  }
  if (event.type !== "action-lost" || version <= timeline.first) {
    return {};
  }
  return { why: whyLost(event.token, event.character, timeline.at(version - 1).play) };
}

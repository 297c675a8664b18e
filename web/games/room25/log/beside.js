/** What sentences need beside their event. */

import { whyLost } from "../board/programmes.js";

/** Why an action was lost, by the state in which it was: a word of `lost.*`; nothing for other events. */
export function beside(event, { version, timeline }) {
  if (event.type !== "action-lost" || version <= timeline.first) {
    return {};
  }
  return { why: whyLost(event.token, event.character, timeline.at(version - 1).play) };
}

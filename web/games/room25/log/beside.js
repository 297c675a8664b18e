/** What sentences need beside their event. */

import { whyLost } from "../board/programmes.js";

/** The action of whose character an event may come, by its type. @type {Object<string, (event: any, acting: any) => boolean>} */
const BY_ACTION = {
  "character-moved": ({ cause }, { token }) => cause === "push" && token === "push",
  "room-peeked": ({ seat }, acting) => acting.token === "look" && acting.seat === seat,
  "line-shifted": ({ cause }, { token }) => cause === "action" && token === "control",
};

/**
 * What a sentence says beside what its event has: `why` an action was lost, by the state in which it was, a word of `lost.*`; the `actor`, whose
 * action it was. While a game runs, the log leaves out which role was dealt: that is on its player's card, which may be sealed.
 */
export function beside(event, { version, timeline }) {
  if (event.type === "role-dealt" && timeline.at(timeline.last).phase !== "finished") {
    return { role: null };
  }
  if ((event.type !== "action-lost" && BY_ACTION[event.type] === undefined) || version <= timeline.first) {
    return {};
  }
  const { play } = timeline.at(version - 1);
  return event.type === "action-lost" ? { why: whyLost(event.token, event.character, play) } : { actor: actorOf(event, play) };
}

/** The character whose action made it happen; null: none did. */
function actorOf(event, play) {
  const { id, seat, used } = play?.characters?.[play.actor] ?? { used: [] };
  return BY_ACTION[event.type](event, { seat, token: used.at(-1) }) ? id : null;
}

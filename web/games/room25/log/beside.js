/** What sentences need beside their event. */

import { whyLost } from "../board/programmes.js";

/** The action of whose character an event may come, by its type. @type {Object<string, (event: any, acting: any) => boolean>} */
const BY_ACTION = {
  "character-moved": ({ cause }, { token }) => cause === "push" && token === "push",
  "room-peeked": ({ seat }, acting) => acting.token === "look" && acting.seat === seat,
  "line-shifted": ({ cause }, { token }) => cause === "action" && token === "control",
};

/** What needs no state to be told, by the type of the event. @type {Object<string, (event: any) => Object>} */
const OF_ITSELF = {
  "special-used": ({ option }) => ({ use: useOf(option) }),
  "power-used": ({ option }) => ({ use: useOf(named(option)) }),
  "programming-closed": ({ actions }) => ({ acting: acting(actions) }),
};

const CELL = /^r\dc\d$/;
const ROBOT = /^(?:robot)?(\d)$/;
const ORDERS = ["move", "push"];

/**
 * What a sentence says beside what its event has: `why` an action was lost, by the state in which it was, a word of `lost.*`; the `actor`, whose
 * action it was; the `use` of an ability or a power (`useOf`); who is `acting` how often, the most first. While a game runs, the log leaves out which
 * role was dealt: that is on its player's card, which may be sealed.
 */
export function beside(event, { version, timeline }) {
  if (event.type === "role-dealt" && timeline.at(timeline.last).phase !== "finished") {
    return { role: null };
  }
  if (OF_ITSELF[event.type] !== undefined) {
    return OF_ITSELF[event.type](event);
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

/** What an option of an ability is for: what it `does`, the `robot`, from 0, if there is any, and `who` and `cells` in the order of the option. */
export function useOf(option) {
  const [does, ...parts] = option.split(/[:+]/);
  const robot = parts.map((part) => ROBOT.exec(part)?.[1]).find(Boolean);
  return {
    does,
    robot: robot === undefined ? null : Number(robot) - 1,
    who: parts.filter((part) => !CELL.test(part) && !ORDERS.includes(part) && !ROBOT.test(part)),
    cells: parts.filter((part) => CELL.test(part)),
  };
}

/** The option of a guard's power with what it does before it: only `hide` says so itself. */
function named(option) {
  if (CELL.test(option)) {
    return `step:${option}`;
  }
  return option.includes("+") ? `push:${option}` : option;
}

/** Who has programmed how many actions, the most first. */
function acting(actions) {
  const counts = [...new Set(Object.values(actions))].sort((one, other) => other - one);
  return counts.map((count) => ({ count, who: Object.keys(actions).filter((name) => actions[name] === count) }));
}

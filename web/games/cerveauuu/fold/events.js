/** How each event of Cerveauuu! is recorded in a play (pure). No rule is applied here, facts are copied. */

import { BOARD_EVENTS } from "./board-events.js";
import { CARD_EVENTS } from "./card-events.js";
import { ZOMBIE_EVENTS } from "./zombie-events.js";

/** What each type of event does to a private play; its parts are replaced, not changed. */
export const EVENTS = new Map([...BOARD_EVENTS, ...CARD_EVENTS, ...ZOMBIE_EVENTS]);

/**
 * What a reader knows of a table, made of the events that the reader may see (pure). It mirrors the service's own fold:
 * after the same events, `toView` gives the `state` of the service's GameView.
 *
 * A state is shared in parts. `evolve` changes the members of `state` and of `state.play` and nothing deeper: it puts
 * new parts in the place of old ones. So a copy is cheap, and a copy is all that one needs before going on.
 */

import { initialPlay, playFromView, playToView } from "./room25-state.js";
import { ROOM25 } from "./room25.js";
import { TABLE, initialTable } from "./table.js";

const GAMES = new Map([
  ["room25", { initial: initialPlay, events: ROOM25, fromView: playFromView, toView: playToView }],
]);

/** A game that this page does not know: what its events do stays unknown too. */
const STRANGER = { initial: () => null, events: new Map(), fromView: (json) => json, toView: (play) => play };

const gameOf = (state) => GAMES.get(state.game) ?? STRANGER;

/** The state before the first event. */
export function initial() {
  return initialTable();
}

/** A private copy, for `evolve`. */
export function copy(state) {
  return { ...state, play: state.play && { ...state.play } };
}

/**
 * Fold one event into a private copy.
 *
 * @param {Object} state is changed, and given back.
 * @param {Object} event as `seen` gives it. Types that are not known here are passed over.
 * @returns {Object}
 * @throws {Error} the event speaks of something that the state does not have.
 */
export function evolve(state, event) {
  const record = TABLE.get(event.type);
  if (record !== undefined) {
    record(state, event);
    if (event.type === "table-opened") {
      state.play = gameOf(state).initial();
    }
  } else if (state.play !== null) {
    gameOf(state).events.get(event.type)?.(state.play, event);
  }
  return state;
}

/** The state that a GameView's `state` shows: what is left out there has its default here. */
export function fromView(json) {
  return { ...initialTable(), ...json, play: json.play && gameOf(json).fromView(json.play) };
}

/** The state as the `state` of a GameView, the order of members aside. */
export function toView(state) {
  return { ...state, play: state.play && gameOf(state).toView(state.play) };
}

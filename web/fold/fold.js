/**
 * What a reader knows of a table, made of the events that the reader may see (pure). It mirrors the service's own fold:
 * after the same events, `toView` gives the `state` of the service's GameView.
 *
 * A state is shared in parts. `evolve` changes the members of `state` and of `state.play` and nothing deeper: it puts
 * new parts in the place of old ones. So a copy is cheap, and a copy is all that one needs before going on.
 */

import { TABLE, initialTable } from "./table.js";

/** The fold of a table round some games. */
export class Fold {
  #foldOf;

  /** @param {(game: string) => import("../games/contract.js").GameFold} foldOf the part of each game, by its id. */
  constructor(foldOf) {
    this.#foldOf = foldOf;
  }

  /** The state before the first event. */
  initial() {
    return initialTable();
  }

  /** A private copy, for `evolve`. */
  copy(state) {
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
  evolve(state, event) {
    const record = TABLE.get(event.type);
    if (record !== undefined) {
      record(state, event, this.turn(state) ?? 0);
      if (event.type === "table-opened") {
        state.play = this.#foldOf(state.game).initial();
      }
    } else if (state.play !== null) {
      this.#foldOf(state.game).events.get(event.type)?.(state.play, event);
    }
    return state;
  }

  /** The state that a GameView's `state` shows: what is left out there has its default here. */
  fromView(json) {
    return { ...initialTable(), ...json, play: json.play && this.#foldOf(json.game).fromView(json.play) };
  }

  /** The state as the `state` of a GameView, the order of members aside. */
  toView(state) {
    return { ...state, play: state.play && this.#foldOf(state.game).toView(state.play) };
  }

  /** The number of the turn, 0 before the first; null: there is no game yet, or one whose turns nobody here can count. */
  turn(state) {
    return state.play && this.#foldOf(state.game).turn(state.play);
  }

  /** The turn with which the game ends at the latest; null: as for `turn`. */
  lastTurn(state) {
    return state.play && this.#foldOf(state.game).lastTurn(state.play);
  }

  /** How the game has come out, also before the table is closed; null: not yet. */
  end(state) {
    return state.result ?? (state.play && this.#foldOf(state.game).end(state.play));
  }
}

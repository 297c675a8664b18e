/** The seats of an open table, folded away in its row of the list. */

import { clear, h } from "../dom.js";
import { get } from "../net/api.js";
import { inTurn } from "../net/in-turn.js";
import { learnFromView } from "../net/names.js";
import { refusalNote } from "../refusal.js";
import { t } from "../words.js";
import { seatControls } from "./seats.js";
import { bookOf } from "./shelf.js";

/** A panel that reads its table when it is opened, and again when the table has moved. */
export class SeatPanel {
  /** @type {ReturnType<typeof seatControls>|null} */
  #controls = null;
  #version = 0;
  #read = inTurn(() => this.#fetch());

  /**
   * @param {string} game its id.
   * @param {{lang: string, navigate: (address: string) => void, onChanged: () => void, signal: AbortSignal}} given
   *   `onChanged`: the reader has changed something, so the list is out of date.
   */
  constructor(game, { lang, navigate, onChanged, signal }) {
    this.game = game;
    this.lang = lang;
    this.navigate = navigate;
    this.onChanged = onChanged;
    this.signal = signal;
    this.body = h("div", {});
    this.element = h(
      "details",
      { class: "panel" },
      h("summary", { dataset: { action: "seats" } }, t("lobby.action.seats")),
      this.body,
    );
    this.element.addEventListener("toggle", () => this.element.open && this.#read());
  }

  /** The list says that the table is at this version. */
  moved(version) {
    if (this.element.open && version > this.#version) {
      this.#read();
    }
  }

  /** Listen to nothing any more. */
  close() {
    this.#controls?.destroy();
  }

  async #fetch() {
    try {
      const { body: view } = await get(`/v1/games/${this.game}`, { signal: this.signal });
      learnFromView(view);
      const book = await bookOf(view.state.game, view.state.rulebook, this.lang);
      if (!this.signal.aborted) {
        this.#version = view.version;
        this.#show(view, book);
      }
    } catch (error) {
      if (!this.signal.aborted) {
        clear(this.body).append(refusalNote(error));
        this.#controls?.destroy();
        this.#controls = null;
      }
    }
  }

  #show(view, book) {
    if (this.#controls !== null) {
      this.#controls.update(view);
      return;
    }
    const onChanged = () => {
      this.#read();
      this.onChanged();
    };
    this.#controls = seatControls({ view, book, navigate: this.navigate, onChanged });
    clear(this.body).append(this.#controls.element);
  }
}

/** The logs of one game as different viewers get them; one of them is looked at. Knows no document. */

import { Feed } from "./feed.js";

/** All that is listened to, or kept for the next look. */
export class Feeds {
  /** @type {Map<string, Feed>} by viewer. */
  #kept = new Map();

  /**
   * @param {string} game its id.
   * @param {string} viewer whose log is looked at first.
   * @param {{archive: object|null, fromSnapshot: boolean, listening: Feed|null, onChange: () => void}} options `listening`:
   *   that log, where it is listening already; `onChange` hears of what is new in the one that is looked at.
   */
  constructor(game, viewer, { archive, fromSnapshot, listening, onChange }) {
    this.game = game;
    this.archive = archive;
    this.fromSnapshot = fromSnapshot && archive === null;
    this.onChange = onChange;
    /** The one that is looked at. */
    this.current = this.#keep(listening ?? this.#open(viewer));
  }

  /** Look at a viewer's log: at the one that is kept, else at a new one. @param {string} viewer */
  turnTo(viewer) {
    this.#leave(this.current);
    this.current = this.#kept.get(viewer) ?? this.#keep(this.#open(viewer));
  }

  /** Listen to none any more. */
  stop() {
    this.#kept.forEach((feed) => feed.stop());
  }

  #open(viewer) {
    return new Feed(this.game, viewer, { archive: this.archive, fromSnapshot: this.fromSnapshot });
  }

  /** @param {Feed} feed @returns {Feed} */
  #keep(feed) {
    feed.onChange = () => feed === this.current && this.onChange();
    this.#kept.set(feed.viewer, feed);
    return feed;
  }

  /** A finished log is kept for the next look; a running one would cost a second stream. */
  #leave(feed) {
    if (feed.status !== "ended" && feed.status !== "archive") {
      feed.stop();
      this.#kept.delete(feed.viewer);
    }
  }
}

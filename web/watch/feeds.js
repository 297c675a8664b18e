/** The logs of one game as different viewers get them; one of them is looked at. Knows no document. */

import { Feed } from "./feed.js";

/** All that is listened to, or kept for the next look. */
export class Feeds {
  /** @type {Map<string, Feed>} by viewer. */
  #kept = new Map();

  /**
   * @param {string} game its id.
   * @param {{archive: object|null, fromSnapshot: boolean, onChange: () => void}} options `onChange` hears of what is new
   *   in the log that is looked at.
   */
  constructor(game, { archive, fromSnapshot, onChange }) {
    this.game = game;
    this.archive = archive;
    this.fromSnapshot = fromSnapshot && archive === null;
    this.onChange = onChange;
    /** The one that is looked at. */
    this.current = /** @type {Feed} */ (/** @type {unknown} */ (null));
  }

  /**
   * Look at a viewer's log: at the one that is kept, else at a new one.
   *
   * @param {string} viewer @param {Feed|null} [listening] this viewer's, where it is listening already.
   */
  turnTo(viewer, listening = null) {
    if (this.current) {
      this.#leave(this.current);
    }
    const feed = this.#kept.get(viewer) ?? listening ?? new Feed(this.game, viewer, { archive: this.archive, fromSnapshot: this.fromSnapshot });
    feed.onChange = () => feed === this.current && this.onChange();
    this.#kept.set(viewer, feed);
    this.current = feed;
  }

  /** Listen to none any more. */
  stop() {
    this.#kept.forEach((feed) => feed.stop());
  }

  /** A finished log is kept for the next look; a running one would cost a second stream. */
  #leave(feed) {
    if (feed.status !== "ended" && feed.status !== "archive") {
      feed.stop();
      this.#kept.delete(feed.viewer);
    }
  }
}

/** What is shown of a game, and how one moves through it. Knows no document. */

import { Feeds } from "./feeds.js";
import { dwellMs, shiftedSpeed } from "./pace.js";

/** @import { Feed } from "./feed.js" */

/**
 * A change that is to be drawn.
 *
 * @typedef {{reason: "seek"|"step"|"live"|"viewer"|"speed"|"data", jump: boolean}} Change `jump`: the address gets a new
 *   step; only "step" and "live" are drawn moving; "data" leaves the address alone.
 */

/** Moves through the log of one game. */
export class Controller {
  /**
   * @param {{game: string, viewer: string, place: {at: number|null, as: string|null, speed: number|"real"},
   *   newest: number, archive: object|null, embed: boolean, feed?: Feed|null, onChange: (change: Change) => void}} options
   *   `viewer` is whose view the server gives; `newest` the version that is known to exist; `feed` that viewer's, where
   *   it is listening already.
   */
  constructor({ game, viewer, place, newest, archive, embed, feed = null, onChange }) {
    this.game = game;
    this.archive = archive;
    this.embed = embed;
    this.onChange = onChange;
    this.speed = place.speed;
    this.wanted = place.at;
    this.asked = place.as;
    this.newest = newest;
    this.following = place.at === null;
    this.playing = false;
    this.shown = 0;
    this.timer = /** @type {ReturnType<typeof setTimeout>|undefined} */ (undefined);
    this.frame = /** @type {number|null} */ (null);
    this.stopped = false;
    this.jumped = false;
    this.remembered = null;
    this.feeds = new Feeds(game, viewer, { archive, fromSnapshot: embed, listening: feed, onChange: () => this.#arrived() });
  }

  /** The log that is looked at. */
  get feed() {
    return this.feeds.current;
  }

  /** Whose eyes: "public", "seat:2", "full". */
  get viewer() {
    return this.feed.viewer;
  }

  get timeline() {
    return this.feed.timeline;
  }

  get verifier() {
    return this.feed.verifier;
  }

  /** The newest version that is here. */
  get last() {
    return this.feed.last;
  }

  /** The oldest version that can be shown. */
  get first() {
    return Math.max(1, this.timeline?.first ?? 1);
  }

  /** How many events are behind the one that is shown. */
  get behind() {
    return Math.max(0, this.last - this.shown);
  }

  /** Whether enough is here to draw something. */
  get ready() {
    return this.shown > 0;
  }

  /** The state that is shown; not to be changed. */
  get state() {
    return this.timeline.at(this.shown);
  }

  /** The newest state that is here; for a moment after a change of view, that of the view before. Null: none yet. */
  get newestState() {
    if (this.timeline && this.last > 0) {
      this.remembered = this.timeline.at(this.last);
    }
    return this.remembered;
  }

  /** Where the address should point. */
  get place() {
    return { at: this.following ? null : this.shown, as: this.asked, speed: this.speed };
  }

  /** The place that shows this moment to everybody: before the end, a seat's view is open to nobody else. */
  get exactPlace() {
    const open = this.archive || this.newestState?.phase === "finished";
    return { at: this.shown, as: open ? this.viewer : null, speed: 1 };
  }

  /** Begin. */
  start() {
    this.feed.start();
    this.#arrived();
  }

  /** End all streams and timers. */
  stop() {
    this.stopped = true;
    this.pause();
    this.feeds.stop();
    if (this.frame !== null) {
      cancelAnimationFrame(this.frame);
    }
  }

  /** Show a version. What does not exist is cut to what does. */
  async seek(version, { jump = true, reason = "seek" } = {}) {
    if (!this.timeline) {
      return;
    }
    const still = version >= this.first || (await this.#reachBack());
    const target = Math.min(Math.max(version, this.first), this.last);
    if (!still || target === 0 || this.stopped) {
      return;
    }
    const moved = target !== this.shown || this.following;
    this.following = false;
    this.shown = target;
    if (moved) {
      this.#draw({ reason, jump });
    }
  }

  /** The first version. */
  toFirst() {
    this.pause();
    return this.seek(1);
  }

  /** The last version; of a running game that is to follow it. */
  toLast() {
    this.pause();
    return this.live() ? this.follow() : this.seek(this.last);
  }

  /** Follow the newest from now on. */
  follow() {
    this.pause();
    this.wanted = null;
    if (!this.following || this.shown !== this.last) {
      this.following = true;
      this.shown = this.last;
      this.#draw({ reason: "seek", jump: true });
    }
  }

  /** Whether the game is still running, as far as is known here. */
  live() {
    if (this.feed.status === "archive" || this.feed.status === "ended" || !this.timeline || this.last === 0) {
      return false;
    }
    return this.timeline.at(this.last).phase !== "finished";
  }

  /** One step on or back: to the end of a batch, or (`single`) one event. */
  async step(direction, { single = false } = {}) {
    this.pause();
    await this.#step(direction, single, true);
  }

  /** To where the turn before or after begins. */
  async turn(direction) {
    this.pause();
    if (direction < 0 && !(await this.#reachBack())) {
      return;
    }
    const begins = this.timeline.turns().map(({ version }) => version);
    const later = begins.find((version) => version > this.shown) ?? this.last;
    const sooner = begins.filter((version) => version < this.shown).at(-1) ?? this.first;
    await this.seek(direction > 0 ? later : sooner, { jump: true });
  }

  /** Play on by itself from here. */
  play() {
    if (this.playing || !this.timeline) {
      return;
    }
    if (this.shown >= this.last && !this.live()) {
      this.shown = this.first;
    }
    this.playing = true;
    this.following = false;
    this.#draw({ reason: "step", jump: false });
    this.#later();
  }

  /** Play no longer. */
  pause() {
    clearTimeout(this.timer);
    if (this.playing) {
      this.playing = false;
      this.#draw({ reason: "data", jump: false });
    }
  }

  toggle() {
    this.playing ? this.pause() : this.play();
  }

  /** @param {number|"real"} speed one of `SPEEDS`, or `REAL_TIME` (place.js). */
  setSpeed(speed) {
    this.speed = speed;
    if (this.playing) {
      clearTimeout(this.timer);
      this.#later();
    }
    this.#draw({ reason: "speed", jump: false });
  }

  /** The next faster or slower speed. */
  shiftSpeed(direction) {
    this.setSpeed(shiftedSpeed(this.speed, direction));
  }

  /** Look through other eyes, at the same moment. */
  look(viewer, { jump = true } = {}) {
    this.asked = viewer;
    if (viewer === this.viewer) {
      this.#draw({ reason: "data", jump });
      return;
    }
    this.pause();
    this.wanted = this.following ? null : this.shown || this.wanted;
    this.newest = Math.max(this.newest, this.last);
    this.remembered = this.newestState;
    this.shown = 0;
    this.feeds.turnTo(viewer);
    this.feed.start();
    if (viewer === "public" && this.remembered?.delay) {
      this.#askHowLate(this.feed);
    }
    this.jumped = jump;
    this.#draw({ reason: "viewer", jump });
    this.#arrived();
  }

  /** Look through one's own eyes from now on, without having asked for them: the address does not tell. */
  become(viewer) {
    this.look(viewer, { jump: false });
    this.asked = null;
  }

  /** Look through these eyes at the present, whatever the address asked for before. */
  arrive(viewer) {
    this.pause();
    this.following = true;
    this.become(viewer);
    this.#arrived();
  }

  /** Go where the address says, without a new step of the back button. */
  async goto(place, usual) {
    this.speed = place.speed;
    const viewer = place.as ?? usual;
    if (viewer !== this.viewer) {
      this.following = place.at === null;
      this.shown = place.at ?? this.shown;
      this.look(viewer, { jump: false });
      this.asked = place.as;
    }
    if (place.at === null) {
      this.pause();
      this.following = true;
      this.shown = this.last;
      this.#draw({ reason: "seek", jump: false });
    } else if (this.ready) {
      this.pause();
      await this.seek(place.at, { jump: false });
    } else {
      this.wanted = place.at;
    }
  }

  /** Get what happened before the snapshot by which one joined; whether nothing else was asked for meanwhile. */
  async #reachBack() {
    if (!this.feed.joinedLate) {
      return true;
    }
    const { shown } = this;
    this.following = false; // what comes meanwhile moves nothing
    this.#draw({ reason: "data", jump: false });
    await this.feed.loadEarlier();
    return this.shown === shown && !this.following;
  }

  /** The public of a table with a delay may see less than was seen before: what is awaited must exist for it. */
  async #askHowLate(feed) {
    this.newest = Infinity;
    const newest = await feed.newest().catch(() => feed.last);
    if (feed === this.feed) {
      this.newest = newest;
      this.#arrived();
    }
  }

  /** Something came: show it where it is awaited, once a frame at most. */
  #arrived() {
    if (this.frame === null && !this.stopped) {
      this.frame = requestAnimationFrame(() => {
        this.frame = null;
        this.#settle();
      });
    }
  }

  #settle() {
    if (!this.ready) {
      this.#settleFirst();
      return;
    }
    if (this.following && this.shown !== this.last) {
      this.shown = this.last;
      this.#draw({ reason: "live", jump: false });
    } else {
      if (this.playing && this.timer === undefined && this.shown < this.last) {
        this.#later();
      }
      this.#draw({ reason: "data", jump: false });
    }
  }

  /** The first picture is drawn when what the address asks for is here, or all there is. */
  #settleFirst() {
    const here = this.last;
    const awaited = this.following ? this.newest : Math.min(this.wanted ?? 1, this.newest);
    const early = this.wanted !== null && this.timeline && this.wanted < this.first && this.feed.joinedLate;
    if (here === 0 || (here < awaited && this.feed.status !== "ended" && this.feed.status !== "archive")) {
      this.#draw({ reason: "data", jump: false });
      return;
    }
    if (early) {
      this.feed.loadEarlier().then(() => this.#arrived());
      return;
    }
    this.shown = this.following ? here : Math.min(Math.max(this.wanted ?? 1, this.first), here);
    this.#draw({ reason: "viewer", jump: this.jumped });
    this.jumped = false;
  }

  async #step(direction, single, jump) {
    if (direction < 0 && this.shown <= this.first && !(await this.#reachBack())) {
      return;
    }
    const line = this.timeline;
    const next = single ? this.shown + direction : direction > 0 ? line.nextStep(this.shown) : line.previousStep(this.shown);
    if (direction > 0 && this.live() && next >= this.last) {
      this.following = true;
      this.shown = this.last;
      this.#draw({ reason: "step", jump });
      return;
    }
    await this.seek(next, { jump, reason: direction > 0 ? "step" : "seek" });
  }

  #later() {
    this.timer = setTimeout(() => this.#tick(), dwellMs(this.timeline, this.shown, this.speed));
  }

  async #tick() {
    this.timer = undefined;
    if (!this.playing) {
      return;
    }
    await this.#step(1, false, false);
    if (this.shown >= this.last) {
      this.playing = false;
      this.following = this.live();
      this.#draw({ reason: "data", jump: false });
    } else {
      this.#later();
    }
  }

  #draw(change) {
    if (!this.stopped) {
      this.onChange(change);
    }
  }
}

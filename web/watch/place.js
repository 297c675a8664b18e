/** Where somebody looks, as the address says it: a version, a viewer, a speed. */

import { writeAddress } from "../layers.js";

/** The speeds of playing, as multiples of one step a second. */
export const SPEEDS = [0.5, 1, 2, 4, 8];

/** The speed that keeps to the recorded pauses (capped). */
export const REAL_TIME = "real";

const WRITE_EVERY_MS = 150;
const VIEWER = /^(public|full|seat:[1-9][0-9]?)$/;

/**
 * What an address asks for; what it says wrongly counts as not said.
 *
 * @param {URLSearchParams} params
 * @returns {{at: number|null, as: string|null, speed: number|"real"}} `at` null: the newest; `as` null: one's own seat,
 *   or the public view.
 */
export function placeOf(params) {
  const at = params.get("at") ?? "";
  const as = params.get("as") ?? "";
  return {
    at: /^[1-9][0-9]{0,8}$/.test(at) ? Number(at) : null,
    as: VIEWER.test(as) ? as : null,
    speed: speedOf(params.get("speed") ?? ""),
  };
}

/**
 * The view that is asked for at a place; a frame on another page shows what everybody may see.
 *
 * @param {{as: string|null}} place
 * @param {boolean} embed
 */
export function wishOf(place, embed) {
  return embed ? "public" : place.as;
}

/**
 * The query of an address; what is usual is left out.
 *
 * @param {{at: number|null, as: string|null, speed: number|"real"}} place
 * @returns {string} "" or "?…".
 */
export function queryOf({ at, as, speed }) {
  const parts = [at === null ? "" : `at=${at}`, as === null ? "" : `as=${as}`, speed === 1 ? "" : `speed=${speed}`];
  const said = parts.filter(Boolean).join("&");
  return said ? `?${said}` : "";
}

function speedOf(text) {
  if (text === REAL_TIME) {
    return REAL_TIME;
  }
  return SPEEDS.includes(Number(text)) ? Number(text) : 1;
}

/**
 * The address bar, as far as this page writes it. A file from disk has its place behind the "#", because a browser may
 * refuse to change anything else there.
 */
export class Address {
  /**
   * @param {{path: string, archive: boolean, onMove: (place: object) => void}} options `path` is the page's own;
   *   `onMove` is told where the back button leads.
   */
  constructor({ path, archive, onMove }) {
    this.path = path;
    this.archive = archive;
    this.timer = null;
    this.awaited = null;
    /** The tour that is followed or led: it stays in the address bar, and is in no link. @type {string|null} */
    this.tour = archive ? null : (/^[\w-]{22}$/.exec(new URLSearchParams(location.search).get("tour") ?? "")?.[0] ?? null);
    this.listener = () => {
      this.#forget();
      onMove(this.read());
    };
    window.addEventListener(archive ? "hashchange" : "popstate", this.listener);
  }

  /** Where the address bar stands. */
  read() {
    const text = this.archive ? location.hash.slice(1) : location.search;
    return placeOf(new URLSearchParams(text));
  }

  /** The address of a place, without the host. */
  href(place) {
    const query = queryOf(place);
    return this.archive ? `#${query.slice(1)}` : `${this.path}${query}`;
  }

  /** The whole address of a place, to give away. */
  link(place) {
    return new URL(this.href(place), location.href).href;
  }

  /**
   * Write a place; `jump` makes it a step of the back button. Whoever drags or plays passes many places: then the
   * address follows a few times a second, because browsers take their time for it.
   */
  write(place, jump) {
    if (jump) {
      this.#flush();
      this.#put(place);
      return;
    }
    this.awaited = place;
    this.timer ??= setTimeout(() => this.#flush(), WRITE_EVERY_MS);
  }

  /** Follow or lead a tour, or none (null): the address bar says so at once. */
  join(tour) {
    this.#flush();
    this.tour = tour;
    this.#put(this.read(), { replace: true });
  }

  #flush() {
    if (this.timer !== null) {
      this.#forget();
      this.#put(this.awaited, { replace: true });
    }
  }

  #forget() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  #put(place, { replace = false } = {}) {
    const plain = this.href(place);
    const href = this.tour === null ? plain : `${plain}${plain.includes("?") ? "&" : "?"}tour=${this.tour}`;
    const now = this.archive ? location.hash : location.pathname + location.search;
    if (href !== now) {
      writeAddress(href, { replace });
    }
  }

  /** Listen no more. */
  stop() {
    this.#forget();
    window.removeEventListener(this.archive ? "hashchange" : "popstate", this.listener);
  }
}

/** The address of the table, to give away: live while it is played, as everybody sees it. */
export function tableLink(address) {
  return address.link({ at: null, as: null, speed: 1 });
}

/** The address of the very moment, to give away. */
export function momentLink(controller, address, version = controller.shown) {
  return address.link({ ...controller.exactPlace, at: version });
}

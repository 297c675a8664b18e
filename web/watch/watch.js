/** One page for watching, replaying and playing a game; also the frame for other people's pages, and the archive. */

import { announce, h, clear } from "../dom.js";
import { onChange } from "../net/session.js";
import { sentenceOf } from "../refusal.js";
import { t } from "../words.js";
import { wantWords } from "../languages.js";
import { Address, placeOf, wishOf } from "./place.js";
import { Appearing } from "./appearing.js";
import { openArchive, openGame } from "./opening.js";
import { Page } from "./page.js";
import { closeDialogs } from "../dialog.js";

wantWords(["lobby", "board", "play", "watch", "log"]);

/**
 * Show a game.
 *
 * @param {HTMLElement} root
 * @param {{game: string, params: URLSearchParams, embed: boolean, archive: object|null,
 *   navigate: (address: string) => void}} options `archive` holds the lines of one view, the books and the words (the
 *   replay page of docs/spectators.md); then nothing is fetched.
 * @returns {() => void} ends all streams, timers and listeners.
 */
export function mount(root, { game, params, embed, archive, navigate }) {
  const visit = new Visit(root, { game, embed, archive, navigate });
  visit.begin(placeOf(params));
  return () => visit.end();
}

/** One stay at a game's address; it begins afresh when somebody signs in or out. */
class Visit {
  constructor(root, { game, embed, archive, navigate }) {
    this.root = root;
    this.game = game;
    this.embed = embed;
    this.archive = archive;
    this.navigate = navigate;
    this.page = null;
    this.loading = null;
    this.address = new Address({
      path: location.pathname,
      archive: archive !== null && archive !== undefined,
      onMove: (place) => this.page?.goto(place),
    });
    this.unlisten = archive ? () => {} : onChange(() => this.begin(this.address.read()));
  }

  async begin(place) {
    this.#leave();
    const loading = new AbortController();
    this.loading = loading;
    clear(this.root).append(h("p", { class: "loading", role: "status" }, t("watch.loading")));
    try {
      const wish = wishOf(place, this.embed);
      const opening = await (this.archive ? openArchive(this.archive) : openGame(this.game, wish, this.embed, loading.signal));
      if (!loading.signal.aborted) {
        this.#show(opening, place);
      }
    } catch (problem) {
      if (!loading.signal.aborted) {
        this.#fail(problem, place);
      }
    }
  }

  end() {
    this.#leave();
    this.unlisten();
    this.address.stop();
  }

  #show(opening, place) {
    const { game, embed, address, root, navigate } = this;
    const appearing = new Appearing(() => {
      document.body.classList.toggle("at-table", !embed);
      clear(root).append(page.element);
    });
    const page = new Page({ game, embed, archive: this.archive ?? null, address, opening, navigate, appearing, place: { ...place, as: opening.notice ? null : place.as } });
    this.page = page;
    page.start();
  }

  #fail(problem, place) {
    const missing = problem.code === "game-not-found";
    if (!missing && problem.code === undefined) {
      throw problem;
    }
    const text = missing ? t("watch.missing") : sentenceOf(problem);
    announce(text);
    clear(this.root).append(
      h(
        "section",
        { class: "plain" },
        h("h1", {}, missing ? t("watch.missing.title") : t("watch.failed.title")),
        h("p", {}, text),
        missing ? null : h("button", { type: "button", onclick: () => this.begin(place) }, t("watch.retry")),
        this.embed ? null : h("p", {}, h("a", { href: "/", class: "button" }, t("watch.lobby"))),
      ),
    );
  }

  #leave() {
    this.loading?.abort();
    this.page?.stop();
    this.page = null;
    document.body.classList.remove("at-table");
    closeDialogs();
  }
}

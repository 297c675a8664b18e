/** Opening a table. */

import { clear, h } from "../dom.js";
import { loadOffer, offerOf } from "../games/registry.js";
import { wantWords } from "../languages.js";
import { get, post } from "../net/api.js";
import { AttemptKey } from "../net/attempt-key.js";
import { onChange, playerId } from "../net/session.js";
import { patch } from "../patch.js";
import { refusalNote } from "../refusal.js";
import { language, t } from "../words.js";
import { drawWish } from "./wish-form.js";
import { bookOf, rulebooks } from "./shelf.js";
import { firstWish, fit, requestOf } from "./wish.js";

wantWords(["lobby", "board"]);

/** What was wished for last by whoever is here, and at which address: a form that is drawn in another language goes on with it. @type {{search: string, wish: any}|null} */
let begun = null;

/**
 * Show the form.
 *
 * @param {HTMLElement} root
 * @param {{navigate: (address: string) => void}} context
 * @returns {() => void} unmount.
 */
export function mount(root, { navigate }) {
  const body = h("div", {});
  let over = new AbortController();
  root.append(h("section", { class: "new-table" }, h("h1", { tabindex: "-1" }, t("new.title")), body));
  const draw = () => {
    over.abort(); // a form that is still being read for comes too late
    over = new AbortController();
    clear(body);
    if (playerId() === null) {
      body.append(stranger());
      return;
    }
    new TableForm(body, navigate, over.signal).start();
  };
  draw();
  const stop = onChange(() => {
    begun = null;
    draw();
  });
  return () => {
    stop();
    over.abort();
  };
}

function stranger() {
  const next = encodeURIComponent(location.pathname + location.search);
  return h(
    "div",
    { class: "note" },
    h("p", {}, t("new.stranger")),
    h(
      "p",
      { class: "row" },
      h("a", { class: "button primary", href: `/?page=account&next=${next}` }, t("nav.sign_in")),
    ),
  );
}

class TableForm {
  #key = new AttemptKey();
  /** The fitting of the newest wish, which may wait for its rulebook. @type {Promise<void>} */
  #fitting = Promise.resolve();

  /**
   * @param {HTMLElement} root
   * @param {(address: string) => void} navigate
   * @param {AbortSignal} signal
   */
  constructor(root, navigate, signal) {
    this.root = root;
    this.navigate = navigate;
    this.signal = signal;
    /** @type {Awaited<ReturnType<typeof rulebooks>>} */
    this.list = { rulebooks: [], bots: [] };
    this.wanted = 0;
    this.fields = h("div", {});
    this.trouble = h("div", {});
    this.button = h("button", { type: "submit", class: "primary" }, t("new.submit"));
    this.form = h("form", {}, this.fields, this.trouble, h("p", { class: "row" }, this.button));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    // A field that is folded away cannot be complained about.
    this.form.addEventListener("invalid", ({ target }) => target instanceof Element && target.closest("details")?.setAttribute("open", ""), true);
  }

  async start() {
    this.root.append(h("p", { class: "muted" }, t("new.loading")));
    try {
      this.list = await rulebooks(language());
      await this.#wish(begun?.search === location.search ? begun.wish : await this.#usualWish());
    } catch (error) {
      this.#show(refusalNote(error));
      return;
    }
    this.#show(this.form);
  }

  /** What the address says, and else what is usual. */
  async #usualWish() {
    const { rulebooks: books } = this.list;
    const { searchParams } = new URL(location.href);
    const wanted = searchParams.get("game");
    const first = books.find(({ game }) => game === wanted) ?? books[0];
    await loadOffer(first.game);
    const isUsual = ({ id, game }) => game === first.game && offerOf(game).forms.opening.rulebook === id;
    return firstWish(books.find(isUsual) ?? first, searchParams.get("tournament") ?? "");
  }

  #show(content) {
    if (!this.signal.aborted) {
      clear(this.root).append(content);
    }
  }

  /** Take a wish and draw what follows from it, unless another one has come while its rulebook did; focus and pressed things stay. */
  async #wish(wish) {
    this.wanted += 1;
    const wanted = this.wanted;
    const book = await bookOf(wish.of, wish.rulebook, language());
    if (wanted !== this.wanted) {
      return;
    }
    this.book = book;
    this.wish = fit(wish, book.json, this.list.bots);
    begun = this.signal.aborted ? begun : { search: location.search, wish: this.wish };
    patch(
      this.fields,
      drawWish({
        wish: this.wish,
        book,
        list: this.list,
        change: (part, how) => this.#change(part, how),
      }),
    );
  }

  /** A part of the wish has changed; where nothing else depends on it, nothing is drawn anew. */
  #change(part, { alone = false } = {}) {
    Object.assign(this.wish, part);
    if (!alone) {
      this.#fitting = this.#wish(this.wish).catch((error) => void clear(this.trouble).append(refusalNote(error)));
    }
  }

  async #submit() {
    if (this.button.getAttribute("aria-disabled") === "true") {
      return;
    }
    this.button.setAttribute("aria-disabled", "true");
    clear(this.trouble);
    try {
      await this.#fitting;
      const game = await this.#open();
      await this.#fill(game);
      begun = null;
      this.navigate(`/watch/${game}`);
    } catch (error) {
      this.trouble.append(refusalNote(error));
    } finally {
      this.button.removeAttribute("aria-disabled");
    }
  }

  /** The same wish again is the same table. */
  async #open() {
    const request = requestOf(this.wish);
    const { body } = await post("/v1/games", request, { key: this.#key.of(JSON.stringify(request)) });
    return body.game;
  }

  /** Seat whom the host wished for. Repeated after a failure, it goes on where it stopped. */
  async #fill(game) {
    const { body } = await get(`/v1/games/${game}`);
    const taken = Object.values(body.state.seats);
    const bots = taken.filter((seat) => seat.bot !== null).length;
    if (this.wish.sit && !taken.some((seat) => seat.player === playerId())) {
      await post(`/v1/games/${game}/seats`, {});
    }
    for (let number = bots; number < this.wish.bots; number += 1) {
      await post(`/v1/games/${game}/seats`, { bot: this.wish.bot });
    }
  }
}

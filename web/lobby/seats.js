/** The seats of a table that has not begun: sitting down, leaving, house bots, beginning. */

import { botChoices, called } from "../called.js";
import { announce, clear, focusOn, focusedElement, h } from "../dom.js";
import { offerOf } from "../games/registry.js";
import { late } from "../late.js";
import { labelledMenu } from "../menu.js";
import { del, newKey, post } from "../net/api.js";
import { onChange, playerId } from "../net/session.js";
import { patch } from "../patch.js";
import { nameLink } from "../profile-link.js";
import { refusalNote } from "../refusal.js";
import { language, listing, t } from "../words.js";
import { copyField } from "./copy.js";
import { rulebooks } from "./shelf.js";

/**
 * The controls of an open table.
 *
 * @param {object} given
 * @param {{id: string, version: number, state: object}} given.view a GameView, or a fold of one; its `state` is a
 *   TableState.
 * @param {import("../book.js").Book} given.book the table's rulebook.
 * @param {(address: string) => void} given.navigate goes to the account page for those who have no name yet.
 * @param {() => void} [given.onChanged] called after a command was accepted: there is something new to read.
 * @param {(seat: number|null) => void} [given.onSeat] called when the reader has sat down there, or (null) has left.
 * @returns {{element: HTMLElement, update: (view) => void, destroy: () => void}} `update` takes a newer view.
 */
export function seatControls({ view, book, navigate, onChanged = () => {}, onSeat = () => {} }) {
  const controls = new SeatControls({ view, book, navigate, onChanged, onSeat });
  return { element: controls.element, update: (newer) => controls.update(newer), destroy: () => controls.destroy() };
}

class SeatControls {
  #cast = [];
  /** Which bot is seated; null: there is none. @type {string|null} */
  #bot = null;
  #bots = [];
  #busy = false;
  #stop;

  constructor({ view, book, navigate, onChanged, onSeat }) {
    this.view = view;
    this.book = book;
    this.navigate = navigate;
    this.onChanged = onChanged;
    this.onSeat = onSeat;
    this.body = h("div", {});
    /** @type {HTMLElement|null} it keeps the link that was made while seats are drawn anew. */
    this.inviting = null;
    this.trouble = h("div", {});
    this.element = h("div", { class: "seats", role: "group", "aria-label": t("seats.title") }, this.body, this.trouble);
    this.#stop = onChange(() => this.#draw());
    this.#draw();
    this.#fetchBots();
  }

  update(view) {
    // Names come after who sat down, and go when somebody is deleted.
    if (view.version !== this.view.version || namesAt(view.state) !== this.names) {
      this.view = view;
      this.#draw();
    }
  }

  destroy() {
    this.#stop();
  }

  get #state() {
    return this.view.state;
  }

  /** What the game brings to the page. */
  get #plays() {
    return offerOf(this.book.game);
  }

  get #me() {
    return playerId();
  }

  get #isHost() {
    return this.#me !== null && this.#state.host === this.#me;
  }

  get #mine() {
    return Object.entries(this.#state.seats).find(([, seat]) => seat.player === this.#me)?.[0] ?? null;
  }

  get #free() {
    return numbers(this.#state.seat_count).filter((number) => this.#state.seats[number] === undefined);
  }

  /** Only a host seats bots, and needs their names. */
  async #fetchBots() {
    if (!this.#isHost) {
      return;
    }
    try {
      this.#bots = (await rulebooks(language())).bots;
      const usual = this.#plays.forms.opening.bot;
      this.#bot = this.#bots.includes(usual) ? usual : (this.#bots[0] ?? null);
      this.#draw();
    } catch (error) {
      clear(this.trouble).append(refusalNote(error));
    }
  }

  #draw() {
    this.names = namesAt(this.#state);
    const before = focusedElement();
    const action = this.body.contains(before) ? before?.dataset.action : undefined;
    const seats = numbers(this.#state.seat_count).map((number) => this.#seat(number));
    patch(this.body, this.#wishes(), h("ol", { class: "seat-list" }, ...seats), this.#begin(), this.#share(), this.#callOff());
    if (action && document.activeElement !== before) {
      focusOn(this.body.querySelector(`[data-action="${action}"]`) ?? this.body.querySelector("button, a, select"));
    }
  }

  /** What is chosen before a button is pressed: whom to play, and which bot. */
  #wishes() {
    if (this.#free.length === 0 || this.#me === null) {
      return null;
    }
    const cast = this.#plays.forms.castOf(this.#state, this.book);
    const canChoose = this.#mine === null && !this.#state.scenario;
    return h(
      "div",
      { class: "wishes" },
      canChoose && cast !== null && cast.draw(this.#cast, { id: `cast-${this.view.id}`, onChoose: (ids) => (this.#cast = ids) }),
      this.#isHost && this.#bots.length > 0 && this.#state.programs !== false && this.#botMenu(),
    );
  }

  #botMenu() {
    const id = `bot-kind-${this.view.id}`;
    return labelledMenu({ id, label: t("seats.bot.kind"), choices: botChoices(this.#bots), chosen: this.#bot ?? undefined, dataset: { action: "bot-kind" }, onChoose: (bot) => (this.#bot = bot) }).element;
  }

  #seat(number) {
    const seat = this.#state.seats[number];
    const label = h("span", { class: "seat-number" }, t("seats.number", { number }), this.#team(number));
    return seat === undefined
      ? h(
          "li",
          { class: "seat free", dataset: { seat: number } },
          label,
          h("span", { class: "seat-who muted" }, t("lobby.seat.free")),
          this.#freeButtons(number),
        )
      : h(
          "li",
          { class: ["seat", seat.player === this.#me && "mine"], dataset: { seat: number } },
          label,
          this.#who(number, seat),
          this.#takenButtons(number, seat),
        );
  }

  #team(number) {
    const count = this.book.mode(this.#state.mode).teams?.[this.#state.seat_count] ?? 0;
    return count > 0 && count < this.#state.seat_count
      ? ` · ${t("seats.team", { team: "ABC"[(number - 1) % count] })}`
      : "";
  }

  #who(number, seat) {
    const characters = seat.characters.map((id) => this.#plays.words.character(this.book, id));
    return h(
      "span",
      { class: "seat-who" },
      h("strong", {}, nameLink(called(number, seat), seat)),
      seat.bot && h("span", { class: "tag" }, t("lobby.seat.bot")),
      seat.program && !seat.bot && h("span", { class: "tag" }, t("lobby.seat.program")),
      seat.player === this.#me && h("span", { class: "tag block" }, t("lobby.seat.you")),
      this.#state.start === "ready" &&
        (seat.ready || seat.bot !== null) &&
        h("span", { class: "tag signal" }, t("seats.ready.mark")),
      characters.length > 0 && h("span", { class: "muted small" }, listing(characters)),
    );
  }

  #freeButtons(number) {
    const buttons = [];
    if (this.#me === null || this.#mine === null) {
      buttons.push(
        this.#button(
          `sit-${number}`,
          t("seats.sit"),
          t("seats.sit.label", { action: t("seats.sit"), number }),
          () => this.#sit(number),
          "primary",
        ),
      );
    }
    if (this.#isHost && this.#bot !== null && this.#state.programs !== false) {
      buttons.push(
        this.#button(`bot-${number}`, t("seats.bot.add"), t("seats.bot.add.label", { action: t("seats.bot.add"), number }), () =>
          this.#addBot(number),
        ),
      );
    }
    return h("span", { class: "row" }, ...buttons);
  }

  #takenButtons(number, seat) {
    const mine = seat.player === this.#me;
    if (!mine && !this.#isHost) {
      return null;
    }
    const text = mine ? t("seats.leave") : t("seats.free");
    const label = mine ? t("seats.leave.label", { action: text, number }) : t("seats.free.label", { action: text, number, name: called(number, seat) });
    return h(
      "span",
      { class: "row" },
      this.#button(`leave-${number}`, text, label, () => this.#leave(number, mine)),
    );
  }

  #button(action, text, label, onclick, kind = "") {
    return h("button", { type: "button", class: kind, "aria-label": label, dataset: { action }, onclick }, text);
  }

  /** How the game begins, and the button for it where there is one. */
  #begin() {
    const { start, seats } = this.#state;
    const full = this.#free.length === 0;
    /** @type {HTMLElement[]} */
    const children = [h("p", { class: "hint" }, t(`seats.start.${start}`))];
    if (start === "ready" && this.#mine !== null && !seats[this.#mine].ready) {
      children.push(
        this.#button(
          "ready",
          t("seats.ready"),
          null,
          () => this.#command(() => post(`${this.#path}/start`)),
          "primary",
        ),
      );
    }
    if (start === "host" && this.#isHost) {
      const begin = this.#button(
        "begin",
        t("seats.begin"),
        null,
        () => full && this.#command(() => post(`${this.#path}/start`)),
        "primary",
      );
      begin.setAttribute("aria-disabled", String(!full));
      children.push(begin);
    }
    if (this.#isHost && this.#bot !== null && this.#free.length > 1 && this.#state.programs !== false) {
      children.push(this.#button("fill", t("seats.bot.fill"), null, () => this.#fill()));
    }
    return h("div", { class: "begin" }, ...children);
  }

  /** A private table is not found by its address alone: its host makes links that invite. */
  #share() {
    if (this.#isHost && this.#state.visibility === "private" && this.#state.phase === "open") {
      this.inviting ??= this.#invite();
      return this.inviting;
    }
    const address = new URL(`/watch/${this.view.id}`, location.href).href;
    return h(
      "details",
      { class: "share" },
      h("summary", { dataset: { action: "share" } }, t("seats.share")),
      h("p", { class: "hint" }, t(`seats.share.${this.#state.visibility}`)),
      copyField(address, t("seats.share.link"), `share-${this.view.id}`),
    );
  }

  /** What makes links: only hosts of private tables need it, so it is loaded for them. */
  #invite() {
    const place = h("div", {});
    const fill = async () => {
      try {
        const { invitingPanel } = await late("lobby/inviting.js", () => import("./inviting.js"));
        place.append(invitingPanel({ id: this.view.id, seats: this.#state.seat_count }));
      } catch (error) {
        if (!(error instanceof TypeError)) {
          throw error;
        }
        place.append(h("p", { class: "error" }, t("refusal.unreachable"))); // no connection
      }
    };
    fill();
    return place;
  }

  /** The host may close the table; folded away, so that nobody does it by one slip. */
  #callOff() {
    if (!this.#isHost || this.#state.phase !== "open") {
      return null;
    }
    return h(
      "details",
      { class: "share" },
      h("summary", { dataset: { action: "call-off" } }, t("seats.call_off")),
      h("p", { class: "hint" }, t("seats.call_off.about")),
      this.#button("close-table", t("seats.call_off.now"), null, () =>
        this.#command(() => post(`${this.#path}/close`)),
      ),
    );
  }

  get #path() {
    return `/v1/games/${this.view.id}`;
  }

  #sit(number) {
    if (this.#me === null) {
      this.navigate(`/?page=account&next=${encodeURIComponent(`/watch/${this.view.id}`)}`);
      return;
    }
    const cast = this.#plays.forms.castOf(this.#state, this.book);
    const free = new Set(cast?.free.map((each) => each.id));
    const characters = this.#cast.filter((id) => free.has(id));
    this.#command(async () => {
      await post(`${this.#path}/seats`, { seat: number, ...(characters.length > 0 && { characters }) });
      this.onSeat(number);
    });
  }

  #leave(number, mine) {
    this.#command(async () => {
      await del(`${this.#path}/seats/${number}`);
      if (mine) {
        this.onSeat(null);
      }
    });
  }

  #addBot(number) {
    this.#command(() => this.#seatBot(number));
  }

  #fill() {
    this.#command(async () => {
      for (const number of this.#free) {
        await this.#seatBot(number);
      }
    });
  }

  #seatBot(seat) {
    return post(`${this.#path}/seats`, { seat, bot: this.#bot }, { key: newKey() });
  }

  /** Give one command at a time; a refusal is shown, and what is new is read in either case. */
  async #command(give) {
    if (this.#busy) {
      return;
    }
    this.#busy = true;
    clear(this.trouble);
    this.element.setAttribute("aria-busy", "true");
    try {
      await give();
      announce(t("seats.done"));
    } catch (error) {
      this.trouble.append(refusalNote(error));
    } finally {
      this.#busy = false;
      this.element.removeAttribute("aria-busy");
      this.onChanged();
    }
  }
}

/** What those who sit are called, as one text. */
function namesAt({ seats }) {
  return Object.entries(seats)
    .map(([number, seat]) => called(number, seat))
    .join("\n");
}

function numbers(count) {
  return Array.from({ length: count }, (_, index) => index + 1);
}

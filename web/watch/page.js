/** The page of one game: its parts, and how a change runs through them. */

import { announce, clear, h } from "../dom.js";
import { neverBegan } from "../ends.js";
import { foldout } from "../foldout.js";
import { gameOf } from "../games/registry.js";
import { unreachable } from "../net/problem.js";
import { session } from "../net/session.js";
import { sentenceOf } from "../refusal.js";
import { t } from "../words.js";
import { listenToQuestions } from "./asking.js";
import { createBadge } from "./badge.js";
import { createBanners, isOwn } from "./banners.js";
import { createWhatIf } from "./branch.js";
import { Controller } from "./controller.js";
import { copyText } from "./copying.js";
import { createDrawer } from "./drawer.js";
import { speakToParent } from "./embed.js";
import { handOn } from "./handing-on.js";
import { icon, signButton } from "./icons.js";
import { listenToKeys, showHelp } from "./keys.js";
import { createKnewPlace } from "./knew-place.js";
import { PARTS, calmly, marked, placeholder } from "./later-parts.js";
import { look } from "./last-seen.js";
import { createLog } from "./log.js";
import { Moments } from "./moments.js";
import { namesOf } from "./names.js";
import { Narrator } from "./narrator.js";
import { Notice } from "./notice.js";
import { createNow } from "./now.js";
import { momentLink, tableLink } from "./place.js";
import { createMarksLegend, createScrubber } from "./scrubber.js";
import { Show } from "./show.js";
import { Stage } from "./stage.js";
import { listenToSwipes } from "./swipe.js";
import { createTransport } from "./transport.js";
import { createViewpoint, viewersOf } from "./viewpoint.js";
import { createWhere } from "./where.js";

/** @import { Address } from "./place.js" */
/** @import { Opening } from "./opening.js" */

/** A mouse points at what it moves over; where it lies while the page comes or changes below it, nobody has a wish. @param {PointerEvent & {currentTarget: HTMLElement}} event */
const point = ({ type, currentTarget }) => currentTarget.classList.toggle("pointed", type !== "pointerleave");

/** A game on the page. */
export class Page {
  // What is loaded when it is wanted; null: it is on its way.
  /** @type {import("./playing.js").Playing|null|undefined} */
  playing = undefined;
  /** @type {import("./seating.js").Seating|null|undefined} */
  seating = undefined;
  /** @type {import("../play/pausing.js").Pausing|null|undefined} */
  pausing = undefined;

  /**
   * @param {{game: string, embed: boolean, archive: object|null, address: Address, opening: Opening, place: object,
   *   navigate: (address: string) => void, appearing: import("./appearing.js").Appearing}}
   *   options see `opening.js` and `place.js`.
   */
  constructor({ game, embed, archive, address, opening, place, navigate, appearing }) {
    const { viewer, newest, book, notice, feed } = opening;
    this.appearing = appearing;
    this.embed = embed;
    this.archive = archive;
    this.address = address;
    this.navigate = navigate;
    this.book = book;
    this.usual = viewer;
    this.notice = new Notice(notice === null ? null : { text: notice }, () => this.parts[0].update());
    this.nothing = { choices: new Map(), begun: [], answers: [] };
    this.controller = new Controller({ game, viewer, place, newest, archive, embed, feed, onChange: (change) => this.#update(change) });
    this.names = namesOf(book, () => this.controller.newestState ?? {});
    const { controller, names } = this;
    const own = gameOf(book.game).log;
    this.log = createLog(controller, { names, address, onCopy: (version) => this.#copy(version), named: (event, text) => gameOf(book.game).help.named(event, book, text) });
    this.narrator = new Narrator(controller, { textOf: (version) => this.log.textOf(version), say: announce, log: own });
    this.stage = new Stage(controller, {
      book,
      onCell: (target) => this.#clicked(target),
      caption: (from, to) => this.narrator.told(from, to).map(({ version, text }) => ({ text, about: this.log.aboutOf(version) })),
    });
    this.show = new Show(this.stage, { book, names });
    listenToSwipes(this.stage.element, (direction) => controller.ready && controller.step(direction));
    const moments = new Moments(controller, own);
    this.scrubber = createScrubber(controller, { chapterText: (version) => this.log.chapterText(version), moments, log: own });
    this.title = h("h1", { tabindex: "-1" });
    this.where = createWhere(controller, { book, chapterText: (version) => this.log.chapterText(version) });
    this.whatIf = createWhatIf(controller, (act) => this.#loadShown("whatIf", ({ showWhatIf }) => act(showWhatIf, { names, mine: this.#mine(), navigate })));
    const transport = createTransport(controller, { book, small: embed });
    this.places = { lesson: placeholder(), away: placeholder(), result: placeholder(), playing: h("div", {}), intercom: placeholder(), tour: placeholder(), seats: h("div", { class: "seating-place" }), breaks: h("div", {}), shelf: h("div", { class: "shelf" }) };
    this.parts = [createBanners(controller, { names, notice: () => this.notice.said, mine: () => this.#mine(), navigate }), transport, this.scrubber, this.whatIf];
    const [banners] = this.parts;
    const legend = createMarksLegend(controller, { names, moments, log: own });
    const bar = h("footer", { class: "watch-bar", onpointermove: point, onpointerleave: point }, this.scrubber.element, h("div", { class: "bar-line" }, transport.element, !embed && legend.element));
    this.badge = createBadge(controller, { say: announce });
    this.parts.push(legend, this.badge);
    this.element = embed ? this.#small(banners, bar) : this.#large(banners, bar);
    this.#bringPlaying(); // its modules come while the log does
  }

  /** Begin to listen to the game. */
  start() {
    // Who asks what has the focus does not ask for the list of keys: that comes second.
    this.unquestion = this.embed ? () => {} : listenToQuestions(this.element, (target) => this.#tell(target));
    this.unlisten = this.embed ? () => {} : this.#listenToKeys();
    this.controller.start();
    this.appearing.begin(() => this.#changed());
  }

  /** Go where the back button leads. */
  goto(place) {
    this.controller.goto(place, this.usual);
  }

  stop() {
    this.unlisten?.();
    this.unquestion?.();
    this.stopped = true;
    [this.appearing, this.notice, this.controller, this.stage, this.log, this.scrubber, this.show, this.now, this.parent, this.playing, this.seating, this.pausing, this.extras, this.knew].forEach((part) => part?.stop());
  }

  #small(banners, bar) {
    this.stage.caption.tabIndex = 0; // in a frame it scrolls, and whoever has no mouse must reach it
    this.parent = speakToParent(this.controller);
    this.whole = h("a", { class: "whole", target: "_blank", rel: "noopener" }, t("watch.whole"));
    return h("article", { class: "watch watch-embed" }, h("header", { class: "watch-head" }, h("div", { class: "watch-names" }, this.title, this.whatIf.mark, this.where.chapter), h("div", { class: "tools" }, this.badge.element, this.whole)), banners.element, this.stage.element, this.stage.caption, bar);
  }

  #large(banners, bar) {
    const { controller, names, address, places } = this;
    this.knew = createKnewPlace(controller, { load: (act) => this.#load("knew", act), book: this.book, names, log: this.log, stage: this.stage.element });
    const viewpoint = createViewpoint(controller, { names, mine: () => this.#mine(), onKnew: this.knew.show });
    this.parts.push(viewpoint, this.knew);
    const save = () => this.#loadShown("downloads", ({ showDownloads }) => showDownloads(controller, { address, say: announce, title: names.title(), book: this.book, names, head: [this.title, this.where.chapter], caption: this.stage.caption }));
    const signs = [
      ...this.stage.tools,
      signButton("copy", "watch.copy_link", icon("link"), () => this.#copyTable()),
      signButton("save", "watch.save", icon("save"), save),
      signButton("keys", "watch.keys.sign", "?", () => showHelp(this.book)),
    ];
    const tools = foldout({ name: "watch-tools", label: t("watch.tools"), sign: "⋯", content: h("div", { class: "tools" }, this.badge.element, viewpoint.element, signs) });
    this.status = h("span", { class: "status" });
    this.now = createNow(controller, { clock: this.stage.clock.element, playing: () => this.playing ?? undefined });
    this.parts.push(this.now);
    const element = h("article", { class: "watch" });
    const drawer = createDrawer(element, { panel: this.log.element, sign: icon("log"), onOpen: () => this.log.appear() });
    element.append(
      h("header", { class: "watch-head" }, h("div", { class: "watch-names" }, this.title, this.whatIf.mark, this.where.chapter, this.where.inForce, this.status), drawer, tools),
      this.stage.element,
      h(
        "div",
        { class: "watch-rest" },
        h(
          "div",
          { class: "watch-panels" },
          h("div", { class: "watch-column" }, this.now.element, h("div", { class: "watch-scroll" }, places.lesson, places.away, banners.element, places.seats, places.playing, places.intercom, places.breaks, places.result, this.whatIf.element, places.tour, this.knew.element, this.stage.caption, this.stage.side), places.shelf),
          this.log.element,
        ),
      ),
      bar,
    );
    return element;
  }

  /** Only who is somebody may sit at the table: for them the decisions are loaded. */
  #bringPlaying() {
    const { controller, book, places } = this;
    const onPoint = (decision, option) => this.stage.point(decision, option);
    this.#bring("playing", places.playing, session() !== null && !this.archive && !this.embed, ({ Playing }) => new Playing(controller, { book, onPoint, onChoices: () => this.#changed() }));
  }

  /** What nobody waits for comes after the board. */
  async #complete() {
    const { controller, book, names, navigate, places } = this;
    const [at, wasLive] = [controller.last, controller.live()];
    const looked = document.hidden || !controller.following || this.#mine().length === 0 ? null : look(session()?.player, controller.game, at);
    this.extras = null;
    const drawn = new Promise((done) => setTimeout(done)); // what is drawn is shown before
    const loaded = await this.#load("extras", ({ Extras }) => {
      this.extras = new Extras(controller, {
        ...{ book, names, navigate, address: this.address, from: at, wasLive, looked, stage: this.stage, say: announce },
        textOf: (version) => this.log.textOf(version), aboutOf: (version) => this.log.aboutOf(version),
        ...{ mine: () => this.#mine(), playing: () => this.playing ?? undefined, pausing: () => this.pausing, onChange: () => this.#changed(), share: () => this.#copyTable() },
        onFinale: gameOf(book.game).board.finale === null ? null : (state, given) => this.show.finale(state, given),
        load: (part, act, bring) => this.#load(part, act, bring),
      });
      for (const part of ["lesson", "away", "result", "intercom", "tour"]) {
        this.extras[part] && places[part].replaceWith(this.extras[part].element);
      }
      this.extras.update();
    }, () => drawn.then(calmly("extras")));
    this.extras ??= loaded ? null : undefined; // as above
  }

  #changed() {
    this.#update({ reason: "data", jump: false });
  }

  #update(change) {
    if (this.element && !this.stopped && this.appearing.stands(this.controller)) {
      handOn(this.element, () => this.#draw(change));
    }
  }

  /** A change runs from the controller through everything that shows it. */
  #draw(change) {
    const { controller, element } = this;
    this.#sayStatus(controller.feed.status);
    Object.assign(element.dataset, { status: controller.feed.status, viewer: controller.viewer });
    const own = isOwn(controller.viewer, this.#mine());
    element.classList.toggle("not-public", controller.viewer !== "public" && !own);
    element.classList.toggle("own-view", own);
    // Where the past is shown, or nothing more is to come, the bar is what one goes on with.
    element.classList.toggle("bar-open", !(controller.ready && controller.following && (controller.live() || neverBegan(controller.newestState))));
    if (this.status) {
      const text = t(`watch.status.${controller.feed.status}`, { why: controller.feed.problem ? sentenceOf(controller.feed.problem) : "" });
      this.status.dataset.state = controller.feed.status;
      this.status.title = text;
      clear(this.status).append(h("span", { class: "unseen" }, text));
    }
    if (this.#standUp()) {
      return;
    }
    if (!controller.ready) {
      [...this.parts, this.extras].forEach((part) => part?.update());
      return;
    }
    if (this.#sitDown()) {
      return;
    }
    this.stage.fit(); // before there is more to lay out
    this.log.update();
    this.#bringPlaying();
    this.#bringMore();
    this.stage.update(change, this.playing ?? this.nothing);
    this.show.start();
    [...this.parts, this.extras].forEach((part) => part?.update());
    this.#head();
    if (change.reason !== "data") {
      this.narrator.speak();
    }
    this.#writeAddress(change);
    this.parent?.update();
    element.dataset.version = String(controller.shown);
    this.extras === undefined && this.#complete();
  }

  /** A connection that breaks or comes back is said once. */
  #sayStatus(status) {
    const before = this.element.dataset.status;
    if (status === "waiting" && before === "live") {
      announce(t("watch.status.lost"));
    } else if (status === "live" && this.wasLost) {
      announce(t("watch.status.live"));
    }
    this.wasLost = status === "waiting" || (this.wasLost && status === "connecting");
  }

  #head() {
    const { controller, names } = this;
    const { state, shown } = controller;
    const rulebook = names.rulebook();
    const several = this.book.json.modes.length > 1;
    this.title.textContent = several ? t("watch.title", { rulebook, mode: state.mode ? names.mode(state.mode) : "" }) : rulebook;
    this.where.update();
    if (this.whole) {
      this.whole.href = `/watch/${controller.game}${controller.following ? "" : `?at=${shown}`}`;
    }
  }

  #writeAddress(change) {
    if (!this.embed && change.reason !== "data") {
      this.address.write(this.controller.place, change.jump);
    }
  }

  /** Do what needs more of the page than most readers want, or comes by itself (`calmly`); where that cannot be had now, say so. */
  async #load(part, act, bring = PARTS[part]) {
    let made;
    try {
      made = await marked(this.element, part, bring);
    } catch (error) {
      if (!(error instanceof TypeError)) {
        throw error;
      }
      this.stopped || this.notice.tell({ text: sentenceOf(unreachable()) });
      return false;
    }
    this.stopped || act(made);
    return true;
  }

  /** The same for what tells of the version that is shown: while another view is on its way there is none. */
  #loadShown(part, act) {
    this.controller.ready && this.#load(part, (made) => this.controller.ready && act(made));
  }

  /** Most tables have begun, and most readers do not play: seats and breaks are loaded where somebody has a use for them. */
  #bringMore() {
    const { controller, book, places, navigate } = this;
    const { phase } = controller.timeline.at(controller.last);
    this.#bring("seating", places.seats, phase === "open" && !this.archive && !this.embed, ({ Seating }) => new Seating(controller, { book, navigate, onSeat: (seat) => this.#changeSeat(seat) }));
    this.#bring("pausing", places.breaks, phase === "live" && this.#mine().length > 0, ({ Pausing }) => new Pausing(controller, { home: places.breaks, shelf: places.shelf }));
  }

  /** Load a part when it is wanted for the first time, and keep it up to date from then on. */
  async #bring(name, place, wanted, make) {
    if (this[name] === undefined && wanted) {
      this[name] = null;
      const loaded = await this.#load(name, (module) => {
        this[name] = make(module);
        place.append(this[name].element);
      }, calmly(name));
      if (!loaded) {
        this[name] = undefined; // with the next change it is tried again
      }
      this[name] && this.#changed();
    } else {
      this[name]?.update(this.#mine());
    }
  }

  /** A click on what is no choice tells what it is. What may be chosen there, now or in a moment, is the play panel's business. */
  #clicked(target) {
    if (!this.embed && !this.playing?.busy) {
      this.#tell(target);
    }
  }

  /** What something is, and what has happened to it. */
  #tell(target) {
    this.#loadShown("help", ({ showHelpOf }) => showHelpOf(this.controller, target, { book: this.book, names: this.names, log: this.log, reasons: this.playing?.reasons(target) }));
  }

  /** The link of the table; who means the moment that is shown has it by one more click. */
  #copyTable() {
    const { shown } = this.controller;
    const act = { text: t("watch.copy.moment"), run: () => this.#copy(shown) };
    copyText(tableLink(this.address), () => this.notice.tell({ text: t("watch.copied.table"), act }));
  }

  #copy(version) {
    copyText(momentLink(this.controller, this.address, version), () => this.notice.tell({ text: t("watch.copied.moment", { version }) }));
  }

  #listenToKeys() {
    const { controller, stage } = this;
    return listenToKeys(controller, {
      book: this.book,
      first: (event) => this.playing?.press(event) ?? false,
      ...{ text: () => stage.toggleText(), motion: () => stage.toggleMotion() },
      copy: () => this.#copy(controller.shown),
      viewers: () => viewersOf(controller, this.#mine()),
    });
  }

  /** Whoever sits at the table sees it from there, unless another view was asked for. */
  #sitDown() {
    const { controller } = this;
    const [seat] = this.#mine();
    this.stoodUp &&= seat !== undefined;
    if (this.stoodUp || controller.asked !== null || controller.viewer !== "public" || seat === undefined) {
      return false;
    }
    this.usual = `seat:${seat}`;
    controller.become(this.usual);
    return true;
  }

  /** One's seat may be taken from one while one looks from there: that view is shut then, and the public one goes on. */
  #standUp() {
    const { controller } = this;
    const { viewer, feed } = controller;
    // While a view is still coming in, it is in a past in which nobody sat.
    const mine = controller.ready ? this.#mine() : (this.held ?? []);
    const lost = isOwn(viewer, this.held ?? []) && !isOwn(viewer, mine);
    const shut = viewer !== "public" && feed.status === "refused" && ["view-not-yours", "inspection-needed"].includes(feed.problem?.code);
    this.held = mine;
    if (lost || shut) {
      this.#changeSeat(null);
    }
    return lost || shut;
  }

  /** A change of seat is a change of eyes: nobody plays at a moment of the past, or sees less than the seat does. */
  #changeSeat(seat) {
    this.stoodUp = seat === null;
    this.notice.put(seat === null ? { text: t("watch.notice.seat") } : null);
    this.usual = seat === null ? "public" : `seat:${seat}`;
    this.controller.arrive(this.usual);
  }

  /** The reader's own seats. */
  #mine() {
    const player = this.archive || this.embed ? null : (session()?.player ?? null);
    const seats = Object.entries(this.controller.newestState?.seats ?? {});
    return player === null ? [] : seats.filter(([, seat]) => seat.player === player).map(([seat]) => Number(seat));
  }
}

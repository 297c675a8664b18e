/** Starts the page and goes where its address says. */

import { tellAgain } from "./again.js";
import { clear, focusOn, h } from "./dom.js";
import { drawTop } from "./top.js";
import { nameTab } from "./calling/tab.js";
import { guard, showFailure } from "./failure.js";
import { fileAt, late, stands, whenIdle } from "./late.js";
import { closeLayers, heedBack, writeAddress } from "./layers.js";
import { loadWords, onLanguage, preferred, speakFrom, takeWords, wantWords, wordsLanguage } from "./languages.js";
import { filterOf, listPath, queriesOf, rulebooksPath } from "./lobby/queries.js";
import { forgetAhead, readAhead } from "./net/api.js";
import { hearOfReleases, keepDocument } from "./net/documents.js";
import { isPublic, withoutIdentity } from "./net/identity.js";
import { bookPath, eventsPath, knownTable, viewPath } from "./net/paths.js";
import { onChange, playerId } from "./net/session.js";
import { read } from "./net/storage.js";
import { followAhead, forgetStream } from "./net/stream.js";
import { placeOf, wishOf } from "./watch/place.js";
import { t } from "./words.js";

const GAME_PATH = /^\/(watch|embed)\/([\w-]+)\/?$/;

/** The pages of the lobby's address, by what its query says. */
const PAGES = {
  lobby: () => late("lobby/lobby.js", () => import("./lobby/lobby.js")),
  account: () => late("lobby/account.js", () => import("./lobby/account.js")),
  invitation: () => late("lobby/invitation.js", () => import("./lobby/invitation.js")),
  new: () => late("lobby/new-table.js", () => import("./lobby/new-table.js")),
  profile: () => late("profile/profile.js", () => import("./profile/profile.js")),
  leaderboards: () => late("profile/leaderboards.js", () => import("./profile/leaderboards.js")),
  finished: () => late("profile/finished.js", () => import("./profile/finished.js")),
  rules: () => late("rules/rules.js", () => import("./rules/rules.js")),
  wall: () => late("wall/wall.js", () => import("./wall/wall.js")),
};
/** Pages that are others with another query. */
const ASKING = new Set(["profile", "leaderboards", "finished", "rules", "wall"]);
/** The key under which this browser keeps where its fonts came from, and how many milliseconds a page stands without them before it fetches them. */
const FONTS = "parlour.fonts";
const FONTS_MS = 10_000;

const watching = () => late("watch/watch.js", () => import("./watch/watch.js"));

wantWords(["common", "refusals"]);

const root = elementOf("page");
const top = elementOf("top");

/** What is on the page: its key, by which a change of the address is told from a change of page, and how to end it. */
let shown = { key: "", unmount: () => {} };

/** An element that every document of the page has, by its id. */
function elementOf(id) {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`the document has no #${id}`);
  }
  return found;
}

/**
 * What is shown at an address.
 *
 * @typedef {Object} Shown
 * @property {string} key by which a change of the address is told from a change of page.
 * @property {string} title the key of its title.
 * @property {string[]} reads what it will ask the service for first: that is on its way while the page itself is.
 * @property {string|null} follows the log that it will follow from its beginning; likewise.
 * @property {() => Promise<(node: HTMLElement, go: typeof navigate) => (() => void)|void>} load how it is put on the page, and gives how to end it;
 *   `go` is how it takes its reader elsewhere.
 */

/**
 * The page that an address means.
 *
 * A page keeps its own state in the query. While the address stays on one page, nothing is mounted anew: the page
 * listens to `popstate`, which `navigate` fires too.
 *
 * @returns {Shown}
 */
function pageOf(address) {
  const url = new URL(address);
  const [, place, game] = GAME_PATH.exec(url.pathname) ?? [];
  if (place) {
    const given = { game, params: url.searchParams, embed: place === "embed", archive: null };
    const load = async () => {
      const { mount } = await watching();
      return (node, go) => mount(node, { ...given, navigate: go });
    };
    const wish = wishOf(placeOf(url.searchParams), given.embed);
    const known = knownTable(game);
    const book = known === null ? [] : [bookPath(known.game, known.rulebook, wordsLanguage())];
    const reads = [viewPath(game, wish), ...book];
    const follows = isPublic(wish) && !given.embed ? eventsPath(game, "public") : null;
    return { key: `${place}/${game}`, title: "title.watch", reads, follows, load };
  }
  const name = url.pathname === "/" ? (url.searchParams.get("page") ?? "lobby") : url.pathname;
  if (!Object.hasOwn(PAGES, name)) {
    return { key: `?${name}`, title: "title.missing", reads: [], follows: null, load: async () => mountMissing };
  }
  const load = async () => {
    const { mount } = await PAGES[name]();
    return (node, go) => mount(node, { navigate: go });
  };
  const lists = name === "lobby" ? Object.values(queriesOf(filterOf(address), playerId())) : [];
  const reads = name === "lobby" ? [...lists.map((query) => listPath(query)), rulebooksPath(wordsLanguage())] : [];
  const key = ASKING.has(name) ? `${name}${url.search}` : name;
  return { key, title: `title.${name}`, reads, follows: null, load };
}

/**
 * Go to another address of this page.
 *
 * @param {string} address relative or absolute; another origin's is simply opened.
 * @param {{replace?: boolean}} options `replace`: the back button does not come back to here.
 */
function navigate(address, { replace = false } = {}) {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin) {
    location.assign(url);
    return;
  }
  writeAddress(url.href, { replace });
  dispatchEvent(new PopStateEvent("popstate", { state: null }));
}

/** Show what the address means, unless it is on the page already, or coming. */
async function route({ anew = false, focus = true } = {}) {
  const page = pageOf(location.href);
  if (page.key === shown.key && !anew) {
    return;
  }
  closeLayers();
  shown.unmount();
  clear(root);
  const coming = { key: page.key, unmount: () => {} };
  shown = coming;
  forgetAhead();
  forgetStream();
  page.reads.forEach(readAhead);
  page.follows && followAhead(page.follows, 0);
  try {
    const [mount] = await Promise.all([page.load(), loadWords()]);
    await loadWords(); // what the page itself wants is known when it is there
    if (shown !== coming) {
      return;
    }
    nameTab(t(page.title));
    drawHeader(page.key);
    // Whoever has left a page is not taken elsewhere by an answer that comes to it late.
    const go = (address, how) => void (shown.key === page.key && navigate(address, how));
    coming.unmount = mount(root, go) ?? (() => {});
    forgetAhead();
    stands();
    page.key.startsWith("embed/") || whenIdle(keepDocument);
  } catch (error) {
    if (shown === coming) {
      showFailure(root, error);
    }
  }
  if (focus && shown === coming) {
    scrollTo(0, 0);
    goOnFrom(root.querySelector("h1") ?? root, { preventScroll: true });
  }
}

function drawHeader(key) {
  const embedded = key.startsWith("embed/");
  document.body.classList.toggle("embedded", embedded);
  clear(top);
  if (!embedded) {
    top.append(...drawTop(key));
  }
}

/** Draw everything in another language. The menu that it was chosen from is drawn anew as well: whoever is there stays there. */
async function drawAllAnew() {
  const inHeader = top.contains(document.activeElement);
  await route({ anew: true, focus: false });
  if (inHeader) {
    focusOn(top.querySelector(".site-menu > summary, .language select"), { preventScroll: true });
  }
}

/** Let the keyboard go on from here, even where nothing can be pressed. */
function goOnFrom(element, options) {
  if (element && element.tabIndex < 0) {
    element.setAttribute("tabindex", "-1");
  }
  focusOn(element, options);
}

function mountMissing(node) {
  node.append(
    h(
      "section",
      { class: "plain" },
      h("h1", {}, t("missing.title")),
      h("p", {}, t("missing.text")),
      h("p", {}, h("a", { href: "/", class: "button" }, t("nav.lobby"))),
    ),
  );
}

/** Links within the page do not load it again. */
function onClick(event) {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download")) {
    return;
  }
  const url = new URL(link.href);
  const within = url.origin === location.origin && (url.pathname === "/" || GAME_PATH.test(url.pathname));
  if (link.hash && url.pathname === location.pathname && url.search === location.search) {
    event.preventDefault();
    goOnFrom(document.querySelector(link.hash));
  } else if (within) {
    event.preventDefault();
    navigate(link.href);
  }
}

/** An archive holds everything that it needs, so that it can be opened from disk. */
async function startArchive(text) {
  const archive = JSON.parse(text);
  withoutIdentity();
  const lang = archive.words[preferred()] ? preferred() : archive.language;
  speakFrom(lang, archive.words[lang]);
  document.body.classList.add("archived");
  document.title = t("title.watch");
  const params = new URLSearchParams(location.hash.slice(1));
  const { mount } = await watching();
  mount(root, { game: archive.game, params, embed: false, archive, navigate: navigateArchive });
}

/** A file has no addresses but fragments: the state goes there. */
function navigateArchive(address, { replace = false } = {}) {
  const [, query = ""] = address.split("?");
  const fragment = `#${query.split("#")[0]}`;
  replace ? location.replace(fragment) : (location.hash = fragment);
}

async function startLive() {
  takeWords();
  const embedded = location.pathname.startsWith("/embed/");
  const hasFonts = read(FONTS) === fileAt("fonts/");
  if (hasFonts) {
    fonts();
  }
  if (embedded) {
    withoutIdentity();
  }
  const wish = new URLSearchParams(location.search).get("lang");
  const lang = embedded && wish ? preferred([wish]) : preferred();
  embedded || hearOfReleases();
  heedBack();
  addEventListener("popstate", () => route());
  document.addEventListener("click", onClick);
  await Promise.all([loadWords(lang), route({ focus: false })]);
  onLanguage(drawAllAnew);
  onChange(() => drawHeader(shown.key));
  // A frame on somebody's page keeps nothing, not even where the fonts are.
  if (!hasFonts && !embedded) {
    setTimeout(fonts, FONTS_MS);
  }
}

/** Use the fonts, or fetch them for the next page. */
async function fonts() {
  try {
    const { takeFonts } = await late("fonts.js", () => import("./fonts.js"));
    await takeFonts(FONTS);
  } catch (error) {
    if (!(error instanceof TypeError)) {
      throw error;
    }
    // No connection: the next page tries again, and the system's own will do.
  }
}

async function start() {
  guard(root);
  tellAgain();
  const archive = document.getElementById("archive");
  try {
    await (archive ? startArchive(archive.textContent) : startLive());
  } catch (error) {
    showFailure(root, error);
  }
}

start();

/** Starts the page and goes where its address says. */

import { h, clear } from "./dom.js";
import { drawTop } from "./top.js";
import { guard, showFailure } from "./failure.js";
import { mountAccount } from "./lobby/account.js";
import { mountLobby } from "./lobby/lobby.js";
import { mountNewTable } from "./lobby/new-table.js";
import { loadWords, onLanguage, preferred } from "./languages.js";
import { withoutIdentity } from "./net/identity.js";
import { onChange } from "./net/session.js";
import { mountWatch } from "./watch/watch.js";
import { t, useWords } from "./words.js";

const GAME_PATH = /^\/(watch|embed)\/([\w-]+)\/?$/;

const root = placeOf("page");
const top = placeOf("top");

/** What is on the page: its key, by which a change of the address is told from a change of page, and how to end it. */
let shown = { key: "", unmount: () => {} };

/** A place of the document, by its id. */
function placeOf(id) {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`the document has no #${id}`);
  }
  return found;
}

/**
 * The page that an address means.
 *
 * A page keeps its own state in the query. While the address stays on one page, nothing is mounted anew: the page
 * listens to `popstate`, which `navigate` fires too.
 */
function pageOf(address) {
  const url = new URL(address);
  const [, place, game] = GAME_PATH.exec(url.pathname) ?? [];
  if (place) {
    const given = { game, params: url.searchParams, embed: place === "embed", archive: null };
    return { key: `${place}/${game}`, title: "title.watch", mount: (node) => mountWatch(node, { ...given, navigate }) };
  }
  if (url.pathname !== "/") {
    return { key: `?${url.pathname}`, title: "title.missing", mount: mountMissing };
  }
  const mounts = { account: mountAccount, new: mountNewTable };
  const name = url.searchParams.get("page") ?? "lobby";
  const mount = name === "lobby" ? mountLobby : mounts[name];
  return mount
    ? { key: name, title: `title.${name}`, mount: (node) => mount(node, { navigate }) }
    : { key: `?${name}`, title: "title.missing", mount: mountMissing };
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
  history[replace ? "replaceState" : "pushState"](null, "", url);
  dispatchEvent(new PopStateEvent("popstate", { state: null }));
}

/** Show what the address means, unless it is on the page already. */
function route({ anew = false, focus = true } = {}) {
  const page = pageOf(location.href);
  if (page.key === shown.key && !anew) {
    return;
  }
  shown.unmount();
  clear(root);
  document.title = t(page.title);
  shown = { key: page.key, unmount: () => {} };
  drawHeader(page.key);
  try {
    shown.unmount = page.mount(root) ?? (() => {});
  } catch (error) {
    showFailure(root, error);
  }
  if (focus) {
    scrollTo(0, 0);
    focusOn(root.querySelector("h1") ?? root, { preventScroll: true });
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

/** Let the keyboard go on from here, even where nothing can be pressed. */
function focusOn(element, options) {
  if (element) {
    element.tabIndex < 0 && element.setAttribute("tabindex", "-1");
    element.focus(options);
  }
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
    focusOn(document.querySelector(link.hash));
  } else if (within) {
    event.preventDefault();
    navigate(link.href);
  }
}

/** An archive holds everything that it needs, so that it can be opened from disk. */
async function startArchive(text) {
  const archive = JSON.parse(text);
  withoutIdentity();
  const speak = (lang) => useWords(lang, archive.words[lang]);
  speak(archive.words[preferred()] ? preferred() : archive.language);
  document.body.classList.add("archived");
  document.title = t("title.watch");
  const params = new URLSearchParams(location.hash.slice(1));
  mountWatch(root, { game: archive.game, params, embed: false, archive, navigate: navigateArchive });
}

/** A file has no addresses but fragments: the state goes there. */
function navigateArchive(address, { replace = false } = {}) {
  const [, query = ""] = address.split("?");
  const fragment = `#${query.split("#")[0]}`;
  replace ? location.replace(fragment) : (location.hash = fragment);
}

async function startLive() {
  const embedded = location.pathname.startsWith("/embed/");
  if (embedded) {
    withoutIdentity();
  }
  const wish = new URLSearchParams(location.search).get("lang");
  await loadWords(embedded && wish ? preferred([wish]) : preferred());
  addEventListener("popstate", () => route());
  document.addEventListener("click", onClick);
  onLanguage(() => route({ anew: true, focus: false }));
  onChange(() => drawHeader(shown.key));
  route({ focus: false });
}

async function start() {
  guard(root);
  const archive = document.getElementById("archive");
  try {
    await (archive ? startArchive(archive.textContent) : startLive());
  } catch (error) {
    showFailure(root, error);
  }
}

start();

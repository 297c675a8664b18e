/** The head of every page: where one is, who one is, and in which language. */

import { callingSwitches } from "./calling/switches.js";
import { h, s } from "./dom.js";
import { foldout } from "./foldout.js";
import { languages, setLanguage } from "./languages.js";
import { isRefused } from "./net/identity.js";
import { session } from "./net/session.js";
import { dot, drawPictogram, path } from "./pictogram.js";
import { language, t } from "./words.js";

/** Languages are called by their own names, whatever the page speaks. */
const NAMES = { en: "English", fr: "Français", pl: "Polski" };

const BELL = [path("m10 36h28l-4-6V21a10 10 0 0 0-20 0v9z"), dot(24, 41, 3)];

/**
 * The head's content.
 *
 * @param {string} current the key of the page that is shown.
 * @returns {Node[]}
 */
export function drawTop(current) {
  // A table needs the room: there, the head leaves its line to it.
  const slim = current.startsWith("watch/");
  const rest = [nav(current), (session() !== null || current.startsWith("wall")) && calling(slim), languageMenu()].filter(Boolean);
  return [
    h("a", { class: "skip", href: "#page" }, t("nav.skip")),
    h("div", { class: "bar" }, brand(), slim ? foldout({ name: "site-menu", label: t("nav.menu"), sign: "☰", content: rest }) : rest),
  ];
}

function brand() {
  return h("a", { class: "brand", href: "/" }, mark(), h("span", {}, t("brand")));
}

/** The house's mark: five by five squares, two of them lit. */
function mark() {
  const squares = Array.from({ length: 25 }, (_, index) => {
    const kind = index === 12 ? "centre" : index === 24 ? "exit" : "square";
    return s("rect", { class: `mark-${kind}`, x: (index % 5) * 5, y: Math.floor(index / 5) * 5, width: 4, height: 4 });
  });
  return s("svg", { class: "brand-mark", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, ...squares);
}

function nav(current) {
  const link = (key, href, text) => h("a", { href, "aria-current": current === key ? "page" : null }, text);
  return h(
    "nav",
    { "aria-label": t("nav.label") },
    link("lobby", "/", t("nav.lobby")),
    link("new", "/?page=new", t("nav.new")),
    link("account", "/?page=account", account()),
  );
}

function account() {
  const who = session();
  if (who === null) {
    return t("nav.sign_in");
  }
  return [
    h("span", { class: ["who", isRefused() && "refused"] }, who.name),
    isRefused() && h("span", { class: "unseen" }, t("nav.refused")),
  ].filter(Boolean);
}

/** How one is called: behind a bell, or among what is folded up already. */
function calling(slim) {
  const switches = callingSwitches();
  return slim ? switches : foldout({ name: "calling-menu", label: t("calling.label"), sign: drawPictogram(BELL, { size: 24 }), content: switches });
}

function languageMenu() {
  const options = languages.map((code) =>
    h("option", { value: code, lang: code, selected: code === language() }, NAMES[code]),
  );
  const change = (event) => setLanguage(event.target.value);
  return h(
    "label",
    { class: "language" },
    h("span", { class: "unseen" }, t("nav.language")),
    h("select", { onchange: change }, ...options),
  );
}

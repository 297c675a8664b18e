/** The tab: its title and its icon, with a mark while the reader is asked. */

import { fileAt } from "../late.js";

const CALLED = "icon-called.svg";

let title = "";
let mark = "";
/** The icon that the document has. @type {string|null} */
let usual = null;

/** Call the tab so. */
export function nameTab(text) {
  title = text;
  draw();
}

/** Set something before the title, and change the icon; empty: as usual. */
export function markTab(text) {
  if (mark !== text) {
    mark = text;
    draw();
    drawIcon();
  }
}

function draw() {
  document.title = mark === "" ? title : `● ${mark} · ${title}`;
}

/** A browser looks at an icon's address when its link comes into the document. */
function drawIcon() {
  const link = document.querySelector('link[rel="icon"]');
  if (!(link instanceof HTMLLinkElement)) {
    return;
  }
  usual ??= link.href;
  const other = /** @type {HTMLLinkElement} */ (link.cloneNode());
  other.href = mark === "" ? usual : fileAt(CALLED);
  link.replaceWith(other);
}

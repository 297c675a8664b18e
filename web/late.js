/**
 * Loading later: a module when somebody goes where it is needed, with everything that it imports at once.
 *
 * The document names all of that in a template for each such module, which the service has made of the imports.
 */

import { forgetDocuments } from "./net/documents.js";

let standing = false;

/**
 * Where a file of the page is: of the release that the document is of.
 *
 * @param {string} path in the folder of the page.
 */
export function fileAt(path) {
  const place = document.querySelector('meta[name="files"]')?.getAttribute("content");
  if (!place) {
    throw new Error("the document does not say where its files are");
  }
  return new URL(place + path, location.href).href;
}

/** From now on there is a page that can be loaded anew, where its release has gone. */
export function stands() {
  standing = true;
}

/**
 * Load a module, with the styles that it needs.
 *
 * Where the service has another release by now, it has none of this one's files any more: then the page is loaded
 * anew, at the address where its reader was going.
 *
 * @template T
 * @param {string} module its path in the folder of the page.
 * @param {() => Promise<T>} load imports it.
 * @returns {Promise<T>}
 * @throws {Error} it cannot be had now.
 */
export async function late(module, load) {
  const template = document.querySelector(`template[data-module="${module}"]`);
  const links = template instanceof HTMLTemplateElement ? linksOf(template) : [];
  const styled = links.filter(({ rel }) => rel === "stylesheet").map(loaded);
  document.head.append(...links);
  try {
    const [made] = await Promise.all([load(), ...styled]);
    template?.remove();
    return made;
  } catch (error) {
    links.forEach((link) => link.remove());
    if (standing && (await isGone())) {
      await forgetDocuments();
      location.reload();
      return new Promise(() => {});
    }
    throw error;
  }
}

/** What the document does not link to yet. */
function linksOf(template) {
  const copy = document.importNode(template.content, true);
  const known = new Set([...document.head.querySelectorAll("link")].map(({ href }) => href));
  return [...copy.querySelectorAll("link")].filter(({ href }) => !known.has(href));
}

function loaded(link) {
  return new Promise((done, fail) => {
    link.addEventListener("load", done);
    link.addEventListener("error", () => fail(new Error(`the style ${link.href} could not be loaded`)));
  });
}

/**
 * Do something once the page has nothing better to do.
 *
 * @param {() => void} act
 */
export function whenIdle(act) {
  // Not all browsers have it.
  typeof requestIdleCallback === "function" ? requestIdleCallback(() => act(), { timeout: 2000 }) : setTimeout(act, 200);
}

/** Whether the service does not have this release; what cannot be asked is not gone. */
async function isGone() {
  try {
    return (await fetch(fileAt("chunks/main.js"), { method: "HEAD", cache: "no-store" })).status === 404;
  } catch {
    return false;
  }
}

/** Secrets in the fragment of an address: browsers send it to nobody. */

import { writeAddress } from "../layers.js";
import { PRIVATE } from "./identity.js";
import { readInTab, writeInTab } from "./storage.js";

/** Whether the address has a secret. @param {string} name what stands before it, as in `#link=…`. @returns {boolean} */
export function hasSecret(name) {
  return location.hash.startsWith(beginOf(name));
}

/**
 * Take a secret out of the address at which this page was opened. From then on the address is without.
 *
 * @param {string} name what stands before the secret, as in `#link=…`.
 * @returns {string|null} null: there is none.
 */
export function takeSecret(name) {
  if (!hasSecret(name)) {
    return null;
  }
  const secret = location.hash.slice(beginOf(name).length);
  writeAddress(location.pathname + location.search, { replace: true });
  return secret;
}

/**
 * The same, of a page that may be loaded anew: a secret that was taken here stays in this tab until it is done with, or
 * somebody else signs in.
 *
 * @param {string} name as for `takeSecret`.
 * @returns {string|null} null: there is none, and none is left.
 */
export function holdSecret(name) {
  const taken = takeSecret(name);
  if (taken !== null) {
    writeInTab(heldAs(name), taken);
  }
  return taken ?? readInTab(heldAs(name));
}

/** A secret that was held is done with. @param {string} name as for `takeSecret`. */
export function dropSecret(name) {
  writeInTab(heldAs(name), null);
}

function beginOf(name) {
  return `#${name}=`;
}

function heldAs(name) {
  return `${PRIVATE}secret.${name}`;
}

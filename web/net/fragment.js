/** Secrets in the fragment of an address: browsers send it to nobody. */

/**
 * Take a secret out of the address at which this page was opened. From then on the address is without.
 *
 * @param {string} name what stands before the secret, as in `#link=…`.
 * @returns {string|null} null: there is none.
 */
export function takeSecret(name) {
  const begin = `#${name}=`;
  if (!location.hash.startsWith(begin)) {
    return null;
  }
  const secret = location.hash.slice(begin.length);
  history.replaceState(history.state, "", location.pathname + location.search);
  return secret;
}

/** Bytes as text in base64url without padding (RFC 4648 §5), and back (pure). */

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export const textOf = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export const fromText = (text) => {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
};

/**
 * The proofs of a game's log (docs/audit.md): the hash chain over its lines and the commitments of its secrets.
 * Everything is computed here by the browser's own SHA-256, so nothing of it rests on the service's word.
 *
 * Hashes are base64url texts without padding, as records write them.
 */

import { fromText, textOf } from "./base64url.js";

/** @import { Line } from "./lines.js" */

const encoder = new TextEncoder();

/** What a part may be: a text stands for its UTF-8 bytes, a number for one byte. */
const bytesOf = (part) => {
  if (typeof part === "string") {
    return encoder.encode(part);
  }
  return typeof part === "number" ? Uint8Array.of(part) : part;
};

const joined = (parts) => {
  const all = parts.map(bytesOf);
  const result = new Uint8Array(all.reduce((length, { byteLength }) => length + byteLength, 0));
  all.reduce((at, bytes) => {
    result.set(bytes, at);
    return at + bytes.byteLength;
  }, 0);
  return result;
};

const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", joined(parts)));

/** A number as `size` bytes, the greatest first. */
const numbered = (size, number) => {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(number));
  return new Uint8Array(view.buffer).slice(8 - size);
};

const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * The RFC 8785 text of a value: one spelling for one content.
 *
 * @param {*} value as JSON gives it; keys are ASCII and numbers are integers.
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(",")}]`;
  }
  if (value !== null && typeof value === "object") {
    const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

/** Whether hashes can be computed: browsers offer them to pages over https and on localhost only. */
export function available() {
  return globalThis.crypto?.subtle !== undefined;
}

/**
 * The head of a game's empty log.
 *
 * @param {string} gameId
 * @returns {Promise<string>}
 */
export async function genesis(gameId) {
  return textOf(await sha256(2, "parlour/stream/1", 0, gameId));
}

/**
 * The head after one more line.
 *
 * @param {string} head the head before it.
 * @param {number} version the line's version.
 * @param {string} publicText the text that is hashed, as `parseLine` cuts it.
 * @returns {Promise<string>}
 */
export async function extend(head, version, publicText) {
  const leaf = await sha256(0, publicText);
  return textOf(await sha256(1, fromText(head), numbered(8, version), leaf));
}

/** A line does not stand where it should: `version` is the one that was due. */
export class ChainError extends Error {
  constructor(version, found) {
    super(`version ${version} should be here, not ${found}`);
    this.name = "ChainError";
    this.version = version;
  }
}

/**
 * The heads after each of some lines that follow one another.
 *
 * @param {string} head the head before them, of version `after`.
 * @param {number} after
 * @param {Line[]} lines
 * @returns {Promise<string[]>}
 * @throws {ChainError} a line is missing, doubled or in another's place.
 */
export async function headsAfter(head, after, lines) {
  const heads = [];
  let last = head;
  for (const [i, line] of lines.entries()) {
    const due = after + i + 1;
    if (line.version !== due) {
      throw new ChainError(due, line.version);
    }
    last = await extend(last, due, line.publicText);
    heads.push(last);
  }
  return heads;
}

/**
 * Whether an opened value is the one that was committed to when it happened.
 *
 * @param {string} commitment what was published in its place.
 * @param {string} path `event.<field>` or `command.<field>`.
 * @param {{salt: string, value: *}} opening
 * @returns {Promise<boolean>}
 */
export async function checkOpening(commitment, path, { salt, value }) {
  const name = encoder.encode(path);
  const parts = ["parlour/seal/1", 0, numbered(4, name.length), name, fromText(salt), canonical(value)];
  return textOf(await sha256(...parts)) === commitment;
}

/**
 * Whether everything that a line opens was committed to in it.
 *
 * @param {Line} line
 * @returns {Promise<string[]>} the paths that fail; none: all is well.
 */
export async function wrongOpenings(line) {
  const checked = Object.entries(line.opened).map(async ([path, opening]) => {
    const commitment = commitmentOf(line, path);
    return commitment !== undefined && (await checkOpening(commitment, path, opening)) ? null : path;
  });
  return (await Promise.all(checked)).filter((path) => path !== null);
}

/**
 * Whether the published game key is the one that the first event committed to.
 *
 * @param {string} key hexadecimal.
 * @param {string} keyHash `key_hash` of `table-opened`.
 * @returns {Promise<boolean>}
 */
export async function checkKey(key, keyHash) {
  return toHex(await sha256("parlour/key/1", 0, fromHex(key))) === keyHash;
}

/**
 * The salt that the game key gives to the secret at `path` of the event `version`.
 *
 * @param {string} key hexadecimal; of a scenario that fixes its key, the opened `command.key` of the first event.
 * @param {number} version
 * @param {string} path
 * @returns {Promise<string>}
 */
export async function saltOf(key, version, path) {
  const saltKey = await hmac(fromHex(key), "parlour/salt/1", 0);
  return textOf(await hmac(saltKey, numbered(8, version), path));
}

async function hmac(key, ...parts) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const ready = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", ready, joined(parts)));
}

function commitmentOf(line, path) {
  const [part, ...rest] = path.split(".");
  const seals = { event: line.seals, command: line.batch?.seals }[part];
  return seals?.[rest.join(".")];
}

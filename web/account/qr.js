/**
 * QR codes (ISO/IEC 18004) of texts that a camera is to read: bytes, error correction level M, versions 1 to 10.
 *
 * A code is made here and not by somebody else's service, because what it says is a secret.
 */

import { s } from "../dom.js";

/** By version: codewords of error correction in a block, and how many blocks hold how many codewords of data. */
const BLOCKS = [
  [10, [1, 16]], [16, [1, 28]], [26, [1, 44]], [18, [2, 32]], [24, [2, 43]],
  [16, [4, 27]], [18, [4, 31]], [22, [2, 38], [2, 39]], [22, [3, 36], [2, 37]], [26, [4, 43], [1, 44]],
];
/** By version: where the middles of alignment patterns stand, in both directions. */
const MIDDLES = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
/** Light modules that a code needs around it. */
const QUIET = 4;

/** Which modules a mask turns over, by its number. */
const MASKS = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/**
 * A code as a picture.
 *
 * @param {string} text what it says.
 * @param {string} label what it is, for who cannot see it.
 * @returns {SVGSVGElement}
 */
export function qrPicture(text, label) {
  const code = qrCode(text);
  const size = code.length + 2 * QUIET;
  const runs = code.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])),
  );
  return s(
    "svg",
    { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label },
    s("rect", { class: "qr-light", width: size, height: size }),
    s("path", { class: "qr-dark", d: runs.join("") }),
  );
}

/**
 * The modules of a code, row by row; true is dark.
 *
 * @param {string} text
 * @returns {boolean[][]}
 * @throws {RangeError} it has more than 213 bytes in UTF-8.
 */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = versionFor(bytes.length);
  const bits = bitsOf(interleaved(codewords(bytes, version), version));
  const masked = MASKS.map((_, mask) => drawn(version, bits, mask));
  const marks = masked.map(penalty);
  return masked[marks.indexOf(Math.min(...marks))];
}

function versionFor(length) {
  const version = BLOCKS.findIndex((_, index) => length + (index < 9 ? 2 : 3) <= room(index + 1)) + 1;
  if (version === 0) {
    throw new RangeError(`${length} bytes are too many for a code`);
  }
  return version;
}

/** How many codewords of data a version holds. */
function room(version) {
  return groups(version).reduce((sum, [count, length]) => sum + count * length, 0);
}

function groups(version) {
  return /** @type {number[][]} */ (BLOCKS[version - 1].slice(1));
}

/** The data: mode, length, bytes, an end, and padding. */
function codewords(bytes, version) {
  const wide = version > 9 ? 16 : 8;
  const bits = [...binary(4, 4), ...binary(bytes.length, wide), ...[...bytes].flatMap((byte) => binary(byte, 8))];
  const most = room(version) * 8;
  bits.push(...Array(Math.min(4, most - bits.length)).fill(0));
  bits.push(...Array((8 - (bits.length % 8)) % 8).fill(0));
  const found = [];
  for (let at = 0; at < bits.length; at += 8) {
    found.push(bits.slice(at, at + 8).reduce((value, bit) => 2 * value + bit, 0));
  }
  for (let pad = 0xec; found.length < room(version); pad ^= 0xfd) {
    found.push(pad);
  }
  return found;
}

/** The blocks of data and their error correction, taken in turns. */
function interleaved(data, version) {
  const [extra] = /** @type {[number]} */ (/** @type {unknown} */ (BLOCKS[version - 1]));
  const lengths = groups(version).flatMap(([count, length]) => Array(count).fill(length));
  const blocks = [];
  let at = 0;
  for (const length of lengths) {
    blocks.push(data.slice(at, at + length));
    at += length;
  }
  return [...turns(blocks), ...turns(blocks.map((block) => remainder(block, generator(extra))))];
}

function turns(blocks) {
  const longest = Math.max(...blocks.map((block) => block.length));
  const found = [];
  for (let at = 0; at < longest; at += 1) {
    found.push(...blocks.filter((block) => at < block.length).map((block) => block[at]));
  }
  return found;
}

/** The product of two elements of the field of 256 elements in which error correction is computed. */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ (product & 0x80 ? 0x11d : 0);
    product ^= (b >> bit) & 1 ? a : 0;
  }
  return product;
}

/** The generator polynomial of a degree, without its leading one, the highest power first. */
function generator(degree) {
  let found = [1];
  let root = 1;
  for (let power = 0; power < degree; power += 1) {
    const shifted = [...found, 0];
    found = shifted.map((each, index) => each ^ (index > 0 ? times(found[index - 1], root) : 0));
    root = times(root, 2);
  }
  return found.slice(1);
}

function remainder(block, divisor) {
  let rest = Array(divisor.length).fill(0);
  for (const value of block) {
    const factor = value ^ rest[0];
    rest = [...rest.slice(1), 0].map((each, index) => each ^ times(divisor[index], factor));
  }
  return rest;
}

function bitsOf(values) {
  return values.flatMap((value) => binary(value, 8));
}

/** The bits of a number, the highest first. */
function binary(value, length) {
  return Array.from({ length }, (_, index) => (value >> (length - 1 - index)) & 1);
}

/** The whole code under a mask. */
function drawn(version, bits, mask) {
  const size = 17 + 4 * version;
  const dark = Array.from({ length: size }, () => Array(size).fill(false));
  const fixed = Array.from({ length: size }, () => Array(size).fill(false));
  const set = (row, column, value) => {
    dark[row][column] = Boolean(value);
    fixed[row][column] = true;
  };
  drawPatterns(version, size, set);
  drawFormat(size, mask, set);
  if (version > 6) {
    drawVersion(version, size, set);
  }
  let next = 0;
  for (const [row, column] of path(size)) {
    if (!fixed[row][column]) {
      dark[row][column] = Boolean(bits[next] ?? 0) !== MASKS[mask](row, column);
      next += 1;
    }
  }
  return dark;
}

/** Finders in three corners, timing patterns between them, and alignment patterns. */
function drawPatterns(version, size, set) {
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [top, left] of [[3, 3], [3, size - 4], [size - 4, 3]]) {
    square(4, (down, right) => {
      const [row, column] = [top + down, left + right];
      if (row >= 0 && row < size && column >= 0 && column < size) {
        const ring = Math.max(Math.abs(down), Math.abs(right));
        set(row, column, ring !== 2 && ring !== 4);
      }
    });
  }
  const middles = MIDDLES[version - 1];
  const last = middles.at(-1);
  for (const row of middles) {
    for (const column of middles) {
      const inFinder = (row === 6 && (column === 6 || column === last)) || (row === last && column === 6);
      if (!inFinder) {
        square(2, (down, right) => set(row + down, column + right, Math.max(Math.abs(down), Math.abs(right)) !== 1));
      }
    }
  }
}

function square(reach, visit) {
  for (let down = -reach; down <= reach; down += 1) {
    for (let right = -reach; right <= reach; right += 1) {
      visit(down, right);
    }
  }
}

/** Level M and the mask, twice. */
function drawFormat(size, mask, set) {
  const bits = binary(checked(mask, 10, 0x537) ^ 0x5412, 15).reverse();
  const near = [...range(0, 6), 7, 8].map((row) => [row, 8]);
  const beside = [7, ...range(0, 6).reverse()].map((column) => [8, column]);
  [...near, ...beside].forEach(([row, column], index) => set(row, column, bits[index]));
  const right = range(0, 8).map((index) => [8, size - 1 - index]);
  const below = range(0, 7).map((index) => [size - 7 + index, 8]);
  [...right, ...below].forEach(([row, column], index) => set(row, column, bits[index]));
  set(size - 8, 8, true);
}

function drawVersion(version, size, set) {
  binary(checked(version, 12, 0x1f25), 18)
    .reverse()
    .forEach((bit, index) => {
      const [far, near] = [size - 11 + (index % 3), Math.floor(index / 3)];
      set(far, near, bit);
      set(near, far, bit);
    });
}

/** A number followed by the remainder of a division that makes mistakes in it be seen. */
function checked(value, length, divisor) {
  let rest = value;
  for (let bit = 0; bit < length; bit += 1) {
    rest = (rest << 1) ^ ((rest >> (length - 1)) * divisor);
  }
  return (value << length) | rest;
}

/** The order in which data is put down: columns in pairs from the right, up and down by turns. */
function path(size) {
  const pairs = range(0, (size - 1) / 2).map((pair) => size - 1 - 2 * pair);
  return pairs.flatMap((pair, turn) => {
    const column = pair > 6 ? pair : pair - 1;
    const rows = turn % 2 === 0 ? range(0, size).reverse() : range(0, size);
    return rows.flatMap((row) => [[row, column], [row, column - 1]]);
  });
}

function range(from, to) {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** How hard a code is to read: long runs, squares, what looks like a finder, and too much of one shade. */
function penalty(dark) {
  const columns = dark.map((_, column) => dark.map((row) => row[column]));
  const lines = [...dark, ...columns].map((line) => line.map((each) => (each ? "1" : "0")).join(""));
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []);
  const finders = lines.reduce((sum, line) => sum + count(line, "00001011101") + count(line, "10111010000"), 0);
  const size = dark.length;
  let squares = 0;
  for (let row = 1; row < size; row += 1) {
    for (let column = 1; column < size; column += 1) {
      const same = [dark[row - 1][column], dark[row][column - 1], dark[row - 1][column - 1]];
      squares += same.every((each) => each === dark[row][column]) ? 1 : 0;
    }
  }
  const share = dark.flat().filter(Boolean).length / size ** 2;
  const steps = Math.floor(Math.abs(share - 0.5) / 0.05);
  return runs.reduce((sum, run) => sum + run.length - 2, 0) + 3 * squares + 40 * finders + 10 * steps;
}

/** How often a text is in another one, also where it overlaps with itself. */
function count(text, part) {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    found += 1;
  }
  return found;
}

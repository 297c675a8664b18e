/** Text lines out of the bytes of an answer. */

/** Bytes in, whole lines out. What a cut connection leaves of a line is never given. */
export class LineCutter {
  constructor() {
    this.decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    this.rest = "";
  }

  /**
   * The lines that these bytes complete, without their ends.
   *
   * @param {Uint8Array} bytes
   * @returns {string[]}
   * @throws {TypeError} they are not UTF-8.
   */
  push(bytes) {
    const parts = this.decoder.decode(bytes, { stream: true }).split("\n");
    parts[0] = this.rest + parts[0];
    this.rest = parts.pop() ?? "";
    return parts;
  }
}

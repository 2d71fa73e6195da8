/** The first allocation for a body in several pieces. */
const MIN_GROWN_BYTES = 4 * 1024;

/**
 * Collects the pieces of a body of limited length. A body in one piece is not copied. Further pieces are copied, because
 * a kept piece takes at least 200 bytes, and a client may send a megabyte in pieces of one byte.
 */
export class BodyBuffer {
  readonly #maxBytes: number;
  #bytes: Uint8Array = new Uint8Array();
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Returns whether the body is still within its limit. */
  add(piece: Uint8Array): boolean {
    const end = this.#length + piece.byteLength;
    if (end > this.#maxBytes) return false;
    if (this.#length === 0) this.#bytes = piece;
    else {
      if (end > this.#bytes.length) this.#grow(end);
      this.#bytes.set(piece, this.#length);
    }
    this.#length = end;
    return true;
  }

  #grow(needed: number): void {
    const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length, MIN_GROWN_BYTES));
    grown.set(this.bytes);
    this.#bytes = grown;
  }
}

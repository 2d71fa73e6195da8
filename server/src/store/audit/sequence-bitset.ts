/** Sequences per page; a page takes 8 KiB. */
const PAGE = 65_536;

/** A set of sequences: one bit for each, on pages that exist only where needed. */
export class SequenceSet {
  readonly #pages = new Map<number, Uint8Array>();

  /** Returns whether it was new. */
  add(sequence: number): boolean {
    const key = Math.floor(sequence / PAGE);
    let page = this.#pages.get(key);
    if (!page) {
      page = new Uint8Array(PAGE / 8);
      this.#pages.set(key, page);
    }
    const place = sequence - key * PAGE;
    const [byte, bit] = [place >> 3, 1 << (place & 7)];
    const held = page[byte] as number;
    page[byte] = held | bit;
    return (held & bit) === 0;
  }

  has(sequence: number): boolean {
    const key = Math.floor(sequence / PAGE);
    const place = sequence - key * PAGE;
    return ((this.#pages.get(key)?.[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }
}

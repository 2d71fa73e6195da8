interface Kept {
  readonly etag: string;
  readonly text: string;
  /** Headers of the response, such as the `Link` to the next page, which a 304 need not repeat. */
  readonly headers: Headers;
}

/** The newest responses with an `ETag`, up to a number of characters. */
export class EtagCache {
  readonly #kept = new Map<string, Kept>();
  readonly #maxCharacters: number;
  #characters = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  get(url: string): Kept | undefined {
    const kept = this.#kept.get(url);
    if (kept) {
      // The newest is last, so that the first is the one to drop.
      this.#kept.delete(url);
      this.#kept.set(url, kept);
    }
    return kept;
  }

  set(url: string, { headers, text }: Omit<Kept, 'etag'>): void {
    const etag = headers.get('ETag');
    this.#drop(url);
    if (!etag || text.length > this.#maxCharacters) return;
    this.#kept.set(url, { etag, text, headers });
    this.#characters += text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= this.#maxCharacters) break;
      this.#drop(oldest);
    }
  }

  #drop(url: string): void {
    this.#characters -= this.#kept.get(url)?.text.length ?? 0;
    this.#kept.delete(url);
  }
}

/** The headers of an unchanged response: those that are kept, with the newer ones (RFC 9111, section 3.2). */
export function renewed(kept: Headers, newer: Headers): Headers {
  const headers = new Headers(kept);
  for (const [name, value] of newer) headers.set(name, value);
  return headers;
}

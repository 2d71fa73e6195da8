/** More keys are not cached: each of their requests needs a look-up. */
const MAX_CACHED_KEYS = 10_000;
const MAX_CACHED_UNKNOWN_KEYS = 10_000;
/** How long a new key may stay unknown: as long as any other change of a key takes to reach every instance. */
const UNKNOWN_KEY_TTL_MS = 5_000;

interface Cached<Owner> {
  readonly owner: Owner;
  /** The generation of the access data of the look-up. */
  readonly generation: number;
}

/**
 * The owners of keys or sessions by their secrets, in bounded memory. Unknown keys have their own space, so guesses evict no valid key.
 */
export class KeyCache<Owner> {
  readonly #known = new Map<string, Cached<Owner>>();
  /** The time until which each key counts as unknown, by `performance.now()`. */
  readonly #unknown = new Map<string, number>();
  #accessVersion = -1;
  /** Counts the changes of the version. A version that returns is a new generation. */
  #generation = 0;

  /** Returns the current generation. A key of an earlier generation must be looked up again. */
  follow(accessVersion: number): number {
    if (accessVersion !== this.#accessVersion) {
      this.#accessVersion = accessVersion;
      this.#generation += 1;
      this.#unknown.clear();
    }
    return this.#generation;
  }

  /** The last look-up of the key, of any generation. */
  get(key: string): Cached<Owner> | undefined {
    return this.#known.get(key);
  }

  /** A new key is random and is shown after its commit, so no request has it before it exists. */
  isUnknown(key: string): boolean {
    const untilMs = this.#unknown.get(key);
    return untilMs !== undefined && performance.now() < untilMs;
  }

  /** @param generation The generation before the look-up, whose result may lack later changes. */
  note(key: string, owner: Owner | undefined, generation: number): void {
    // A copy: a slice of a header would keep the whole header in memory.
    const text = Buffer.from(key).toString();
    this.#known.delete(text);
    if (owner) this.#addKnown(text, { owner, generation });
    else if (generation === this.#generation) this.#addUnknown(text);
  }

  /** The next request with the key looks it up. */
  forget(key: string): void {
    this.#known.delete(key);
  }

  #addKnown(key: string, cached: Cached<Owner>): void {
    if (this.#known.size >= MAX_CACHED_KEYS) {
      const [oldest] = this.#known;
      // If all cached keys are in use, some stay. Replacing each with the next would look up all of them.
      if (!oldest || oldest[1].generation === cached.generation) return;
      this.#known.delete(oldest[0]);
    }
    this.#known.set(key, cached);
  }

  #addUnknown(key: string): void {
    this.#unknown.delete(key);
    if (this.#unknown.size >= MAX_CACHED_UNKNOWN_KEYS) {
      const [oldest] = this.#unknown.keys();
      this.#unknown.delete(oldest as string);
    }
    this.#unknown.set(key, performance.now() + UNKNOWN_KEY_TTL_MS);
  }
}

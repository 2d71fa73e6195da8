import type { Principal } from '../../domain/api-key.ts';

/** More keys than this are not remembered between requests; the rest is looked up each time. */
const MAX_CACHED_KEYS = 10_000;
const MAX_CACHED_UNKNOWN_KEYS = 10_000;
/** As long as any other change to a key may take until every instance follows it. */
const UNKNOWN_KEY_TTL_MS = 5_000;

export interface CachedKey {
  readonly principal: Principal;
  /** The generation of the access data in which the key was looked up. */
  readonly generation: number;
}

/**
 * Keys by their text, however the headers spell the rest, in bounded memory. Unknown keys have room of their own, so
 * guesses push no valid key out.
 */
export class KeyCache {
  readonly #known = new Map<string, CachedKey>();
  /** Until when each key counts as unknown, by `performance.now()`. */
  readonly #unknown = new Map<string, number>();
  #accessVersion = -1;
  /** Counts how often the version was seen to change. A version that comes back is a new generation. */
  #generation = 0;

  /** Returns the present generation. What was looked up in an earlier one must be looked up again. */
  follow(accessVersion: number): number {
    if (accessVersion !== this.#accessVersion) {
      this.#accessVersion = accessVersion;
      this.#generation += 1;
      this.#unknown.clear();
    }
    return this.#generation;
  }

  /** The key as it was last looked up, in whichever generation that was. */
  get(key: string): CachedKey | undefined {
    return this.#known.get(key);
  }

  /** A new key is drawn at random and shown after its commit, so it was never looked up before it exists. */
  isUnknown(key: string): boolean {
    const untilMs = this.#unknown.get(key);
    return untilMs !== undefined && performance.now() < untilMs;
  }

  /** @param generation The one before the look-up: what has changed since may be missing in its result. */
  note(key: string, principal: Principal | undefined, generation: number): void {
    // A copy: a slice of a header would keep the whole header in memory.
    const text = Buffer.from(key).toString();
    this.#known.delete(text);
    if (principal) this.#addKnown(text, { principal, generation });
    else if (generation === this.#generation) this.#addUnknown(text);
  }

  #addKnown(key: string, cached: CachedKey): void {
    if (this.#known.size >= MAX_CACHED_KEYS) {
      const [oldest] = this.#known;
      // Of keys that are all in use, some stay: to replace each with the next would look all of them up.
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

import type { BrowserStorage } from '../storage/browser-storage.ts';
import { type Count, isSettled, parseCount } from './count.ts';
import { Listeners } from '../listeners.ts';

/** Each count has its own entry, so that tabs do not overwrite each other. */
const PREFIX = 'count:';
/** About 400 kB, a tenth of what a browser keeps. */
export const MAX_COUNTS = 1_000;

/** Thrown when a count cannot be kept, so it was not accepted. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/** The counts of this browser, the newest first. They outlive a reload, and all tabs see them. */
export class CountQueue {
  readonly #storage: BrowserStorage;
  readonly #listeners = new Listeners();
  readonly subscribe = this.#listeners.subscribe;
  #counts: readonly Count[] | undefined;
  /** Unchanged counts stay the same objects, so that only changed rows are drawn again. */
  readonly #parsed = new Map<string, { readonly text: string; readonly count: Count | undefined }>();
  /** Changes for which the browser had no room. After a reload the idempotency keys lead to them again. */
  readonly #unkept = new Map<string, Count>();

  constructor(storage: BrowserStorage) {
    this.#storage = storage;
  }

  get counts(): readonly Count[] {
    this.#counts ??= this.#readAll();
    return this.#counts;
  }

  /** Keeps a new count, as the newest one. @throws QueueFullError */
  add(given: Count): void {
    this.refresh();
    const count = { ...given, id: this.#after(given.id) };
    if (this.counts.length >= MAX_COUNTS) {
      const oldest = this.counts.findLast(isSettled);
      if (!oldest) throw new QueueFullError(`${MAX_COUNTS} counts wait.`);
      this.remove(oldest.id);
    }
    this.#write(count);
  }

  /** A count as it is now, also after another tab changed it. */
  find(id: string): Count | undefined {
    return this.#read(id);
  }

  /** Changes a count that is still there. */
  update(id: string, changes: Partial<Count>): Count | undefined {
    const count = this.#read(id);
    if (!count) return undefined;
    const changed = { ...count, ...changes };
    try {
      this.#write(changed);
    } catch {
      this.#unkept.set(id, changed);
      this.refresh();
    }
    return changed;
  }

  remove(id: string): void {
    this.#storage.removeItem(PREFIX + id);
    this.#parsed.delete(id);
    this.#unkept.delete(id);
    this.refresh();
  }

  /** Removes the counts for which nothing is left to do, except those of one person. */
  endSettled(exceptKeyId?: string): void {
    for (const count of this.counts)
      if (isSettled(count) && count.keyId !== exceptKeyId) this.remove(count.id);
  }

  /** Gives the counts of a key to its person. */
  move(keyId: string, personId: string): void {
    if (keyId === personId) return;
    for (const count of this.counts) if (count.keyId === keyId) this.update(count.id, { keyId: personId });
  }

  /** The oldest count of a person that waits. */
  next(keyId: string): Count | undefined {
    this.refresh();
    return this.counts.findLast((count) => count.state === 'waiting' && count.keyId === keyId);
  }

  /** Reads all counts again, such as after another tab changed one. */
  refresh(): void {
    this.#counts = undefined;
    for (const listener of this.#listeners) listener();
  }

  /** The clock by which ids sort may have been set back since the newest count. */
  #after(id: string): string {
    const newest = this.counts[0]?.id ?? '';
    const atMs = Date.parse(newest.split(' ', 1)[0] ?? '');
    if (newest < id || Number.isNaN(atMs)) return id;
    return [new Date(atMs + 1).toISOString(), ...id.split(' ').slice(1)].join(' ');
  }

  #write(count: Count): void {
    try {
      this.#storage.setItem(PREFIX + count.id, JSON.stringify(count));
    } catch {
      throw new QueueFullError('The browser has no room for another count.');
    }
    this.#unkept.delete(count.id);
    this.refresh();
  }

  #read(id: string): Count | undefined {
    const text = this.#storage.getItem(PREFIX + id);
    if (text === null) {
      this.#parsed.delete(id);
      return undefined;
    }
    const unkept = this.#unkept.get(id);
    if (unkept) return unkept;
    const known = this.#parsed.get(id);
    if (known?.text === text) return known.count;
    const count = parseCount(text);
    this.#parsed.set(id, { text, count });
    return count;
  }

  #readAll(): Count[] {
    const counts: Count[] = [];
    for (let i = 0; i < this.#storage.length; i += 1) {
      const key = this.#storage.key(i);
      if (!key?.startsWith(PREFIX)) continue;
      const count = this.#read(key.slice(PREFIX.length));
      if (count) counts.push(count);
    }
    return counts.sort((a, b) => (a.id < b.id ? 1 : -1));
  }
}

export const isCountKey = (key: string | null): boolean => key === null || key.startsWith(PREFIX);

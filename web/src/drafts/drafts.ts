import { DAY_MS } from '@petstore-inventory/shared/durations';
import { isRecord } from '@petstore-inventory/shared/is-record';
import { type BrowserStorage, browserStorage } from '../storage/browser-storage.ts';
import { Listeners } from '../listeners.ts';

/** Each draft has its own entry: `draft:`, the person, and the place of its form. */
const PREFIX = 'draft:';
/** An order of the most lines has a fifth of it. */
const MAX_CHARACTERS = 100_000;
const MAX_DRAFTS = 50;
const MAX_AGE_MS = 7 * DAY_MS;

/** What a person has typed in a form and not sent. */
interface Draft {
  readonly keptAtMs: number;
  /** As the form wrote them. Its own reader checks them: the browser can have values of another build. */
  readonly values: unknown;
}

export const draftKey = (personId: string, place: string): string => `${PREFIX}${personId}:${place}`;

/** The drafts of this browser. They outlive a reload, and all tabs see them. */
export class Drafts {
  readonly #storage: BrowserStorage;
  readonly #nowMs: () => number;
  readonly #listeners = new Listeners();
  readonly subscribe = this.#listeners.subscribe;

  constructor(storage: BrowserStorage, nowMs: () => number = Date.now) {
    this.#storage = storage;
    this.#nowMs = nowMs;
  }

  find(key: string): Draft | undefined {
    const draft = parseDraft(this.#storage.getItem(key));
    return draft && draft.keptAtMs > this.#nowMs() - MAX_AGE_MS ? draft : undefined;
  }

  /** @returns Whether the browser has room for it. */
  keep(key: string, values: unknown): boolean {
    const text = JSON.stringify({ keptAtMs: this.#nowMs(), values });
    if (text.length > MAX_CHARACTERS) return false;
    // Not with each key stroke: it reads all drafts.
    if (this.#storage.getItem(key) === null) this.#tidy();
    try {
      this.#storage.setItem(key, text);
    } catch {
      return false;
    } finally {
      this.refresh();
    }
    return true;
  }

  /** The form is sent, or the person discards it. */
  end(key: string): void {
    this.#storage.removeItem(key);
    this.refresh();
  }

  /** Whether somebody has typed something here and not sent it. */
  hasAny(): boolean {
    return this.#keys().some((key) => this.find(key) !== undefined);
  }

  /** Ends the drafts of all people, except those of one. */
  endAll(exceptPersonId?: string): void {
    const own = exceptPersonId === undefined ? undefined : draftKey(exceptPersonId, '');
    for (const key of this.#keys())
      if (own === undefined || !key.startsWith(own)) this.#storage.removeItem(key);
    this.refresh();
  }

  /** Gives the drafts of a key to its person. Of two drafts of a form the newer one stays. */
  move(keyId: string, personId: string): void {
    if (keyId === personId) return;
    const from = draftKey(keyId, '');
    for (const key of this.#keys().filter((each) => each.startsWith(from))) {
      const target = draftKey(personId, key.slice(from.length));
      const text = this.#storage.getItem(key) ?? '';
      // Removed first: a full storage has room for only one of them.
      this.#storage.removeItem(key);
      if ((parseDraft(text)?.keptAtMs ?? 0) > (this.find(target)?.keptAtMs ?? 0))
        this.#storage.setItem(target, text);
    }
  }

  /** Calls the listeners, such as after another tab changed a draft. */
  refresh(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Makes room for a new draft: removes what is no draft, what is old, and the oldest of too many. */
  #tidy(): void {
    const found = this.#keys().map((key) => ({ key, keptAtMs: this.find(key)?.keptAtMs ?? 0 }));
    const newest = found.toSorted((a, b) => b.keptAtMs - a.keptAtMs);
    for (const [place, { key, keptAtMs }] of newest.entries())
      if (keptAtMs === 0 || place >= MAX_DRAFTS - 1) this.#storage.removeItem(key);
  }

  #keys(): readonly string[] {
    const keys = Array.from({ length: this.#storage.length }, (_, index) => this.#storage.key(index));
    return keys.filter((key) => key?.startsWith(PREFIX) === true) as string[];
  }
}

export const drafts = new Drafts(browserStorage);

/** Reads a stored draft; `undefined` if it is none. A text that no form has written is not even parsed. */
function parseDraft(text: string | null): Draft | undefined {
  if (text === null || text.length > MAX_CHARACTERS) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && Number.isSafeInteger(value.keptAtMs) && 'values' in value
      ? (value as unknown as Draft)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The texts of a form; `undefined` if one of them is missing. */
export function readTexts<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Readonly<Record<Name, string>> | undefined {
  if (!isRecord(value)) return undefined;
  const texts = names.map((name) => [name, value[name]] as const);
  if (!texts.every(([, text]) => typeof text === 'string')) return undefined;
  return Object.fromEntries(texts) as Record<Name, string>;
}

/** A value that is one of these. */
export const readOneOf = <T>(value: unknown, values: readonly T[]): T | undefined =>
  values.find((known) => known === value);

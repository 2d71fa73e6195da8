export type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Keeps texts until the page is closed. */
class PageStorage implements BrowserStorage {
  readonly #texts = new Map<string, string>();
  get length() {
    return this.#texts.size;
  }
  key(index: number) {
    return [...this.#texts.keys()][index] ?? null;
  }
  getItem(key: string) {
    return this.#texts.get(key) ?? null;
  }
  setItem(key: string, text: string) {
    this.#texts.set(key, text);
  }
  removeItem(key: string) {
    this.#texts.delete(key);
  }
}

/** `localStorage`, or a replacement where the browser keeps nothing, such as with cookies blocked. */
export const browserStorage: BrowserStorage = localStorageOf(globalThis) ?? new PageStorage();

function localStorageOf(window: { readonly localStorage?: Storage }): Storage | undefined {
  try {
    return window.localStorage ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a choice of the person. A full storage only forgets it with the page. */
export function keepChoice(key: string, text: string): void {
  try {
    browserStorage.setItem(key, text);
  } catch {
    // The choice holds for this page already.
  }
}

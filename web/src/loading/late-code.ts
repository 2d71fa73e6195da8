/** Code that was not loaded: the connection is lost, or the service has another build of the dashboard now. */
export class LateCodeError extends Error {
  override readonly name = 'LateCodeError';
  readonly code = 'not_loaded';
}

const all = new Set<LateCode<unknown>>();

/** Code that is loaded after the page shows, such as a page or a chart. A failure is not final, as it is with `React.lazy`. */
export class LateCode<Module> {
  readonly #import: () => Promise<Module>;
  #attempt: Promise<Module> | undefined;
  #hasFailed = false;
  /** Whether it is loaded with all code, so that it works without a connection. */
  readonly isForAll: boolean;

  constructor(load: () => Promise<Module>, { isForAll = true } = {}) {
    this.#import = load;
    this.isForAll = isForAll;
    all.add(this);
  }

  /** Returns one promise until `load` begins another attempt, so that React can wait for it. Rejects with `LateCodeError`. */
  read(): Promise<Module> {
    this.#attempt ??= this.#start();
    return this.#attempt;
  }

  /** Loads the code, again if the last attempt failed. It rejects with `LateCodeError`. */
  load(): Promise<Module> {
    if (this.#hasFailed) this.#attempt = undefined;
    return this.read();
  }

  /** Loads the code before it is needed. A failure shows when it is needed. */
  preload(): void {
    this.load().catch(() => {});
  }

  async #start(): Promise<Module> {
    this.#hasFailed = false;
    try {
      return await this.#import();
    } catch (cause) {
      this.#hasFailed = true;
      throw new LateCodeError('A part of the page was not loaded.', { cause });
    }
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }
}

/** Loads again what failed. @returns Whether all of it is loaded now. */
export async function reloadFailedCode(): Promise<boolean> {
  const failed = [...all].filter(({ hasFailed }) => hasFailed);
  const results = await Promise.allSettled(failed.map((code) => code.load()));
  return results.every(({ status }) => status === 'fulfilled');
}

/**
 * Loads all code but rare parts, one part after the other, so that pages open without a connection later.
 * @param pause Resolves when the browser has time for the next part, with whether there is still a connection.
 */
export async function loadAllCode(pause: () => Promise<boolean>): Promise<void> {
  // A page adds its charts to the set, and the loop reaches them too.
  for (const code of all) {
    if (!code.isForAll) continue;
    if (!(await pause())) return;
    await code.load().catch(() => {});
  }
}

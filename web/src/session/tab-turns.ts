import { type BrowserStorage, browserStorage } from '../storage/browser-storage.ts';

const TURN = 'petstore.session';
const PLACE = 'petstore.session-turn';
/** Tabs that take a free place together see within this time which of them has it. */
const SETTLE_MS = 50;
/** Between two looks whether the place is free. */
const LOOK_MS = 100;

interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Does what begins or ends the session of this browser, in one tab at a time: the response of a sign-out ends the cookie, also
 * one that another tab got meanwhile.
 * @param limitMs How long the others wait for a tab that does not end its work, such as one that was closed.
 */
export function inTurn<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks as Locks | undefined;
  return locks ? locks.request(TURN, work) : inStoredTurn(browserStorage, limitMs, work);
}

/** For a page without TLS from another machine, where browsers have no locks. A storage that takes nothing holds nothing up. */
export async function inStoredTurn<T>(
  storage: BrowserStorage,
  limitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const place = await takePlace(storage, limitMs);
  try {
    return await work();
  } finally {
    if (place !== undefined && storage.getItem(PLACE) === place) storage.removeItem(PLACE);
  }
}

async function takePlace(storage: BrowserStorage, limitMs: number): Promise<string | undefined> {
  let seen: string | null = null;
  let seenAtMs = 0;
  for (;;) {
    const found = storage.getItem(PLACE);
    if (found !== seen) [seen, seenAtMs] = [found, performance.now()];
    // Measured here: the clock of the machine may change meanwhile.
    if (found !== null && performance.now() - seenAtMs < limitOf(found)) {
      await pause(LOOK_MS);
      continue;
    }
    const own = `${limitMs} ${crypto.getRandomValues(new Uint32Array(1))[0]}`;
    try {
      storage.setItem(PLACE, own);
    } catch {
      return undefined;
    }
    await pause(SETTLE_MS);
    if (storage.getItem(PLACE) === own) return own;
  }
}

const limitOf = (place: string): number => Number.parseInt(place, 10) || 0;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

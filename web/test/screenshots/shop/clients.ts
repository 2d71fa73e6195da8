import type { MadeKey } from '../../../../server/src/domain/actions/keys.ts';
import type { Store } from '../../../../server/src/domain/store.ts';
import { openStore } from '../../../../server/src/store/open.ts';
import { DEFAULT_RULES } from '../../../../server/src/store/open-admin.ts';
import type { SeededRandom } from '../../../../server/test/support/limit-clients.ts';
import type { ClockedShop } from './clocked-admin.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './diary.ts';
import type { People } from './people.ts';

/** Counts the requests of programs over the last days, and bans the one that never waits. */
export async function countRequests(
  { clock, admin, url }: ClockedShop,
  people: People,
  { nowMs, midnightMs, random }: { nowMs: number; midnightMs: number; random: SeededRandom },
): Promise<void> {
  const store = await openStore({
    database: url,
    environment: admin.environment,
    rules: DEFAULT_RULES,
    onCommit: () => undefined,
    onListRebuild: () => undefined,
    onError: (message, cause) => console.error(message, cause),
    clock: () => clock.nowMs,
  });
  try {
    for (let atMs = midnightMs - 27 * DAY_MS; atMs < nowMs - MINUTE_MS; atMs += 5 * MINUTE_MS) {
      clock.nowMs = atMs;
      const hour = ((atMs - midnightMs) / HOUR_MS + 27 * 24) % 24;
      const visitors = 0.15 + Math.max(0, Math.sin(((hour - 7) / 14) * Math.PI));
      const isOpen = hour >= 9 && hour < 18;
      await send(store, people.website, Math.round(visitors * random.integer(8, 22)), atMs);
      if (isOpen) await send(store, people.till1, random.integer(1, 7), atMs);
      if (isOpen) await send(store, people.till2, random.integer(0, 4), atMs);
      await send(store, people.scraper, random.integer(0, 2), atMs);
    }
    await banScraper(store, people.scraper, clock, nowMs);
  } finally {
    await store.close();
  }
}

async function send(store: Store, { principal }: MadeKey, times: number, nowMs: number): Promise<void> {
  for (let sent = 0; sent < times; sent += 1) await store.admit(principal, nowMs);
  if (times > 0) store.noteKeyUse(principal.key.id, nowMs);
}

/** Repeats refused requests until the key is banned. */
async function banScraper(
  store: Store,
  { principal }: MadeKey,
  clock: ClockedShop['clock'],
  nowMs: number,
): Promise<void> {
  clock.nowMs = nowMs - MINUTE_MS;
  for (let sent = 0; sent < 1_000; sent += 1) {
    const { refusal } = await store.admit(principal, clock.nowMs);
    if (refusal?.code === 'api_key_banned') return;
    // Strikes begin after the grace of a first refusal.
    if (refusal) clock.nowMs += 100;
  }
  throw new Error('The key was not banned.');
}

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Limits } from '../../server/src/domain/access/plans.ts';
import { startApp, type TestApp } from '../../server/test/support/harness.ts';
import { SeededRandom } from '../../server/test/support/limit-clients.ts';
import { petRow } from '../../server/test/support/pet-rows.ts';
import { clientOf, fetchOf } from './support/client-of.ts';
import { VirtualClock } from './support/virtual-clock.ts';

export interface SharedLimit {
  readonly limits: Limits;
  readonly clients: number;
  readonly callsOfEach: number;
  /** The longest pause of a client between two calls. */
  readonly thinkMs: number;
  /** Whether each client has a key of its own. */
  readonly hasOwnKeys: boolean;
  readonly seed: number;
}

export interface SharedResult {
  readonly admitted: number;
  readonly refused: number;
  readonly bans: number;
  readonly elapsedMs: number;
  /** How long the calls take at least, by the limits alone. */
  readonly bestMs: number;
}

/**
 * Clients of other processes, which know nothing of each other, use up one account. Latencies are 5 to 200 ms, and every
 * process has a clock of its own.
 */
export async function shareLimit(t: TestContext, given: SharedLimit): Promise<SharedResult> {
  const { limits, clients, callsOfEach, thinkMs, hasOwnKeys, seed } = given;
  const app = await startApp(t, { pets: [petRow(7n, 0)], limits, nowMs: Date.UTC(2026, 6, 1, 12, 0, 30) });
  const time = new VirtualClock(app.clock, seed);
  const random = new SeededRandom(seed + 1);
  const startMs = time.nowMs;
  const counts = { admitted: 0, refused: 0, bans: 0 };
  const run = async () => {
    const { key } = hasOwnKeys ? await app.makeKey() : app;
    const fetch = delayedFetch(app, time, random, counts);
    const clock = time.clock(random.integer(0, 1_000_000));
    const client = clientOf({ ...app, key }, { fetch, clock, maxWaitMs: Number.POSITIVE_INFINITY });
    for (let i = 0; i < callsOfEach; i += 1) {
      await time.wait(random.next() * thinkMs);
      await client.adjustInventory(7, { delta: 1, reason: 'received' });
    }
  };
  await time.run(Promise.all(Array.from({ length: clients }, run)));
  const other = await app.makeKey({ accountId: await app.makeAccount() });
  const { json } = await app.request('GET', '/v1/inventory/7', { key: other.key });
  const { quantity } = json as { quantity: number };
  assert.equal(quantity, clients * callsOfEach, 'every call is one change');
  return {
    ...counts,
    elapsedMs: time.nowMs - startMs,
    bestMs: bestTime(clients * callsOfEach, limits, startMs) - startMs,
  };
}

function delayedFetch(
  app: TestApp,
  time: VirtualClock,
  random: SeededRandom,
  counts: { admitted: number; refused: number; bans: number },
): typeof globalThis.fetch {
  const service = fetchOf(app);
  return async (input, init) => {
    await time.wait(random.integer(2, 100));
    const response = await time.still(() => service(input, init));
    if (response.status === 429) counts.refused += 1;
    else if (!String(input).endsWith('/rate-limit')) counts.admitted += 1;
    if (response.status === 429 && (await response.clone().text()).includes('api_key_banned'))
      counts.bans += 1;
    await time.wait(random.integer(2, 100));
    return response;
  };
}

/** When the last of some requests can be admitted, if each window is used up as soon as it begins. */
function bestTime(count: number, { perMinute, perDay }: Limits, startMs: number): number {
  let left = count;
  let atMs = startMs;
  let leftOfDay = perDay;
  for (;;) {
    const admitted = Math.min(perMinute, leftOfDay);
    left -= admitted;
    leftOfDay -= admitted;
    if (left <= 0) return atMs;
    const nextMinute = (Math.floor(atMs / 60_000) + 1) * 60_000;
    const nextDay = (Math.floor(atMs / 86_400_000) + 1) * 86_400_000;
    atMs = leftOfDay > 0 && nextMinute < nextDay ? nextMinute : nextDay;
    if (atMs === nextDay) leftOfDay = perDay;
  }
}

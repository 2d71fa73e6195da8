import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { startApp } from '../../server/test/support/harness.ts';
import { SeededRandom } from '../../server/test/support/limit-clients.ts';
import { petRow } from '../../server/test/support/pet-rows.ts';
import type { PetstoreClient } from '../src/index.ts';
import { clientOf, fetchOf } from './support/client-of.ts';
import { faultyFetch } from './support/faulty-fetch.ts';
import { VirtualClock } from './support/virtual-clock.ts';

const LARGE = 9007199254740993n;
const START = 1_000_000;

/** Returns the sum of its changes. */
async function changeOften(client: PetstoreClient, random: SeededRandom): Promise<number> {
  let sum = 0;
  for (let i = 0; i < 40; i += 1) {
    const delta = random.integer(1, 9) * (random.chance(0.5) ? 1 : -1);
    const movement = await client.adjustInventory(LARGE, { delta, reason: 'other' });
    assert.equal(movement.delta, delta);
    sum += delta;
  }
  return sum;
}

/** Changes the stock by clients on a network with every fault, and counts it. */
export async function surviveFaults(t: TestContext, seed: number): Promise<void> {
  const app = await startApp(t, { pets: [petRow(LARGE, START)], plan: 'business' });
  const random = new SeededRandom(seed);
  const time = new VirtualClock(app.clock, seed);
  const faults = faultyFetch(fetchOf(app), time, random, { share: 0.4 });
  const clients = Array.from({ length: 4 }, () =>
    clientOf(app, {
      fetch: faults.fetch,
      clock: time.clock(),
      maxWaitMs: 3_600_000,
      maxRetries: 30,
      timeoutMs: 10_000,
    }),
  );
  const sums = await time.run(Promise.all(clients.map((client) => changeOften(client, random))));
  const { json } = await app.request('GET', `/v1/inventory/${LARGE}`);
  assert.equal(
    (json as { quantity: number }).quantity,
    START + sums.reduce((sum, change) => sum + change, 0),
  );
  assert.ok(faults.kinds.size >= 8, 'every kind of fault has happened');
  const limit = await app.request('GET', '/v1/rate-limit');
  assert.equal((limit.json as { ban: unknown }).ban, null);
}

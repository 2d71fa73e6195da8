import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PetstoreClient, PetstoreError } from '../../../client/src/index.ts';
import { startApp } from '../support/harness.ts';
import { SeededRandom } from '../support/limit-clients.ts';
import { petRow } from '../support/pet-rows.ts';
import { clientOf, fetchOf } from './support/client-of.ts';
import { faultyFetch } from './support/faulty-fetch.ts';
import { VirtualClock } from './support/virtual-clock.ts';

const LARGE = 9007199254740993n;
const START = 1_000_000;

/** The sum of the changes that succeeded, and of those that may or may not have. */
interface Tally {
  certain: number;
  uncertain: number;
  failures: number;
}

async function changeOften(client: PetstoreClient, random: SeededRandom, tally: Tally): Promise<void> {
  for (let i = 0; i < 40; i += 1) {
    const delta = random.integer(1, 9) * (random.chance(0.5) ? 1 : -1);
    try {
      const movement = await client.adjustInventory(LARGE, { delta, reason: 'other' });
      assert.equal(movement.delta, delta);
      tally.certain += delta;
    } catch (error) {
      const { mayHaveChanged, idempotencyKey } = error as PetstoreError;
      tally.failures += 1;
      assert.ok(idempotencyKey);
      // The key makes an uncertain change certain, now or later.
      if (mayHaveChanged) tally.uncertain += delta;
    }
  }
}

for (const seed of [1, 2, 3]) {
  test(`no change is lost or doubled on a network with every fault (${seed})`, async (t) => {
    const app = await startApp(t, { pets: [petRow(LARGE, START)], plan: 'business' });
    const random = new SeededRandom(seed);
    const time = new VirtualClock(app.clock, seed);
    const faults = faultyFetch(fetchOf(app), time, random, { share: 0.4 });
    const tally = { certain: 0, uncertain: 0, failures: 0 };
    const clients = Array.from({ length: 4 }, () =>
      clientOf(app, {
        fetch: faults.fetch,
        clock: time.clock(),
        maxWaitMs: 3_600_000,
        maxRetries: 30,
        timeoutMs: 10_000,
      }),
    );
    await time.run(Promise.all(clients.map((client) => changeOften(client, random, tally))));
    assert.equal(tally.failures, 0, 'enough retries overcome every fault');
    const { json } = await app.request('GET', `/v1/inventory/${LARGE}`);
    assert.equal((json as { quantity: number }).quantity, START + tally.certain);
    assert.ok(faults.kinds.size >= 8, 'every kind of fault has happened');
    const limit = await app.request('GET', '/v1/rate-limit');
    assert.equal((limit.json as { ban: unknown }).ban, null);
  });
}

test('without retries, a failed write says whether it may have changed something', async (t) => {
  const app = await startApp(t, { pets: [petRow(LARGE, START)] });
  const random = new SeededRandom(5);
  const time = new VirtualClock(app.clock, 5);
  const { fetch } = faultyFetch(fetchOf(app), time, random, { share: 0.5 });
  const client = clientOf(app, { fetch, clock: time.clock(), maxRetries: 0, timeoutMs: 1_000 });
  let quantity = START;
  let failures = 0;
  for (let i = 0; i < 60; i += 1) {
    const change = client.adjustInventory(LARGE, { delta: 1, reason: 'other' });
    const failure = await time.run(
      change.then(
        () => undefined,
        (error: PetstoreError) => error,
      ),
    );
    const { json } = await app.request('GET', `/v1/inventory/${LARGE}`);
    const present = (json as { quantity: number }).quantity;
    if (!failure) assert.equal(present, quantity + 1);
    else if (!failure.mayHaveChanged) assert.equal(present, quantity);
    else assert.ok(present - quantity <= 1);
    failures += failure ? 1 : 0;
    quantity = present;
  }
  assert.ok(failures > 10);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../server/test/support/harness.ts';
import { SeededRandom } from '../../server/test/support/limit-clients.ts';
import { petRow } from '../../server/test/support/pet-rows.ts';
import type { PetstoreError } from '../src/index.ts';
import { surviveFaults } from './faulty-network.ts';
import { clientOf, fetchOf } from './support/client-of.ts';
import { faultyFetch } from './support/faulty-fetch.ts';
import { VirtualClock } from './support/virtual-clock.ts';

const LARGE = 9007199254740993n;
const START = 1_000_000;

test('no change is lost or doubled on a network with every fault', (t) => surviveFaults(t, 1));

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

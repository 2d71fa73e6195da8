import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAdmin } from '../../src/store/open-admin.ts';
import { PostgresEngine } from '../postgres/support/postgres-engine.ts';
import { TEST_PEPPER } from '../support/command-line.ts';
import { useEngine } from '../support/test-database.ts';
import { makeConcurrently, newEndpointShop, progressOf } from './endpoint-shop.ts';

const LEASE_MS = 60_000;

useEngine(new PostgresEngine());

test('an account has at most its maximum of endpoints, also over two instances', async (t) => {
  const { store, database } = await newEndpointShop(t);
  const second = await openAdmin(database.url, { pepper: () => TEST_PEPPER });
  t.after(() => second.close());
  const results = await makeConcurrently([store, second], { count: 24, limit: 5 });
  assert.deepEqual(results.toSorted(), [...Array(19).fill('conflict'), ...Array(5).fill('made')]);
});

test('two senders that take over many endpoints concurrently share none', async (t) => {
  const { newEndpoint, newSender } = await newEndpointShop(t);
  for (let i = 0; i < 12; i += 1) await newEndpoint();
  const senders = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => ({ name, ...(await newSender()) })),
  );
  for (let round = 0; round < 5; round += 1) {
    const taken = await Promise.all(senders.map(({ name, sender }) => sender.lease(name, LEASE_MS)));
    const leases = taken.map(({ endpoints }) => endpoints);
    const ids = leases.flat().map(({ endpoint }) => endpoint.id);
    assert.equal(ids.length, 12);
    assert.equal(new Set(ids).size, 12);
    const reports = senders.map(({ sender }, i) =>
      sender.report((leases[i] ?? []).toReversed().map((lease) => progressOf(lease))),
    );
    assert.deepEqual((await Promise.all(reports)).flat(), []);
    await Promise.all(senders.map(({ name, sender }) => sender.release(name)));
  }
});

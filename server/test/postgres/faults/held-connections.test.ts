import assert from 'node:assert/strict';
import { test } from 'node:test';
import { petRows } from '../../support/pet-rows.ts';
import { type TestDatabase, useEngine } from '../../support/test-database.ts';
import { freePort } from '../support/free-port.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';
import { openStores, setQuantity } from '../support/shared-stores.ts';
import { until } from '../../support/until.ts';

useEngine(new PostgresEngine());

/** The number of sessions, without the operator's session of the test. */
async function sessions(database: TestDatabase): Promise<number> {
  const [[count] = []] = await database.rows(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'petstore-server'",
  );
  return Number(count) - 1;
}

test('an instance holds four connections, and a fifth one from the first request for its history', async (t) => {
  const { stores, database } = await openStores(t, 1, { pets: petRows(3) });
  const [store] = stores;
  assert.ok(store);
  assert.equal(await sessions(database), 4);
  await setQuantity(store, 1n, 77);
  assert.equal((await store.findItem(1n, Date.now()))?.quantity, 77);
  assert.equal(await sessions(database), 4);
  assert.equal((await store.ledger.head()).sequence, 4);
  assert.equal((await store.ledger.findMovement(4))?.quantityAfter, 77);
  assert.equal(await sessions(database), 5);
  await store.close();
  await until(async () => (await sessions(database)) === 0, 'the end of all connections');
});

test('a missing replica affects no request: changes and history still work', async (t) => {
  const readUrl = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
  const { stores } = await openStores(t, 1, { pets: petRows(3), readUrl });
  const [store] = stores;
  assert.ok(store);
  await setQuantity(store, 1n, 77);
  const { movements } = await store.ledger.listMovements({ filter: {}, order: 'desc', limit: 10 });
  assert.deepEqual(
    movements.map(({ sequence }) => sequence),
    [4, 3, 2, 1],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { DEFAULT_RULES } from '../../src/store/open-admin.ts';
import { ImportShop, STAFF } from '../imports/import-shop.ts';

/** Serves a database for a moment, as a service does that starts again. */
async function serveOnce({ store, database }: ImportShop): Promise<void> {
  const serving = await openStore({
    database: database.url,
    rules: DEFAULT_RULES,
    environment: store.environment,
    onCommit: () => undefined,
    onListRebuild: () => undefined,
    onError: (message) => assert.fail(message),
  });
  await serving.close();
}

test('a service that starts on a file continues imports of a killed one immediately, and deletes its uploads', async (t) => {
  const shop = await ImportShop.open(t);
  const { imports, importJobs } = shop.store;
  const { id } = await shop.planned('petId,quantity\n1,1\n');
  await imports.apply(id, STAFF);
  await imports.begin({ format: 'csv', mode: 'set', fileName: null, actor: STAFF.actor });
  assert.equal((await importJobs.claim())?.id, id);
  assert.equal(await importJobs.claim(), undefined, 'a runner has it');

  await serveOnce(shop);
  assert.equal((await importJobs.claim())?.id, id);
  while (await importJobs.purge());
  assert.deepEqual(
    (await imports.list({ limit: 10 })).map(({ state }) => state),
    ['applying'],
  );
});

test('a runner that lost its lease neither fails nor releases the import of the next one', async (t) => {
  const shop = await ImportShop.open(t);
  const { imports, importJobs } = shop.store;
  const { id } = await shop.planned('petId,quantity\n1,1\n');
  await imports.apply(id, STAFF);
  const lost = await importJobs.claim();
  await shop.database.run('UPDATE imports SET lease_until = 0');
  const held = await importJobs.claim();
  assert.ok(lost && held);
  await importJobs.fail(lost, 'interrupted');
  await importJobs.release(lost, 0);
  assert.equal((await shop.find(id)).state, 'applying');
  assert.equal(await importJobs.claim(), undefined, 'the next runner has it');
  await importJobs.apply(held);
  assert.equal((await shop.find(id)).state, 'applied');
});

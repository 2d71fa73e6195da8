import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { UNEXPLAINED } from '../../src/domain/ledger/ledger.ts';
import { SqlBulkJobs } from '../../src/store/admin/bulk-changes/bulk-jobs.ts';
import { BulkLease } from '../../src/store/admin/bulk-changes/bulk-lease.ts';
import { openAdminEngine } from '../../src/store/open-engine.ts';
import { petRow } from '../support/command-line.ts';
import { ALL, assertRefused, AUTHOR, bulkShop, counted, OTHER } from './bulk-shop.ts';

const PETS_PER_BATCH = 3;

/** A shop with eight pets, and a runner of its own with small batches. */
async function runnerShop(t: TestContext) {
  const shop = await bulkShop(t);
  const engine = await openAdminEngine(shop.database.url);
  t.after(() => engine.close());
  const jobs = new SqlBulkJobs(engine, PETS_PER_BATCH);
  return { ...shop, engine, jobs, leases: new BulkLease(engine) };
}

/** Stops after a batch, as a service that ends. */
function afterOne(): () => boolean {
  let left = 1;
  return () => (left -= 1) < 0;
}

test('a service that ends leaves its change after a batch, and the next one goes on immediately', async (t) => {
  const { bulkChanges, jobs, assertIntact } = await runnerShop(t);
  const { id } = await bulkChanges.create({ filter: ALL }, { status: 'sold' }, AUTHOR);
  const now = async () => counted(await bulkChanges.find(id));
  assert.equal(await jobs.runNext(afterOne()), true);
  assert.deepEqual(await now(), ['planning', { planned: 3 }]);
  assert.equal(await jobs.runNext(), true);
  assert.deepEqual(await now(), ['planned', { planned: 8 }]);
  await bulkChanges.apply(id, AUTHOR);
  assert.equal(await jobs.runNext(afterOne()), true);
  assert.deepEqual(await now(), ['applying', { planned: 5, changed: 3 }]);
  assert.equal(await jobs.runNext(), true);
  assert.deepEqual(await now(), ['applied', { changed: 8 }]);
  await bulkChanges.undo(id, AUTHOR);
  assert.equal(await jobs.runNext(afterOne()), true);
  assert.deepEqual(await now(), ['undoing', { changed: 5, undone: 3 }]);
  assert.equal(await jobs.runNext(), true);
  assert.deepEqual(await now(), ['undone', { undone: 8 }]);
  await assertIntact();
});

test('a batch that is written ends the count of attempts', async (t) => {
  const { plan, bulkChanges, jobs, database } = await runnerShop(t);
  const { id } = await plan({ filter: ALL }, { status: 'sold' });
  await bulkChanges.apply(id, AUTHOR);
  await database.run('UPDATE bulk_changes SET attempts = 9');
  await jobs.runNext(afterOne());
  await jobs.runNext();
  assert.equal((await bulkChanges.find(id)).state, 'applied');
});

test('each batch renews the lease, and the change that waits for the longest time is next', async (t) => {
  const { bulkChanges, database, engine, leases } = await runnerShop(t);
  const first = await bulkChanges.create({ filter: ALL }, { status: 'sold' }, AUTHOR);
  const second = await bulkChanges.create({ filter: ALL }, { status: 'sold' }, OTHER);
  await database.run(`UPDATE bulk_changes SET updated_at = updated_at - 1000 WHERE id = '${second.id}'`);
  const claimed = await leases.claim();
  assert.equal(claimed?.task.id, second.id);
  await database.run(`UPDATE bulk_changes SET lease_until = 1 WHERE id = '${second.id}'`);
  await engine.transaction(() => leases.renewWithin(claimed.task, null, async () => {}));
  assert.equal((await leases.claim())?.task.id, first.id);
  assert.equal(await leases.claim(), undefined, 'both have a runner');
});

test('a change whose database fails is tried again after 5 s, also where it cannot be released', async (t) => {
  const { bulkChanges, engine, jobs, database } = await runnerShop(t);
  const { id, createdAtMs } = await bulkChanges.create({ filter: ALL }, { status: 'sold' }, AUTHOR);
  const { transaction } = engine;
  const failAt = async (...failing: readonly number[]): Promise<number> => {
    let transactions = 0;
    // The first one takes the lease, the second one stores a batch, and the third one releases it.
    t.mock.method(engine, 'transaction', (command: () => Promise<unknown>) => {
      transactions += 1;
      if (!failing.includes(transactions)) return transaction.call(engine, command);
      throw new Error(`failure ${transactions}`);
    });
    t.mock.method(engine, 'now', async () => createdAtMs);
    await assert.rejects(jobs.runNext(), /^Error: failure 2$/);
    t.mock.restoreAll();
    const [[untilMs] = []] = await database.rows('SELECT lease_until FROM bulk_changes');
    await database.run('UPDATE bulk_changes SET lease_until = 0');
    return Number(untilMs) - createdAtMs;
  };
  assert.equal(await failAt(2), 5_000);
  assert.equal(await failAt(2, 3), 15_000, 'its lease must end first');
  assert.equal((await bulkChanges.find(id)).state, 'planning');
});

test('a change that still runs is not deleted, however old it is', async (t) => {
  const { bulkChanges, jobs, database } = await runnerShop(t);
  const { id } = await bulkChanges.create({ filter: ALL }, { status: 'sold' }, AUTHOR);
  await database.run('UPDATE bulk_changes SET updated_at = 1');
  assert.equal(await jobs.purge(), false);
  await jobs.runNext();
  assert.equal((await bulkChanges.find(id)).state, 'planned');
});

test('two changes of the same pets keep their own results', async (t) => {
  const { plan, after, bulkChanges, rowsOf } = await runnerShop(t);
  const others = await plan({ petIds: [1n, 2n] }, { category: 'Past' }, OTHER);
  await after('apply', await plan({ petIds: [1n, 2n] }, { status: 'sold' }));
  assert.deepEqual(await rowsOf(others), [
    [1, 'planned'],
    [2, 'planned'],
  ]);
  await assertRefused(bulkChanges.undo(others.id, OTHER), 'conflict', /it is planned/);
});

test('the movements of a change and of its undo have their own author and request', async (t) => {
  const { plan, after, database } = await runnerShop(t);
  const planned = await plan({ petIds: [1n] }, { status: 'sold' }, OTHER);
  const applied = await after('apply', planned, { actor: 'key_cai', requestId: 'req-apply' });
  await after('undo', applied, AUTHOR);
  const sql = `SELECT actor, request_id FROM movements WHERE reference_id = '${planned.id}' ORDER BY sequence`;
  assert.deepEqual(await database.rows(sql), [
    ['key_cai', 'req-apply'],
    [AUTHOR.actor, AUTHOR.requestId],
  ]);
});

test('a change that has ended cannot be stopped', async (t) => {
  const { plan, after, bulkChanges } = await runnerShop(t);
  const applied = await after('apply', await plan({ petIds: [1n] }, { status: 'sold' }));
  await assertRefused(
    bulkChanges.cancel(applied.id, AUTHOR),
    'conflict',
    /cannot be cancelled: it is applied/,
  );
  assert.equal((await bulkChanges.find(applied.id)).state, 'applied');
});

test('a pet without units of which some are reserved is not archived with others', async (t) => {
  const { plan, rowsOf, database } = await runnerShop(t);
  await database.run('UPDATE inventory SET reserved = 1 WHERE pet_id = 1');
  assert.deepEqual(await rowsOf(await plan({ petIds: [1n, 5n] }, { archived: true })), [
    [1, 'has_stock'],
    [5, 'planned'],
  ]);
});

test('pets with another upper threshold get the new one', async (t) => {
  const { plan, after, pets } = await runnerShop(t);
  await pets.update(1n, { lowStockAt: 3, restockAt: 5 }, AUTHOR);
  const planned = await plan({ petIds: [1n] }, { thresholds: { lowStockAt: 3, restockAt: 8 } });
  assert.deepEqual(counted(await after('apply', planned)), ['applied', { changed: 1 }]);
  assert.equal((await pets.find(1n)).restockAt, 8);
});

test('a pet whose last movement was reverted after the plan gets its supplier all the same', async (t) => {
  const { plan, after, store } = await runnerShop(t);
  const change = { kind: 'set', petId: 1n, quantity: 9 } as const;
  await store.write({ kind: 'change', change }, OTHER);
  const planned = await plan({ petIds: [1n] }, { supplier: 'Zoo' });
  await store.write({ kind: 'revert', sequence: 9, explanation: UNEXPLAINED }, OTHER);
  assert.deepEqual(counted(await after('apply', planned)), ['applied', { changed: 1 }]);
});

test('an undo leaves a barcode that replaced the one of the shop', async (t) => {
  const { plan, after, pets } = await runnerShop(t);
  const applied = await after('apply', await plan({ petIds: [1n, 2n] }, { inStorePrefix: '20' }));
  await pets.update(1n, { barcodes: ['later'] }, OTHER);
  assert.deepEqual(counted(await after('undo', applied)), ['undone', { undone: 1, kept: 1 }]);
  assert.deepEqual((await pets.find(1n)).barcodes, ['later']);
});

test('an undo leaves another pet with the petId of a deleted one also after a prune of the deletion', async (t) => {
  const { plan, after, pets, store, rowsOf } = await runnerShop(t);
  const { reorders } = store;
  for (const petId of [1n, 2n, 3n]) await reorders.update(petId, { supplier: 'Zoo' }, OTHER);
  // A deletion before the change is none of its pets.
  await pets.delete(2n, OTHER);
  await store.importPets([petRow(2, { quantity: 3 })], 'cli');
  await reorders.update(2n, { supplier: 'Reef' }, OTHER);
  const applied = await after('apply', await plan({ petIds: [1n, 2n, 3n] }, { supplier: null }));
  await pets.delete(3n, OTHER);
  await store.importPets([petRow(3, { name: 'Another' })], 'cli');
  await store.importPets([petRow(4, { quantity: 50 })], 'cli');
  const { prune } = await store.pruneMovements((await store.now()) + 1, OTHER);
  assert.ok(prune && prune.deleted > 0);
  assert.deepEqual(await rowsOf(await after('undo', applied)), [
    [1, 'undone'],
    [2, 'undone'],
    [3, 'kept'],
  ]);
  const suppliers = (await reorders.rows([1n, 2n, 3n])).map(({ supplier }) => supplier);
  assert.deepEqual(suppliers, ['Zoo', 'Reef', null]);
});

test('a pet that was deleted before its change was planned is another pet in the plan', async (t) => {
  const { bulkChanges, run, after, pets, store, rowsOf } = await runnerShop(t);
  const { id } = await bulkChanges.create({ petIds: [3n] }, { supplier: 'Zoo' }, OTHER);
  await pets.delete(3n, OTHER);
  await store.importPets([petRow(3, { name: 'Another' })], 'cli');
  await run();
  assert.deepEqual(await rowsOf(await after('apply', await bulkChanges.find(id))), [[3, 'changed']]);
});

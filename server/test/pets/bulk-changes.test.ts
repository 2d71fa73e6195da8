import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BULK_KEPT_MS,
  type BulkValues,
  MAX_RUNNING_BULK_CHANGES,
  type PetSelection,
} from '../../src/domain/management/bulk-changes.ts';
import { MAX_SUPPLIER } from '@petstore-inventory/shared/limits';
import { SqlBulkChangeStore } from '../../src/store/admin/bulk-changes/bulk-change-store.ts';
import { SqlBulkJobs } from '../../src/store/admin/bulk-changes/bulk-jobs.ts';
import { BulkLease } from '../../src/store/admin/bulk-changes/bulk-lease.ts';
import { openAdminEngine } from '../../src/store/open-engine.ts';
import type { SqlValue } from '../../src/store/sql-client.ts';
import { UNEXPLAINED } from '../../src/domain/ledger/ledger.ts';
import { petRow } from '../support/command-line.ts';
import { testOnceIn } from '../support/test-database.ts';
import { ALL, assertRefused, AUTHOR, bulkShop, counted, OTHER } from './bulk-shop.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const once = testOnceIn();
/** A longer one can only have been taken by a clock that was ahead. */
const LONG_LEASE_MS = 29_000;
const HOUR_MS = 3_600_000;

test('the pets of a filter get new values, as one action, and their earlier ones back', async (t) => {
  const { store, database, plan, after, allPets, bulkChanges, assertIntact } = await bulkShop(t);
  const before = await allPets();
  const filter = { ...ALL, category: 'Dogs' };
  const values = {
    category: 'Hounds',
    status: 'pending',
    thresholds: { lowStockAt: 3, restockAt: 5 },
  } as const;
  const planned = await plan({ filter }, values);
  assert.deepEqual(counted(planned), ['planned', { planned: 4 }]);
  assert.deepEqual(planned.filter, filter);
  assert.deepEqual(
    (await allPets()).map(({ version }) => version),
    before.map(({ version }) => version),
  );
  const [row] = await bulkChanges.rows(planned.id, { limit: 1 });
  assert.deepEqual(row, {
    petId: 1n,
    name: 'Pet 1',
    outcome: 'planned',
    reason: null,
    before: {
      category: 'Dogs',
      status: 'available',
      lowStockAt: null,
      restockAt: null,
      sku: null,
      barcodes: [],
      isArchived: false,
      supplier: null,
    },
    codeOwner: null,
    codes: null,
    ordered: null,
  });

  const applied = await after('apply', planned, OTHER);
  assert.deepEqual(counted(applied), ['applied', { changed: 4 }]);
  for (const pet of await allPets()) {
    const isDog = pet.petId % 2n === 1n;
    const { category, status, lowStockAt, restockAt, version } = pet;
    const wanted = isDog ? ['Hounds', 'pending', 3, 5, 2] : ['Cats', 'available', null, null, 1];
    assert.deepEqual([category, status, lowStockAt, restockAt, version], wanted, `pet ${pet.petId}`);
  }
  assert.deepEqual(
    (await allPets()).map(({ quantity }) => quantity),
    before.map(({ quantity }) => quantity),
  );
  const found = await store.pets.list({ query: 'hounds', archived: 'exclude', limit: 10 });
  assert.equal(found.pets.length, 4, 'the words of the search follow');
  assert.equal((await store.pets.list({ query: 'dogs', archived: 'exclude', limit: 10 })).pets.length, 0);

  const undone = await after('undo', applied);
  assert.deepEqual(counted(undone), ['undone', { undone: 4 }]);
  assert.deepEqual(
    (await allPets()).map(({ category, status, lowStockAt }) => [category, status, lowStockAt]),
    before.map(({ category, status, lowStockAt }) => [category, status, lowStockAt]),
  );
  assert.deepEqual(
    await database.rows(
      'SELECT reference_id, count(*) FROM movements WHERE sequence > 8 GROUP BY reference_id',
    ),
    [[planned.id, 8]],
    'the movements of the change and of its undo name it',
  );
  const lines = await store.activity.list({ target: planned.id, limit: 10 });
  assert.deepEqual(
    lines.toReversed().map(({ action, actor, details }) => [action, actor, details]),
    [
      ['bulk-changes.create', 'key_ada', { filter, set: values, pets: {} }],
      ['bulk-changes.apply', 'key_bob', { filter, set: values, pets: { planned: 4 } }],
      ['bulk-changes.finish', 'service', { state: 'applied', filter, set: values, pets: { changed: 4 } }],
      ['bulk-changes.undo', 'key_ada', { filter, set: values, pets: { changed: 4 } }],
      ['bulk-changes.finish', 'service', { state: 'undone', filter, set: values, pets: { undone: 4 } }],
    ],
  );
  await assertRefused(bulkChanges.undo(planned.id, AUTHOR), 'conflict', /cannot be undone: it is undone/);
  await assertIntact();
});

test('named pets are planned in any number, and those that stay say why', async (t) => {
  const { plan, after, rowsOf, pets, store, allPets, assertIntact } = await bulkShop(t);
  const petIds = [5n, 1n, 2n, 99n, 1n];
  const planned = await plan({ petIds }, { archived: true });
  assert.equal(planned.filter, null);
  assert.deepEqual(await rowsOf(planned), [
    [1, 'planned'],
    [2, 'has_stock'],
    [5, 'planned'],
    [99, 'not_found'],
  ]);
  await after('apply', planned);
  assert.deepEqual(
    (await allPets()).filter(({ archivedAtMs }) => archivedAtMs !== null).map(({ petId }) => petId),
    [1n, 5n],
  );

  // A pet whose codes another one took is restored alone, where the codes are named.
  await pets.update(5n, { sku: 'A-1' }, AUTHOR);
  await pets.update(2n, { sku: 'A-1', takeCodes: true }, AUTHOR);
  const restoring = await plan({ filter: { archived: 'only' } }, { archived: false });
  assert.deepEqual(await rowsOf(restoring), [
    [1, 'planned'],
    [5, 'codes_taken'],
  ]);
  const restored = await after('apply', restoring);
  assert.equal((await pets.find(1n)).archivedAtMs, null);
  assert.deepEqual(counted(await after('undo', restored)), ['undone', { undone: 1, refused: 1 }]);
  assert.notEqual((await pets.find(1n)).archivedAtMs, null);
  assert.equal((await plan({ petIds: [2n] }, { category: 'Cats' })).counts.unchanged, 1);
  assert.equal(await store.pets.count(), 8);
  await assertIntact();
});

test('what changed after the plan stays, and is named', async (t) => {
  const { plan, after, rowsOf, store, pets, assertIntact } = await bulkShop(t);
  const planned = await plan({ filter: ALL }, { status: 'sold', category: 'Sale' });
  const change = { kind: 'set', petId: 2n, quantity: 40 } as const;
  await store.write({ kind: 'change', change }, OTHER);
  await pets.update(3n, { category: 'Horses' }, OTHER);
  const applied = await after('apply', planned);
  assert.deepEqual(counted(applied), ['applied', { changed: 6, stale: 2 }]);
  assert.deepEqual(await rowsOf(applied, 'stale'), [
    [2, 'stale'],
    [3, 'stale'],
  ]);
  assert.equal((await pets.find(2n)).status, 'available');
  assert.deepEqual([(await pets.find(3n)).category, (await pets.find(3n)).status], ['Horses', 'available']);
  assert.equal((await store.pets.list({ query: 'horses', archived: 'exclude', limit: 9 })).pets.length, 1);

  // An undo gives values back that were not changed again, whatever else happened to the pet.
  await store.write({ kind: 'change', change: { ...change, petId: 4n } }, OTHER);
  await store.write({ kind: 'change', change: { kind: 'status', petId: 5n, status: 'pending' } }, OTHER);
  const undone = await after('undo', applied);
  assert.deepEqual(counted(undone), ['undone', { stale: 2, undone: 5, kept: 1 }]);
  assert.deepEqual(await rowsOf(undone, 'kept'), [[5, 'kept']]);
  const fourth = await pets.find(4n);
  assert.deepEqual([fourth.status, fourth.quantity], ['available', 40]);
  assert.equal((await pets.find(5n)).status, 'pending');
  await assertIntact();
});

once('a pet that was archived or got stock after the plan stays as it is', async (t) => {
  const { plan, after, rowsOf, store, pets } = await bulkShop(t);
  const archiving = await plan({ petIds: [1n, 5n] }, { archived: true });
  await store.write({ kind: 'change', change: { kind: 'set', petId: 1n, quantity: 3 } }, OTHER);
  await pets.archive(5n, OTHER);
  const stale = await after('apply', archiving);
  assert.deepEqual(await rowsOf(stale), [
    [1, 'stale'],
    [5, 'stale'],
  ]);
  assert.equal((await pets.find(1n)).archivedAtMs, null);

  const restoring = await after('apply', await plan({ petIds: [5n] }, { archived: false }));
  await store.write({ kind: 'change', change: { kind: 'set', petId: 5n, quantity: 3 } }, OTHER);
  assert.deepEqual(
    counted(await after('undo', restoring)),
    ['undone', { kept: 1 }],
    'its stock stays visible',
  );
  assert.equal((await pets.find(5n)).archivedAtMs, null);
});

once('an archived pet of which units arrived stays archived when many pets get a category', async (t) => {
  const { plan, after, store, pets } = await bulkShop(t);
  await pets.archive(1n, OTHER);
  await store.write({ kind: 'change', change: { kind: 'set', petId: 1n, quantity: 3 } }, OTHER);
  const applied = await after('apply', await plan({ filter: { archived: 'only' } }, { category: 'Past' }));
  const changed = await pets.find(1n);
  assert.deepEqual([changed.category, changed.quantity], ['Past', 3]);
  assert.notEqual(changed.archivedAtMs, null);
  assert.deepEqual(counted(await after('undo', applied)), ['undone', { undone: 1 }]);
  const undone = await pets.find(1n);
  assert.deepEqual([undone.category, undone.archivedAtMs], ['Dogs', changed.archivedAtMs]);
});

once(
  'a pet that an import restored is archived with others, although another pet took its code',
  async (t) => {
    const { plan, after, store, pets } = await bulkShop(t);
    await pets.update(1n, { sku: 'A-1' }, AUTHOR);
    await pets.archive(1n, AUTHOR);
    await pets.update(2n, { sku: 'A-1', takeCodes: true }, AUTHOR);
    await store.importPets([petRow(1, { quantity: 3 })], 'cli');
    assert.equal((await pets.find(1n)).archivedAtMs, null);
    await store.write({ kind: 'change', change: { kind: 'set', petId: 1n, quantity: 0 } }, OTHER);
    const archived = await after('apply', await plan({ petIds: [1n] }, { archived: true }));
    assert.deepEqual(counted(archived), ['applied', { changed: 1 }]);
  },
);

once('a removed category and removed thresholds come back', async (t) => {
  const { plan, after, pets, store } = await bulkShop(t);
  await pets.update(1n, { lowStockAt: 1, restockAt: 4 }, AUTHOR);
  const planned = await plan(
    { petIds: [1n] },
    { category: null, thresholds: { lowStockAt: null, restockAt: null } },
  );
  const applied = await after('apply', planned);
  const changed = await pets.find(1n);
  assert.deepEqual([changed.category, changed.lowStockAt, changed.restockAt], [null, null, null]);
  assert.equal((await store.pets.list({ query: 'dogs', archived: 'exclude', limit: 9 })).pets.length, 3);
  await after('undo', applied);
  const undone = await pets.find(1n);
  assert.deepEqual([undone.category, undone.lowStockAt, undone.restockAt], ['Dogs', 1, 4]);
});

test('many pets get a supplier, which leaves what is ordered of them, and an undo gives each its own back', async (t) => {
  const { store, plan, after, rowsOf, bulkChanges, allPets, assertIntact } = await bulkShop(t);
  const { reorders } = store;
  await reorders.update(1n, { supplier: 'Reef', ordered: 40, expectedOn: '2030-12-03' }, OTHER);
  await reorders.update(2n, { supplier: 'Zoo' }, OTHER);
  await reorders.update(5n, { supplier: 'Aqua' }, OTHER);
  const versions = (await allPets()).map(({ version }) => version);

  const planned = await plan({ filter: ALL }, { supplier: ' Zoo ' });
  assert.deepEqual(planned.values, { supplier: 'Zoo' });
  assert.deepEqual(counted(planned), ['planned', { planned: 7, unchanged: 1 }]);
  const [first] = await bulkChanges.rows(planned.id, { limit: 1 });
  assert.equal(first?.before?.supplier, 'Reef');
  // A sale has nothing to do with who sells a pet to the shop; another supplier has.
  await store.write({ kind: 'change', change: { kind: 'set', petId: 3n, quantity: 90 } }, OTHER);
  await reorders.update(4n, { supplier: 'Terra' }, OTHER);
  const { tag, open } = await reorders.find(1n);
  const applied = await after('apply', planned);
  assert.deepEqual(counted(applied), ['applied', { changed: 6, stale: 1, unchanged: 1 }]);
  assert.deepEqual(await rowsOf(applied, 'stale'), [[4, 'stale']]);
  const [ordered, third, fourth] = await reorders.rows([1n, 3n, 4n]);
  assert.equal(ordered?.supplier, 'Zoo');
  assert.deepEqual(ordered?.open, open);
  assert.notEqual(ordered?.tag, tag, 'who read the old supplier learns of the new one');
  assert.deepEqual([third?.supplier, third?.open, fourth?.supplier], ['Zoo', null, 'Terra']);
  assert.deepEqual(await reorders.suppliers(), ['Terra', 'Zoo']);

  await reorders.update(6n, { supplier: 'Terra' }, OTHER);
  const undone = await after('undo', applied);
  assert.deepEqual(counted(undone), ['undone', { undone: 5, kept: 1, stale: 1, unchanged: 1 }]);
  assert.deepEqual(
    (await reorders.rows([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n])).map(({ supplier }) => supplier),
    ['Reef', 'Zoo', null, 'Terra', 'Aqua', 'Terra', null, null],
  );
  assert.equal((await reorders.find(1n)).open?.ordered, 40);
  const changed = (await allPets()).map(({ version }) => version);
  assert.deepEqual(changed.toSpliced(2, 1), versions.toSpliced(2, 1), 'no movement');
  await assertIntact();
});

once('a supplier is removed from many pets, also from one whose units arrived after the plan', async (t) => {
  const { store, plan, after, rowsOf } = await bulkShop(t);
  const { reorders } = store;
  await reorders.update(1n, { supplier: 'Zoo', ordered: 5 }, OTHER);
  const planned = await plan({ petIds: [1n, 2n, 9n] }, { supplier: null });
  assert.deepEqual(await rowsOf(planned), [
    [1, 'planned'],
    [2, 'unchanged'],
    [9, 'not_found'],
  ]);
  const explanation = { ...UNEXPLAINED, reason: 'received' } as const;
  const arrived = { kind: 'adjust', petId: 1n, delta: 5, explanation } as const;
  await store.write({ kind: 'change', change: arrived }, OTHER);
  assert.deepEqual(counted(await after('apply', planned)), [
    'applied',
    { changed: 1, unchanged: 1, refused: 1 },
  ]);
  const row = await reorders.find(1n);
  assert.deepEqual([row.supplier, row.open], [null, null]);
  assert.deepEqual(await reorders.suppliers(), []);
});

test('a pet that got the petId of a deleted one gets no values of its plan or its undo', async (t) => {
  const { store, plan, after, pets, rowsOf } = await bulkShop(t);
  const { reorders } = store;
  const replace = async (petId: bigint) => {
    await pets.delete(petId, OTHER);
    await store.importPets([petRow(Number(petId), { name: 'Another' })], 'cli');
  };
  for (const petId of [2n, 3n]) await reorders.update(petId, { supplier: 'Zoo' }, OTHER);
  const removed = await plan({ petIds: [1n, 2n, 3n] }, { supplier: null });
  await replace(2n);
  const applied = await after('apply', removed);
  assert.deepEqual(counted(applied), ['applied', { changed: 1, stale: 1, unchanged: 1 }]);
  await replace(3n);
  const undone = await after('undo', applied);
  assert.deepEqual(await rowsOf(undone, 'kept'), [[3, 'kept']]);
  const given = await plan({ petIds: [4n, 5n] }, { supplier: 'Zoo' });
  await replace(4n);
  assert.deepEqual(await rowsOf(await after('apply', given), 'stale'), [[4, 'stale']]);
  const suppliers = (await reorders.rows([1n, 2n, 3n, 4n, 5n])).map(({ supplier }) => supplier);
  assert.deepEqual(suppliers, [null, null, null, null, 'Zoo']);
});

test('work that was interrupted continues where it was, and cancelled work can be undone', async (t) => {
  if (isSkippedDaily(t)) return;
  const { plan, bulkChanges, bulkJobs, run, allPets, store, assertIntact } = await bulkShop(t, 1_100);
  const { id } = await bulkChanges.create({ filter: { ...ALL, query: 'pet' } }, { status: 'sold' }, AUTHOR);
  // Stops after a batch, as a service that ends.
  const batches = (count: number) => {
    let left = count;
    return () => (left -= 1) < 0;
  };
  await bulkJobs.runNext(batches(1));
  const begun = await bulkChanges.find(id);
  assert.equal(begun.state, 'planning');
  assert.ok(begun.counts.planned > 0 && begun.counts.planned < 1_100, `${begun.counts.planned} are planned`);
  await run();
  assert.deepEqual(counted(await bulkChanges.find(id)), ['planned', { planned: 1_100 }]);

  await bulkChanges.apply(id, AUTHOR);
  await bulkJobs.runNext(batches(2));
  const half = await bulkChanges.find(id);
  assert.equal(half.state, 'applying');
  const { changed } = half.counts;
  assert.equal(changed + half.counts.planned, 1_100);
  assert.equal((await allPets()).filter(({ status }) => status === 'sold').length, changed);
  await bulkChanges.cancel(id, OTHER);
  await run();
  assert.equal((await allPets()).filter(({ status }) => status === 'sold').length, changed);
  await assertRefused(bulkChanges.apply(id, AUTHOR), 'conflict', /cannot be applied: it is cancelled/);
  await bulkChanges.undo(id, AUTHOR);
  await bulkJobs.runNext(batches(1));
  await run();
  assert.equal((await bulkChanges.find(id)).counts.undone, changed);
  assert.equal((await allPets()).filter(({ status }) => status === 'sold').length, 0);
  const actions = (await store.activity.list({ target: id, limit: 9 })).map(({ action, details }) => [
    action,
    (details as { pets: object }).pets,
  ]);
  const planned = 1_100 - changed;
  assert.deepEqual(actions.toReversed().slice(1), [
    ['bulk-changes.apply', { planned: 1_100 }],
    ['bulk-changes.cancel', { planned, changed }],
    ['bulk-changes.undo', { planned, changed }],
    ['bulk-changes.finish', { planned, undone: changed }],
  ]);
  const named = await plan({ petIds: (await allPets()).map(({ petId }) => petId) }, { status: 'sold' });
  assert.equal(named.counts.planned, 1_000, 'a list of named pets has several batches too');
  await assertIntact();
});

test('a runner that lost its lease writes nothing more, and a change that fails too often ends', async (t) => {
  const { plan, bulkChanges, bulkJobs, database, allPets } = await bulkShop(t, 1_000);
  const { id } = await plan({ filter: ALL }, { status: 'sold' });
  await bulkChanges.apply(id, AUTHOR);
  // Another process takes it over after the first batch.
  let taking: Promise<unknown> | undefined;
  let looks = 0;
  await bulkJobs.runNext(() => {
    looks += 1;
    const owner = `lease_owner = 'another', lease_until = lease_until + 1`;
    if (looks === 2) taking = database.run(`UPDATE bulk_changes SET ${owner} WHERE id = '${id}'`);
    return false;
  });
  await taking;
  const sold = (await allPets()).filter(({ status }) => status === 'sold').length;
  const { state, counts } = await bulkChanges.find(id);
  assert.deepEqual([state, counts.changed, counts.planned], ['applying', sold, 1_000 - sold]);
  assert.ok(sold >= 250 && sold < 1_000, `${sold} are sold`);
  await database.run(`UPDATE bulk_changes SET lease_until = 0, attempts = 10 WHERE id = '${id}'`);
  assert.equal(await bulkJobs.runNext(), true);
  const failed = await bulkChanges.find(id);
  assert.deepEqual([failed.state, failed.failure], ['failed', 'interrupted']);
});

test('a runner that lost its lease does not end the change of the next one', async (t) => {
  const { bulkChanges, database } = await bulkShop(t);
  const { id } = await bulkChanges.create({ filter: ALL }, { status: 'sold' }, AUTHOR);
  const engine = await openAdminEngine(database.url);
  t.after(() => engine.close());
  const leases = new BulkLease(engine);
  const lost = await leases.claim();
  await database.run('UPDATE bulk_changes SET lease_until = 0');
  assert.ok(lost && (await leases.claim()));
  await leases.end(lost.task, 'failed', 'interrupted');
  await leases.release(lost.task, 0);
  assert.equal((await bulkChanges.find(id)).state, 'planning');
  assert.equal(await leases.claim(), undefined, 'the next runner has it');
});

test('a change that finds the disk full fails, and says so', async (t) => {
  const { bulkChanges, database } = await bulkShop(t);
  const { id } = await bulkChanges.create({ filter: ALL }, { status: 'sold' }, AUTHOR);
  const engine = await openAdminEngine(database.url);
  t.after(() => engine.close());
  const { transaction } = engine;
  let transactions = 0;
  t.mock.method(engine, 'transaction', (command: () => Promise<unknown>) => {
    transactions += 1;
    // The first one takes the lease, and the second one stores the plan.
    if (transactions !== 2) return transaction.call(engine, command);
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
  });
  assert.equal(await new SqlBulkJobs(engine).runNext(), true);
  const { state, failure } = await bulkChanges.find(id);
  assert.deepEqual([state, failure], ['failed', 'disk_full']);
});

test('changes of another key that a key applies are among its running ones', async (t) => {
  const { plan, bulkChanges, database } = await bulkShop(t);
  for (let i = 0; i < MAX_RUNNING_BULK_CHANGES; i += 1) {
    const { id } = await plan({ petIds: [1n] }, { status: 'sold' }, OTHER);
    await bulkChanges.apply(id, AUTHOR);
    // Each has a runner, so that none of them ends.
    await database.run(
      `UPDATE bulk_changes SET lease_until = updated_at + ${LONG_LEASE_MS} WHERE state = 'applying'`,
    );
  }
  await assertRefused(
    bulkChanges.create({ petIds: [1n] }, { status: 'sold' }, AUTHOR),
    'conflict',
    /This key has 5 bulk changes that are running/,
  );
});

test('a change whose runner was killed while the clock was ahead is continued after the clock is right', async (t) => {
  const { plan, bulkChanges, bulkJobs, database, store } = await bulkShop(t);
  const { id } = await plan({ filter: ALL }, { status: 'sold' });
  await bulkChanges.apply(id, AUTHOR);
  const leaseOf = (untilMs: number) =>
    database.run(
      `UPDATE bulk_changes SET lease_owner = 'killed', lease_until = ${untilMs} WHERE id = '${id}'`,
    );
  await leaseOf((await store.now()) + LONG_LEASE_MS);
  assert.equal(await bulkJobs.runNext(), false, 'a runner has it');
  await leaseOf((await store.now()) + HOUR_MS);
  assert.equal(await bulkJobs.runNext(), true);
  assert.equal((await bulkChanges.find(id)).state, 'applied');
});

test('a change that is cancelled and undone between two batches is applied no further', async (t) => {
  const { plan, bulkChanges, bulkJobs, run, allPets, assertIntact } = await bulkShop(t, 1_000);
  const { id } = await plan({ filter: ALL }, { status: 'sold' });
  await bulkChanges.apply(id, AUTHOR);
  let looks = 0;
  let actions: Promise<unknown> | undefined;
  await bulkJobs.runNext(() => {
    looks += 1;
    if (looks === 2) actions = Promise.all([bulkChanges.cancel(id, AUTHOR), bulkChanges.undo(id, AUTHOR)]);
    return false;
  });
  await actions;
  await run();
  const { state, counts } = await bulkChanges.find(id);
  assert.deepEqual([state, counts.changed, counts.planned + counts.undone], ['undone', 0, 1_000]);
  assert.ok(counts.undone < 1_000, `${counts.undone} were changed`);
  assert.equal((await allPets()).filter(({ status }) => status === 'sold').length, 0);
  await assertIntact();
});

test('a new plan of a key replaces its old one, and old changes are deleted', async (t) => {
  const { plan, after, bulkChanges, bulkJobs, database } = await bulkShop(t);
  const first = await plan({ filter: ALL }, { status: 'sold' });
  const others = await plan({ filter: ALL }, { status: 'sold' }, OTHER);
  const second = await plan({ filter: ALL }, { status: 'pending' });
  assert.equal((await bulkChanges.find(first.id)).state, 'cancelled');
  assert.equal((await bulkChanges.find(others.id)).state, 'planned');
  await assertRefused(bulkChanges.apply(first.id, AUTHOR), 'conflict', /a newer plan of its key replaced it/);
  while (await bulkJobs.purge());
  assert.equal((await bulkChanges.rows(first.id, { limit: 10 })).length, 0);
  const applied = await after('apply', second);
  while (await bulkJobs.purge());
  assert.equal((await bulkChanges.rows(applied.id, { limit: 10 })).length, 8, 'an undo needs them');
  assert.deepEqual((await bulkChanges.list({ limit: 2 })).length, 2);
  // Rows are deleted in portions, and an undo of what is left would be no undo of the change.
  await database.run(`UPDATE bulk_changes SET updated_at = updated_at - ${BULK_KEPT_MS + 1_000}`);
  const isBeingDeleted = /it had no action for 7 days, and is being deleted/;
  await assertRefused(bulkChanges.undo(applied.id, AUTHOR), 'conflict', isBeingDeleted);
  await assertRefused(bulkChanges.apply(others.id, AUTHOR), 'conflict', isBeingDeleted);
  while (await bulkJobs.purge());
  assert.equal((await bulkChanges.rows(applied.id, { limit: 10 })).length, 8, 'an undo may have just begun');
  await database.run('UPDATE bulk_changes SET updated_at = updated_at - 60000');
  while (await bulkJobs.purge());
  assert.deepEqual(await bulkChanges.list({ limit: 10 }), []);
  assert.deepEqual(await database.rows('SELECT count(*) FROM bulk_rows'), [[0]]);
  await assertRefused(bulkChanges.find(applied.id), 'not_found', /There is no bulk change blk_/);
});

once('a list of changes reads none of the pets that they name', async (t) => {
  const { plan, database } = await bulkShop(t);
  const petIds = Array.from({ length: 5_000 }, (_, i) => BigInt(i));
  const { id } = await plan({ petIds }, { status: 'sold' });
  const engine = await openAdminEngine(database.url);
  t.after(() => engine.close());
  let characters = 0;
  const all = engine.all.bind(engine);
  engine.all = async <Row>(sql: string, values?: readonly SqlValue[]) => {
    const rows = await all<Row>(sql, values);
    characters += JSON.stringify(rows).length;
    return rows;
  };
  const changes = new SqlBulkChangeStore(engine);
  const [listed] = await changes.list({ limit: 10 });
  assert.deepEqual([listed?.id, listed?.filter], [id, null]);
  assert.deepEqual(await changes.find(id), listed);
  assert.ok(characters < 2_000, `${characters} characters`);
});

test('wrong values, too many pets and too many running changes are refused', async (t) => {
  const { plan, bulkChanges, database, store } = await bulkShop(t);
  const refuse = (values: BulkValues, message: RegExp, selection: PetSelection = { filter: ALL }) =>
    assertRefused(bulkChanges.create(selection, values, AUTHOR), 'validation_failed', message);
  await refuse({}, /give new values, or archived alone, or supplier alone/);
  await refuse({ supplier: 'Zoo', status: 'sold' }, /or supplier alone/);
  await refuse({ supplier: 'Zoo', archived: true }, /or supplier alone/);
  await refuse({ supplier: 'x'.repeat(MAX_SUPPLIER + 1) }, /supplier: it has 101 characters/);
  await refuse({ supplier: 'a\nb' }, /supplier: it has /);
  await refuse({ archived: true, status: 'sold' }, /give new values, or archived alone/);
  await refuse(
    { thresholds: { lowStockAt: 5, restockAt: 5 } },
    /5 is not greater than lowStockAt, which is 5/,
  );
  await refuse({ thresholds: { lowStockAt: null, restockAt: 5 } }, /it needs lowStockAt/);
  await refuse({ category: 'x'.repeat(201) }, /The category has 201 characters/);
  await refuse({ category: 'a\u0000b' }, /The category has/);
  await refuse({ status: 'sold' }, /name 1 to 50000 pets/, { petIds: [] });
  const many = Array.from({ length: 50_001 }, (_, i) => BigInt(i));
  await refuse({ status: 'sold' }, /name 1 to 50000 pets/, { petIds: many });

  for (let i = 0; i < MAX_RUNNING_BULK_CHANGES; i += 1) {
    const { id } = await plan({ petIds: [1n] }, { status: 'sold' });
    await bulkChanges.apply(id, AUTHOR);
    await assertRefused(bulkChanges.apply(id, AUTHOR), 'conflict', /it is being applied/);
    // Another process has it.
    const untilMs = (await store.now()) + LONG_LEASE_MS;
    await database.run(`UPDATE bulk_changes SET lease_until = ${untilMs} WHERE state = 'applying'`);
  }
  const again = () => plan({ petIds: [1n] }, { status: 'sold' });
  await assertRefused(again(), 'conflict', /This key has 5 bulk changes that are running/);
  assert.equal((await plan({ petIds: [1n] }, { status: 'sold' }, OTHER)).state, 'planned');
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BulkValues, PetSelection } from '../../src/domain/management/bulk-changes.ts';
import { UNEXPLAINED } from '../../src/domain/ledger/ledger.ts';
import { setTags } from '../../src/store/admin/bulk-changes/bulk-orders.ts';
import { petRow } from '../support/command-line.ts';
import { testOnceIn } from '../support/test-database.ts';
import { ALL, assertRefused, AUTHOR, bulkShop, counted, OTHER } from './bulk-shop.ts';

const once = testOnceIn();
const DAY = '2030-12-03';

/** Pets 1 to 8 with 0, 1, 2, 3, 0, 1, 2 and 3 units, which are low at 2 and have enough at 5. */
async function orderShop(t: TestContext, count?: number) {
  const shop = await bulkShop(t, count);
  const { store } = shop;
  const { reorders } = store;
  await store.setDefaultThresholds({ lowStockAt: 2, restockAt: 5 }, OTHER);
  const adjust = (petId: number, delta: number, reason: 'received' | 'sold') =>
    store.write(
      {
        kind: 'change',
        change: { kind: 'adjust', petId: BigInt(petId), delta, explanation: { ...UNEXPLAINED, reason } },
      },
      OTHER,
    );
  const orders = async (...petIds: readonly number[]) =>
    (await reorders.rows(petIds.map(BigInt))).map(({ open, supplier }) => [open?.ordered ?? null, supplier]);
  return { ...shop, reorders, adjust, orders };
}

test('many pets are marked as ordered with what the list suggests, as one action, and an undo takes that back', async (t) => {
  const { store, plan, after, rowsOf, bulkChanges, allPets, reorders, adjust, orders, assertIntact } =
    await orderShop(t);
  await reorders.update(1n, { supplier: 'Reef' }, OTHER);
  await reorders.update(2n, { ordered: 9 }, OTHER);
  // Another order of it has arrived.
  await reorders.update(3n, { ordered: 2 }, OTHER);
  await adjust(3, 2, 'received');
  await adjust(3, -2, 'sold');
  const versions = (await allPets()).map(({ version }) => version);

  const set = { ordered: 'suggested', expectedOn: DAY } as const;
  const planned = await plan({ filter: ALL }, set);
  assert.deepEqual(counted(planned), ['planned', { planned: 5, refused: 3 }]);
  assert.deepEqual(await rowsOf(planned, 'refused'), [
    [2, 'already_ordered'],
    [4, 'not_needed'],
    [8, 'not_needed'],
  ]);
  const units = (await bulkChanges.rows(planned.id, { limit: 9 })).map(({ ordered }) => ordered);
  assert.deepEqual(units, [5, null, 3, null, 5, 4, 3, null]);
  // A sale leaves the plan as it was shown; the order of another person, and another supplier, do not.
  await adjust(5, 1, 'received');
  await adjust(5, -1, 'sold');
  await reorders.update(6n, { ordered: 4, expectedOn: DAY }, OTHER);
  await reorders.update(7n, { supplier: 'Terra' }, OTHER);
  const applied = await after('apply', planned, OTHER);
  assert.deepEqual(counted(applied), ['applied', { changed: 3, stale: 2, refused: 3 }]);
  assert.deepEqual(await rowsOf(applied, 'stale'), [
    [6, 'stale'],
    [7, 'stale'],
  ]);
  assert.deepEqual(await orders(1, 2, 3, 5, 7), [
    [5, 'Reef'],
    [9, null],
    [3, null],
    [5, null],
    [null, 'Terra'],
  ]);
  const first = await reorders.find(1n);
  const { orderedAtMs, ...open } = first.open ?? assert.fail('it is ordered');
  assert.deepEqual(open, {
    ...{ ordered: 5, received: 0, expectedOn: DAY },
    ...{ orderedBy: OTHER.actor, orderedByName: OTHER.actor },
  });
  assert.ok(orderedAtMs >= planned.createdAtMs);
  // What arrived before the order does not count for it, and what arrives after it does.
  await adjust(3, 1, 'received');
  assert.equal((await reorders.find(3n)).open?.received, 1);

  // An order that was changed, or of which units have arrived, stays.
  await reorders.update(5n, { expectedOn: null }, OTHER);
  const undone = await after('undo', applied);
  assert.deepEqual(counted(undone), ['undone', { undone: 1, kept: 2, stale: 2, refused: 3 }]);
  assert.deepEqual(await orders(1, 3, 5), [
    [null, 'Reef'],
    [3, null],
    [5, null],
  ]);
  await assertRefused(
    reorders.update(1n, { ordered: 5 }, OTHER, [first.tag]),
    'precondition_failed',
    /was changed meanwhile/,
  );
  const moved = [2, 4];
  const unmoved = (list: readonly number[]) => list.filter((_, i) => !moved.includes(i));
  assert.deepEqual(
    unmoved((await allPets()).map(({ version }) => version)),
    unmoved(versions),
    'no movement',
  );
  const lines = (await store.activity.list({ target: planned.id, limit: 10 })).toReversed();
  assert.deepEqual(
    lines.map(({ action, actor, details }) => [action, actor, (details as { set: unknown }).set]),
    [
      ['bulk-changes.create', AUTHOR.actor, set],
      ['bulk-changes.apply', OTHER.actor, set],
      ['bulk-changes.finish', 'service', set],
      ['bulk-changes.undo', AUTHOR.actor, set],
      ['bulk-changes.finish', 'service', set],
    ],
  );
  await assertIntact();
});

test('each named pet is ordered with a number of its own, and all get their supplier', async (t) => {
  const { plan, after, reorders, orders, bulkChanges } = await orderShop(t);
  await reorders.update(8n, { supplier: 'Reef' }, OTHER);
  const selection = { petIds: [8n, 1n, 99n], units: [70, 10, 3] };
  const planned = await plan(selection, { ordered: 'units', supplier: ' Zoo ' });
  assert.deepEqual(counted(planned), ['planned', { planned: 2, refused: 1 }]);
  const applied = await after('apply', planned);
  assert.deepEqual(await orders(1, 8), [
    [10, 'Zoo'],
    [70, 'Zoo'],
  ]);
  await after('undo', applied);
  assert.deepEqual(await orders(1, 8), [
    [null, null],
    [null, 'Reef'],
  ]);
  const same = await plan({ petIds: [1n, 4n] }, { ordered: 12, expectedOn: null });
  assert.deepEqual(
    (await bulkChanges.rows(same.id, { limit: 9 })).map(({ ordered }) => ordered),
    [12, 12],
    'one number, also for a pet that needs none',
  );
  assert.equal((await after('apply', same)).counts.changed, 2);
  assert.equal((await after('apply', await plan({ petIds: [1n] }, { ordered: 12 }))).counts.refused, 1);
});

once('orders in several batches, each with its own numbers, continue where they were', async (t) => {
  const { bulkChanges, bulkJobs, run, reorders } = await orderShop(t, 600);
  const petIds = Array.from({ length: 600 }, (_, i) => BigInt(600 - i));
  const { id } = await bulkChanges.create(
    { petIds, units: petIds.map(Number) },
    { ordered: 'units' },
    AUTHOR,
  );
  const stopAfter = (batches: number) => {
    let left = batches;
    return () => (left -= 1) < 0;
  };
  await bulkJobs.runNext(stopAfter(1));
  await run();
  await bulkChanges.apply(id, AUTHOR);
  await bulkJobs.runNext(stopAfter(1));
  const half = await bulkChanges.find(id);
  assert.deepEqual(counted(half), ['applying', { planned: 350, changed: 250 }]);
  await run();
  assert.deepEqual(counted(await bulkChanges.find(id)), ['applied', { changed: 600 }]);
  const rows = await reorders.rows(petIds);
  assert.deepEqual(
    rows.map(({ open }) => open?.ordered),
    petIds.map(Number),
  );
});

once('a batch of orders reads only its own rows of the change, and its array of pets once', async (t) => {
  const { database } = await orderShop(t);
  const values = ['blk_1', '[["1","tag"]]'];
  const sql = setTags('json_each').replaceAll(
    /\$(\d)/g,
    (_, place: string) => `'${values[Number(place) - 1]}'`,
  );
  const steps = (await database.rows(`EXPLAIN QUERY PLAN ${sql}`)).map((row) => String(row[3]));
  assert.ok(
    steps.includes('SEARCH bulk_rows USING PRIMARY KEY (change_id=? AND pet_id=?)'),
    steps.join('\n'),
  );
  assert.equal(steps.filter((step) => step.startsWith('SCAN json_each')).length, 1, steps.join('\n'));
});

once('a deleted pet, or another one with its petId, is not ordered', async (t) => {
  const { store, plan, after, orders, pets } = await orderShop(t);
  const planned = await plan({ petIds: [1n, 5n] }, { ordered: 7 });
  await pets.delete(5n, OTHER);
  await store.importPets([petRow(5, { name: 'Another' })], 'cli');
  assert.deepEqual(counted(await after('apply', planned)), ['applied', { changed: 1, stale: 1 }]);
  assert.deepEqual(await orders(1, 5), [
    [7, null],
    [null, null],
  ]);
  assert.deepEqual((await store.verify()).faults, []);
});

once('an archived pet has no suggestion', async (t) => {
  const { plan, rowsOf, pets } = await orderShop(t);
  await pets.archive(1n, OTHER);
  const filter = { archived: 'include', alertLevels: ['out'] } as const;
  assert.deepEqual(await rowsOf(await plan({ filter }, { ordered: 'suggested' })), [
    [1, 'not_needed'],
    [5, 'planned'],
  ]);
});

once('wrong orders are refused before anything is planned', async (t) => {
  const { bulkChanges } = await orderShop(t);
  const refused: readonly (readonly [PetSelection, BulkValues, RegExp])[] = [
    [{ petIds: [1n] }, { expectedOn: DAY }, /expectedOn: it needs ordered/],
    [{ petIds: [1n] }, { ordered: 5, status: 'sold' }, /or ordered/],
    [{ petIds: [1n] }, { ordered: 5, archived: true }, /or ordered/],
    [{ petIds: [1n] }, { ordered: 0 }, /ordered: must be a whole number/],
    [{ petIds: [1n] }, { ordered: 5, expectedOn: '2030-02-30' }, /expectedOn: must be a day/],
    [{ petIds: [1n] }, { ordered: 'units' }, /units: they need petIds/],
    [{ filter: ALL }, { ordered: 'units' }, /units: they need petIds/],
    [{ petIds: [1n], units: [5] }, { ordered: 5 }, /units: they need petIds/],
    [{ petIds: [1n, 2n], units: [5] }, { ordered: 'units' }, /units: give one number/],
    [{ petIds: [1n, 1n], units: [5, 5] }, { ordered: 'units' }, /names each pet once/],
    [{ petIds: [1n, 1n], units: [5] }, { ordered: 'units' }, /names each pet once/],
  ];
  for (const [selection, values, message] of refused)
    await assertRefused(bulkChanges.create(selection, values, AUTHOR), 'validation_failed', message);
});

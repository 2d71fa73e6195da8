import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { NO_THRESHOLDS, type Thresholds } from '@petstore-inventory/shared/thresholds';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { plainInteger } from '../support/test-database.ts';
import { place, step } from './orders/shop-orders.ts';

const LARGE_PET = 2n ** 63n - 1n;

function row(petId: bigint, quantity: number, thresholds?: Thresholds): PetRow {
  return { ...petRow(petId, quantity), name: null, status: null, thresholds };
}

function imported(app: TestApp, ...rows: readonly PetRow[]) {
  app.clock.nowMs += 1_000;
  return app.admin.importPets(rows, 'cli', app.clock.nowMs);
}

/** Of each pet: quantity, reserved units, level, its thresholds and its version. */
function stock({ database }: TestApp) {
  return database.rows(
    'SELECT pet_id, quantity, reserved, alert_level, low_stock_at, restock_at, version FROM inventory ORDER BY pet_id',
  );
}

/** Of the movements after one: pet, quantity and reserved units after it, and both levels. */
async function movementsAfter({ database }: TestApp, sequence: number) {
  const rows =
    await database.rows(`SELECT pet_id, quantity_after, reserved_before, reserved_after, alert_before, alert_after
FROM movements WHERE sequence > ${sequence} ORDER BY sequence`);
  return rows.map((values) => values.map(plainInteger));
}

test('an import sets, keeps and clears thresholds, of new pets and of known ones', async (t) => {
  const app = await startApp(t);
  const [tight, wide] = [
    { lowStockAt: 2, restockAt: 5 },
    { lowStockAt: 0, restockAt: null },
  ];
  assert.deepEqual(await imported(app, row(1n, 2, tight), row(2n, 2), row(3n, 9, wide)), {
    created: 3,
    changed: 0,
    unchanged: 0,
  });
  assert.deepEqual(await stock(app), [
    [1, 2, 0, 'low', 2, 5, 1],
    [2, 2, 0, null, null, null, 1],
    [3, 9, 0, null, 0, null, 1],
  ]);
  const kept = await imported(app, row(1n, 2), row(2n, 2), row(3n, 9));
  assert.deepEqual(kept, { created: 0, changed: 0, unchanged: 3 });
  const changed = await imported(app, row(1n, 2, NO_THRESHOLDS), row(2n, 2, tight), row(3n, 9, wide));
  assert.deepEqual(changed, { created: 0, changed: 2, unchanged: 1 });
  assert.deepEqual(await stock(app), [
    [1, 2, 0, null, null, null, 2],
    [2, 2, 0, 'low', 2, 5, 2],
    [3, 9, 0, null, 0, null, 1],
  ]);
  assert.deepEqual(await movementsAfter(app, 3), [
    [1, 2, 0, 0, 'low', null],
    [2, 2, 0, 0, null, 'low'],
  ]);
  const cleared = { lowStockAt: 2, restockAt: null };
  assert.equal((await imported(app, row(2n, 2, cleared))).changed, 1, 'restockAt alone is a change');
  assert.deepEqual((await stock(app))[1], [2, 2, 0, 'low', 2, null, 3]);
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('the level after an import follows the quantity, with hysteresis, and the default of the shop', async (t) => {
  const app = await startApp(t);
  const own = { lowStockAt: 3, restockAt: 6 };
  await app.admin.setDefaultThresholds({ lowStockAt: 10, restockAt: 20 }, CLI_AUTHOR);
  await imported(app, row(1n, 50, own), row(LARGE_PET, 10));
  const levels = async () => (await stock(app)).map((values) => values[3]);
  assert.deepEqual(await levels(), [null, 'low']);
  for (const [quantity, ...expected] of [
    [3, 'low', 'low'],
    [5, 'low', 'low'],
    [0, 'out', 'out'],
    [5, 'low', 'low'],
    [6, null, 'low'],
    [19, null, 'low'],
    [20, null, null],
    [11, null, null],
  ] as const) {
    await imported(app, row(1n, quantity), row(LARGE_PET, quantity));
    assert.deepEqual(await levels(), expected, `at ${quantity}`);
  }
  await imported(app, row(1n, 11, NO_THRESHOLDS));
  assert.deepEqual(await levels(), [null, null]);
  await imported(app, row(1n, 10));
  assert.deepEqual(await levels(), ['low', null], 'now the default applies');
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('a recount below the reserved units leaves them, makes available negative and the pet oversold', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 10), petRow(LARGE_PET, 10)] });
  await place(app, [
    [1n, 7],
    [LARGE_PET, 10],
  ]);
  const { sequence } = await app.store.ledger.head();
  await imported(app, row(1n, 4), row(LARGE_PET, 0), row(2n, 0));
  assert.deepEqual(
    (await stock(app)).map((values) => values.slice(0, 4).map(plainInteger)),
    [
      [1, 4, 7, 'oversold'],
      [2, 0, 0, 'out'],
      [LARGE_PET, 0, 10, 'oversold'],
    ],
  );
  assert.deepEqual(await movementsAfter(app, sequence), [
    [1, 4, 7, 7, null, 'oversold'],
    [2, 0, 0, 0, null, 'out'],
    [LARGE_PET, 0, 10, 10, 'out', 'oversold'],
  ]);
  const item = await app.store.findItem(LARGE_PET, app.clock.nowMs);
  assert.deepEqual([item?.quantity, item?.reserved, item?.alertLevel], [0, 10, 'oversold']);
  assert.equal((await app.store.ledger.stockTotals()).reserved, 17n);
  await step(app, 1, 'cancel');
  assert.deepEqual(
    (await stock(app)).map((values) => values.slice(1, 4)),
    [
      [4, 0, null],
      [0, 0, 'out'],
      [0, 0, 'out'],
    ],
  );
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('an import between the steps of an order keeps what it has reserved', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 10)] });
  for (let i = 0; i < 20; i += 1) {
    const { orderId } = await place(app, [[1n, 2]]);
    await step(app, orderId, 'approve');
    const importing = imported(
      app,
      row(1n, 30 + i, i % 3 === 0 ? { lowStockAt: i, restockAt: null } : undefined),
    );
    await Promise.all([importing, step(app, orderId, 'deliver', [{ petId: 1n, quantity: 1 }])]);
    const [[, , reserved] = []] = await stock(app);
    assert.equal(reserved, i + 1, 'one unit of each order is left');
  }
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('an import sets the status of its file, or keeps that of the pet, also with follow-orders', async (t) => {
  const config = { PETSTORE_STATUS_POLICY: 'follow-orders' };
  const app = await startApp(t, { pets: [petRow(1n, 10), petRow(2n, 10)], config });
  await place(app, [[1n, 10]]);
  await imported(app, row(1n, 20), { ...petRow(2n, 0), status: 'pending' }, row(3n, 0));
  const statuses = () => app.database.rows('SELECT status FROM inventory ORDER BY pet_id');
  assert.deepEqual(await statuses(), [['pending'], ['pending'], ['available']]);
  await step(app, 1, 'cancel');
  assert.deepEqual((await statuses())[0], ['available'], 'the next change sets it');
});

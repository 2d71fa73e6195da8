import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, startApp, type TestApp } from '../support/harness.ts';
import { petIdsOf, petRow } from '../support/pet-rows.ts';
import {
  adjust,
  batch,
  getItem,
  movementOf,
  outcome,
  revert,
  update,
  wholeLedger,
} from '../support/stock-requests.ts';
import { linesOf, messageOf, place, take } from './order-requests.ts';

const PETS = [petRow(1n, 10), petRow(2n, 5), petRow(3n, 0, 'sold')];

/** A shop where 6 of the 10 units of pet 1 are reserved, by order 1. */
async function startShop(t: Parameters<typeof startApp>[0]): Promise<TestApp> {
  const app = await startApp(t, { pets: PETS });
  assert.equal((await place(app, linesOf([1, 6]))).status, 201);
  return app;
}

interface Detail {
  readonly quantity: number;
  readonly reserved: number;
  readonly available: number;
  readonly alertLevel: string | null;
  readonly daysOfStock: number | null;
}

async function detailOf(app: TestApp, petId = 1): Promise<Detail> {
  return (await getItem(app, petId)).json as unknown as Detail;
}

function assertReserved(answer: Answer, reserved = 6): void {
  assert.deepEqual(outcome(answer), [409, 'insufficient_stock'], answer.text);
  const message = `Without "takeReserved": true the change cannot take reserved units: petId 1 has quantity 10, of which ${reserved} are reserved, and status available at version 2`;
  assert.ok(messageOf(answer).includes(message), messageOf(answer));
  assert.equal(answer.headers.get('Inventory-Quantity'), '10');
}

test('an adjustment takes reserved units only with takeReserved', async (t) => {
  const app = await startShop(t);
  assertReserved(await adjust(app, 1, { delta: -5 }));
  assertReserved(await adjust(app, 1, { delta: -5, takeReserved: false }));
  assert.equal((await adjust(app, 1, { delta: -11, takeReserved: true })).code, 'insufficient_stock');
  const taken = await adjust(app, 1, { delta: -5, takeReserved: true });
  const { quantityAfter, reservedBefore, reservedAfter, alert } = movementOf(taken);
  assert.deepEqual([quantityAfter, reservedBefore, reservedAfter, alert], [5, 6, 6, 'oversold']);
  const { quantity, reserved, available, alertLevel } = await detailOf(app);
  assert.deepEqual([quantity, reserved, available, alertLevel], [5, 6, -1, 'oversold']);
  // A change that adds is allowed, also where fewer units than none are available.
  assert.equal(movementOf(await adjust(app, 1, { delta: 1 })).alertAfter, 'out');
  assert.equal((await adjust(app, 1, { delta: -1 })).code, 'insufficient_stock');
  for (const takeReserved of ['yes', 1, null, {}]) {
    const answer = await adjust(app, 1, { delta: -1, takeReserved });
    assert.match(String(messageOf(answer)), /^takeReserved must be true or false\. It is /);
  }
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('exactly the units that are not reserved can be taken', async (t) => {
  const app = await startShop(t);
  assert.equal(movementOf(await adjust(app, 1, { delta: -4, reason: 'sold' })).alert, 'out');
  assert.equal((await adjust(app, 1, { delta: -1 })).code, 'insufficient_stock');
  await take(app, 'cancel', 1);
  assert.equal((await adjust(app, 1, { delta: -1 })).status, 201);
});

test('a set is a recount: it may be less than is reserved', async (t) => {
  const app = await startShop(t);
  assert.equal((await update(app, 1, { quantity: 2 })).status, 200);
  assert.deepEqual([(await detailOf(app)).available, (await detailOf(app)).alertLevel], [-4, 'oversold']);
  assert.equal((await place(app, linesOf([1, 1]))).code, 'insufficient_stock');
});

test('a row of a batch takes reserved units only with takeReserved, which a set has not', async (t) => {
  const app = await startShop(t);
  const row = { petId: 1, delta: -5, reason: 'damaged' };
  const refused = await batch(app, { changes: [{ petId: 2, quantity: 4 }, row] });
  assertReserved(refused);
  assert.match(
    messageOf(refused),
    /^changes\[1\] \(petId 1\): .* at version 2\. Nothing was changed\. Send "dryRun"/,
  );
  const setRow = { petId: 1, quantity: 1, takeReserved: true };
  const misplaced = await batch(app, { changes: [setRow] });
  assert.match(messageOf(misplaced), /^changes\[0\]\.takeReserved is not allowed with quantity/);
  const answer = await batch(app, {
    changes: [row, { ...row, takeReserved: true }, { petId: 1, quantity: 1 }],
    errorPolicy: 'reject_failed_rows',
  });
  const { rows } = answer.json as unknown as {
    rows: { code: string; before: Detail; after: Detail | null }[];
  };
  assert.deepEqual(
    rows.map(({ code, before, after }) => [
      code,
      before.quantity,
      before.reserved,
      after?.quantity,
      after?.reserved,
    ]),
    [
      ['insufficient_stock', 10, 6, undefined, undefined],
      ['done', 10, 6, 5, 6],
      ['done', 5, 6, 1, 6],
    ],
  );
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('a revert takes reserved units only with takeReserved, and no step of an order is reverted', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const added = movementOf(await adjust(app, 1, { delta: 5, reason: 'received' })).sequence;
  await place(app, linesOf([1, 12]));
  const refused = await revert(app, added);
  assert.deepEqual(outcome(refused), [409, 'insufficient_stock']);
  assert.match(messageOf(refused), /^Without "takeReserved": true .* quantity 15, of which 12 are reserved/);
  const row = { petId: 1, revert: added };
  const refusedRow = await batch(app, { changes: [row] });
  assert.deepEqual(outcome(refusedRow), [409, 'insufficient_stock']);
  assert.match(messageOf(refusedRow), /^changes\[0\] \(petId 1\): Without "takeReserved": true /);
  const planned = await batch(app, { changes: [{ ...row, takeReserved: true }], dryRun: true });
  const [{ code, after } = assert.fail()] = (
    planned.json as unknown as { rows: { code: string; after: Detail | null }[] }
  ).rows;
  assert.deepEqual([code, after?.quantity, after?.reserved], ['done', 10, 12]);
  const reverted = await revert(app, added, { takeReserved: true });
  assert.deepEqual([movementOf(reverted).quantityAfter, movementOf(reverted).reservedAfter], [10, 12]);
  await take(app, 'approve', 1);
  await take(app, 'deliver', 1, linesOf([1, 2]));
  await take(app, 'return', 1, linesOf([1, 1]));
  await take(app, 'cancel', 1);
  const steps = (await wholeLedger(app)).filter(({ orderId }) => orderId !== null);
  assert.deepEqual(
    steps.map(({ kind }) => kind),
    ['reserve', 'deliver', 'return', 'release'],
  );
  for (const { sequence } of steps) {
    const answer = await revert(app, sequence, { takeReserved: true });
    assert.deepEqual(outcome(answer), [409, 'conflict']);
    assert.equal(
      messageOf(answer),
      `Movement ${sequence} is a step of order 1: cancel the order, or return its units, to undo it. Nothing was changed.`,
    );
    assert.equal(answer.headers.get('Link'), `<${app.config.baseUrl}/store/orders/1>; rel="related"`);
    assert.equal(
      answer.headers.get('ETag'),
      (await getItem(app, 1)).headers.get('ETag')?.replace(/\.\w+"$/, '"'),
    );
  }
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('the item has its days of stock, and its tag changes with them', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const unsold = await getItem(app, 1);
  assert.equal((await detailOf(app)).daysOfStock, null);
  await adjust(app, 1, { delta: -2, reason: 'sold' });
  // 8 units, of which 2 were sold on the only day so far.
  const sold = await getItem(app, 1);
  assert.equal((sold.json as unknown as Detail).daysOfStock, 4);
  const tag = sold.headers.get('ETag') ?? '';
  assert.match(tag, /^"2-4-[0-9a-z]+\.14"$/);
  assert.notEqual(tag, unsold.headers.get('ETag'));
  const bare = tag.replace(/\.\w+"$/, '"');
  assert.equal((await getItem(app, 1, { 'If-None-Match': tag })).status, 304);
  // Bytes of the response to a write have that tag, not those of the item.
  assert.equal((await getItem(app, 1, { 'If-None-Match': bare })).status, 200);
  for (const ifMatch of [tag, bare]) {
    assert.equal((await getItem(app, 1, { 'If-Match': ifMatch })).status, 200, ifMatch);
  }
  app.clock.nowMs += 3 * 86_400_000;
  const later = await getItem(app, 1, { 'If-None-Match': tag });
  assert.equal(later.status, 200, 'the days have changed without a movement');
  assert.equal((later.json as unknown as Detail).daysOfStock, 12);
  // A write compares the state, which is the same.
  const written = await update(app, 1, { quantity: 9 }, { 'If-Match': tag });
  assert.equal(written.status, 200);
  assert.equal((await update(app, 1, { quantity: 9 }, { 'If-Match': tag })).status, 412);
});

test('filters of the list by available units and by alert level, also in the past', async (t) => {
  const app = await startShop(t);
  await update(app, 2, { quantity: 4 });
  const before = (await wholeLedger(app)).length;
  await update(app, 1, { quantity: 3 });
  const listed = async (query: string): Promise<bigint[]> => {
    const { status, text, json } = await app.request('GET', `/v1/inventory?${query}`);
    assert.equal(status, 200, text);
    return petIdsOf(json);
  };
  const expected: readonly (readonly [string, readonly bigint[]])[] = [
    ['availableLte=-4', []],
    ['availableLte=-3', [1n]],
    ['availableLte=0', [1n, 3n]],
    ['availableLte=4', [1n, 2n, 3n]],
    ['availableLte=4&quantityGte=1', [1n, 2n]],
    ['alert=oversold', [1n]],
    ['alert=out', [3n]],
    ['alert=out,oversold', [1n, 3n]],
    ['alert=low', []],
    ['alert=low,out,oversold,low&status=sold', [3n]],
    [`availableLte=0&atSequence=${before}`, [3n]],
    [`availableLte=4&atSequence=${before}`, [1n, 2n, 3n]],
    [`alert=oversold&atSequence=${before}`, []],
    [`availableLte=5&petId=2,3&limit=1`, [2n]],
  ];
  for (const [query, petIds] of expected) assert.deepEqual(await listed(query), petIds, query);
  const page = await app.request('GET', '/v1/inventory?alert=out,oversold&availableLte=0&limit=1');
  const { searchParams } = new URL(/<([^>]+)>/.exec(page.headers.get('Link') ?? '')?.[1] ?? '');
  assert.deepEqual([searchParams.get('alert'), searchParams.get('availableLte')], ['out,oversold', '0']);
  for (const query of [
    'availableLte=1.0',
    'availableLte=-0',
    'availableLte=-9007199254740992',
    'availableLte=',
  ]) {
    assert.deepEqual(outcome(await app.request('GET', `/v1/inventory?${query}`)), [400, 'invalid_parameter']);
  }
  for (const query of ['alert=', 'alert=back', 'alert=low,', 'alert=low, out', 'alert=LOW']) {
    assert.deepEqual(outcome(await app.request('GET', `/v1/inventory?${query}`)), [400, 'invalid_parameter']);
  }
});

test('/store/inventory adds up the reserved and the available units', async (t) => {
  const app = await startShop(t);
  await place(app, linesOf([2, 5]));
  await update(app, 1, { quantity: 1 });
  const { json } = await app.request('GET', '/v1/store/inventory');
  assert.deepEqual(json, { available: 6, pending: 0, sold: 0, reservedUnits: 11, availableUnits: -5 });
});

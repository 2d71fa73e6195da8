import assert from 'node:assert/strict';
import { test } from 'node:test';
import { varianceRows } from '../../src/domain/management/reports/variance-report.ts';
import { petRow } from '../support/command-line.ts';
import { testOnceIn } from '../support/test-database.ts';
import { ADA, assertRefused, BEN, stocktakeShop } from './stocktake-shop.ts';

const once = testOnceIn();

test('a cancel takes back what the counts of a running stock-take changed, and leaves sales and the report', async (t) => {
  const shop = await stocktakeShop(t);
  const { start, count, sell, set, revert, stock, report, stocktakes, store, assertIntact } = shop;
  for (const posting of ['at_count', 'at_close'] as const) {
    const [first, second, third] = [await stock(1), await stock(2), await stock(3)];
    const { id } = await start({ posting });
    await count(id, 1, first - 4);
    await count(id, 1, first - 2);
    await sell(1, 1);
    // A till changes the stock also where counts wait for the close.
    await revert(await revert(await set(2, second + 5, id)));
    await count(id, 3, third);
    const lines = await report(id);
    const cancelled = await stocktakes.cancel(id, BEN);
    assert.deepEqual([await stock(1), await stock(2), await stock(3)], [first - 1, second, third], posting);
    assert.deepEqual([cancelled.undoneBy, cancelled.closedBy], ['key_ben', 'key_ben']);
    assert.equal(cancelled.postedSequence, null);
    const withoutPosted = (all: typeof lines) => all.map((line) => line.toSpliced(4, 1));
    assert.deepEqual(withoutPosted(await report(id)), withoutPosted(lines));
    assert.ok((await report(id)).every(([, , , , posted]) => posted === 0));
    const [entry] = await store.activity.list({ limit: 1 });
    const movements = posting === 'at_count' ? 3 : 1;
    assert.deepEqual(
      [entry?.action, entry?.target, entry?.actor, entry?.details],
      ['stocktakes.cancel', id, 'key_ben', { movements }],
    );
    assert.deepEqual(await stocktakes.cancel(id, ADA), cancelled, 'a second cancel changes nothing');
    await assertIntact();
  }
});

once(
  'a cancelled stock-take takes no count, no close and no undo, and only a running one is cancelled',
  async (t) => {
    const { start, count, stocktakes, stock } = await stocktakeShop(t);
    const { id } = await start();
    await stocktakes.cancel(id, ADA);
    const cancelled = /^The stock-take "Autumn" \(stk_\w{16}\) was cancelled at \d{4}-/;
    await assertRefused(count(id, 1, 3), 'conflict', cancelled);
    await assertRefused(stocktakes.close(id, ADA), 'conflict', cancelled);
    await assertRefused(stocktakes.undo(id, ADA), 'conflict', cancelled);
    const { id: other } = await start();
    await count(other, 1, 8);
    await stocktakes.close(other, ADA);
    await assertRefused(stocktakes.cancel(other, ADA), 'conflict', / was closed at /);
    assert.equal(await stock(1), 8);
    await stocktakes.undo(other, ADA);
    await assertRefused(stocktakes.cancel(other, ADA), 'conflict', / was undone at /);
    const { id: running } = await start();
    for (const [state, expected] of [
      ['running', running],
      ['undone', other],
      ['cancelled', id],
    ] as const) {
      const found = await stocktakes.list({ limit: 10, state });
      assert.deepEqual(
        found.map((one) => one.id),
        [expected],
        state,
      );
    }
    assert.deepEqual(await stocktakes.list({ limit: 10, state: 'closed' }), []);
  },
);

test('a cancelled stock-take is in no way of a prune, which keeps its report', async (t) => {
  const { store, start, count, stocktakes, report, uncounted, stock, assertIntact } = await stocktakeShop(t);
  const { id } = await start();
  await count(id, 1, 8);
  await count(id, 3, 33);
  await stocktakes.cancel(id, ADA);
  const [lines, left] = [await report(id), await uncounted(id)];
  assert.ok((await store.pruneMovements(Number.MAX_SAFE_INTEGER, ADA)).movements > 0);
  const pruned = await stocktakes.cancel(id, BEN);
  assert.deepEqual([pruned.undoneBy, pruned.prunedAtMs !== null], ['key_ada', true]);
  assert.deepEqual(await report(id), lines);
  assert.deepEqual(lines, [
    [1, 10, 8, -2, 0, 1, 'key_ada'],
    [3, 30, 33, 3, 0, 1, 'key_ada'],
  ]);
  assert.deepEqual(await uncounted(id), left);
  assert.deepEqual([await stock(1), await stock(3)], [10, 30]);
  await assertIntact();
});

test('a cancel that cannot be done changes nothing, and names each pet that must be mended', async (t) => {
  const { start, count, sell, set, stock, stocktakes } = await stocktakeShop(t);
  const { id } = await start();
  await count(id, 1, 12);
  await count(id, 2, 25);
  await count(id, 3, 5);
  await count(id, 4, 39);
  await sell(1, 11);
  await sell(2, 22);
  await set(3, Number.MAX_SAFE_INTEGER, null);
  await assertRefused(
    stocktakes.cancel(id, ADA),
    'insufficient_stock',
    /^The stock-take was not cancelled: pet 1 has 1 unit and would have -1; pet 2 has 3 units and would have -2; pet 3 has 9007199254740991 units and would have 9007199254741016, more than 9007199254740991\. Correct the stock of each first\.$/,
  );
  assert.deepEqual([await stock(1), await stock(2), await stock(4)], [1, 3, 39]);
  assert.equal((await stocktakes.find(id)).closedAtMs, null);
  await set(1, 2, null);
  await set(2, 5, null);
  await set(3, 0, null);
  await stocktakes.cancel(id, ADA);
  assert.deepEqual(await Promise.all([1, 2, 3, 4].map(stock)), [0, 0, 25, 40]);
});

test('a refused close, undo or cancel counts all pets that are in the way, and names 20 of them', async (t) => {
  const { store, start, stocktakes, sell, set } = await stocktakeShop(t);
  // More than one write has.
  const petIds = Array.from({ length: 603 }, (_, i) => 1_000 + i);
  await store.importPets(
    petIds.map((petId) => petRow(petId, { name: null, category: null, quantity: 5 })),
    'cli',
  );
  const named = petIds.slice(0, 20);
  const refused = (ended: string, units: number, result: number) => (error: unknown) => {
    const { message, code, headers } = error as { message: string; code: string; headers: object };
    const texts = named.map((petId) => `pet ${petId} has ${units} units and would have ${result}; `);
    assert.ok(
      message.startsWith(`The stock-take was not ${ended}: ${texts.join('')}and 582 more. `),
      message,
    );
    assert.equal(code, 'insufficient_stock');
    const pets = named.map((petId) => `${petId};quantity=${units};result=${result}`).join(', ');
    assert.deepEqual(headers, { 'Inventory-Pets': pets, 'Inventory-Pet-Count': '602' });
    return true;
  };
  const setAll = (quantity: number, referenceId: string | null) =>
    Promise.all(petIds.map((petId) => set(petId, quantity, referenceId)));
  const count = (id: string, petId: number, counted: number) =>
    stocktakes.count(id, { petId: BigInt(petId), counted, note: null, occurredAtMs: null }, ADA);

  const { id: waits } = await start({ posting: 'at_close' });
  for (const petId of petIds) await count(waits, petId, 1);
  await setAll(2, null);
  await set(1_602, 9, null);
  await assert.rejects(stocktakes.close(waits, ADA), refused('closed', 2, -2));

  const { id: mistake } = await start();
  await setAll(7, mistake);
  await Promise.all(petIds.map((petId) => sell(petId, petId === 1_602 ? 1 : 4)));
  await assert.rejects(stocktakes.cancel(mistake, ADA), refused('cancelled', 3, -2));
  await stocktakes.close(mistake, ADA);
  await assert.rejects(stocktakes.undo(mistake, ADA), refused('undone', 3, -2));
});

once('the variance report leaves out what was cancelled, also in the middle of its pages', async (t) => {
  const { start, count, stocktakes } = await stocktakeShop(t);
  const { id: kept } = await start({ name: 'Kept' });
  await count(kept, 1, 9);
  const { id } = await start();
  await count(id, 1, 3);
  await count(id, 2, 30);
  await stocktakes.cancel(id, ADA);
  for (const by of ['total', 'category', 'pet'] as const) {
    for (const after of [undefined, { stocktakeId: id, petId: 1n }]) {
      const rows = (await Array.fromAsync(varianceRows(stocktakes, { by, after }))).flat();
      assert.deepEqual(
        rows.map(({ stocktake, shortage, surplus }) => [stocktake, shortage, surplus]),
        [['Kept', 1n, 0n]],
      );
    }
  }
});

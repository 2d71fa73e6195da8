import assert from 'node:assert/strict';
import { test } from 'node:test';
import { varianceRows } from '../../src/domain/management/reports/variance-report.ts';
import { UNEXPLAINED } from '../../src/domain/ledger/ledger.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { SqlStocktakeStore } from '../../src/store/admin/stocktake-store.ts';
import { DEFAULT_RULES } from '../../src/store/open-admin.ts';
import { openAdminEngine } from '../../src/store/open-engine.ts';
import type { SqlReader } from '../../src/store/sql-client.ts';
import { COUNT_ROWS, readCountedPets } from '../../src/store/stocktakes/stocktake-lines.ts';
import { testOnceIn } from '../support/test-database.ts';
import { ADA, assertRefused, BEN, stocktakeShop } from './stocktake-shop.ts';

const once = testOnceIn();

test('a count sets the stock, and one that equals the stock is a fact too', async (t) => {
  const { start, count, report, stock, uncounted, assertIntact, store } = await stocktakeShop(t);
  const { id } = await start();
  const first = await count(id, 1, 8);
  assert.equal(first.quantity, 8);
  const equal = await count(id, 2, 20, {}, BEN);
  assert.equal(equal.sequence, first.sequence + 1);
  assert.deepEqual(await report(id), [
    [1, 10, 8, -2, -2, 1, 'key_ada'],
    [2, 20, 20, 0, 0, 1, 'key_ben'],
  ]);
  assert.deepEqual(await report(id, true), [[1, 10, 8, -2, -2, 1, 'key_ada']]);
  assert.deepEqual(await report(id, false), [[2, 20, 20, 0, 0, 1, 'key_ben']]);
  assert.deepEqual(await uncounted(id), [3, 4, 5]);
  assert.equal(await stock(1), 8);
  const [entry] = await store.activity.list({ limit: 1, action: 'stocktakes.count' });
  assert.equal(entry?.target, id);
  await assertIntact();
});

once('sales are no variance, before a count and after it', async (t) => {
  const { start, count, sell, report, stock, stocktakes } = await stocktakeShop(t);
  for (const posting of ['at_count', 'at_close'] as const) {
    const before = await stock(5);
    const { id } = await start({ posting });
    await sell(5, 3);
    await count(id, 5, before - 4);
    await sell(5, 2);
    const posted = posting === 'at_count' ? -1 : 0;
    assert.deepEqual(await report(id), [[5, before - 3, before - 4, -1, posted, 1, 'key_ada']]);
    await stocktakes.close(id, ADA);
    assert.deepEqual(await report(id), [[5, before - 3, before - 4, -1, -1, 1, 'key_ada']]);
    assert.equal(await stock(5), before - 6, posting);
  }
});

once('a recount replaces the count before, whose correction is no variance', async (t) => {
  const { start, count, sell, report, stock } = await stocktakeShop(t);
  const { id } = await start();
  await count(id, 1, 4);
  await sell(1, 1);
  await count(id, 1, 8, {}, BEN);
  // Without the stock-take there would be 9.
  assert.deepEqual(await report(id), [[1, 9, 8, -1, -1, 2, 'key_ben']]);
  assert.equal(await stock(1), 8);
});

test('counts that wait for the close leave the stock, which the close corrects', async (t) => {
  const { start, count, sell, report, stock, stocktakes, assertIntact } = await stocktakeShop(t);
  const { id } = await start({ posting: 'at_close' });
  assert.equal((await count(id, 1, 7)).quantity, 10);
  await count(id, 2, 20);
  await count(id, 3, 40);
  await count(id, 3, 31);
  await sell(1, 2);
  assert.deepEqual(await report(id), [
    [1, 10, 7, -3, 0, 1, 'key_ada'],
    [2, 20, 20, 0, 0, 1, 'key_ada'],
    [3, 30, 31, 1, 0, 2, 'key_ada'],
  ]);
  assert.deepEqual([await stock(1), await stock(3)], [10 - 2, 30]);
  assert.equal((await stocktakes.totals(id)).unposted, 2);
  const closed = await stocktakes.close(id, BEN);
  assert.equal(closed.closedBy, 'key_ben');
  assert.deepEqual([await stock(1), await stock(2), await stock(3)], [5, 20, 31]);
  assert.deepEqual(await report(id, true), [
    [1, 10, 7, -3, -3, 1, 'key_ada'],
    [3, 30, 31, 1, 1, 2, 'key_ada'],
  ]);
  await assertIntact();
});

once('totals say what is counted, what is not, and what differs', async (t) => {
  const { start, count, stocktakes } = await stocktakeShop(t);
  const { id } = await start({ scope: { category: 'Dogs' } });
  await count(id, 1, 6);
  await count(id, 3, 33);
  await count(id, 2, 20);
  const { sequence: _, ...totals } = await stocktakes.totals(id);
  assert.deepEqual(totals, {
    counted: 3,
    uncounted: 1,
    differences: 2,
    surplus: 3n,
    shortage: 4n,
    unposted: 0,
  });
});

once('totals are those of the variance report, also beyond what a number holds', async (t) => {
  const { start, count, stocktakes } = await stocktakeShop(t);
  const most = Number.MAX_SAFE_INTEGER;
  const { id } = await start({ posting: 'at_close' });
  for (const [petId, counted] of [
    [1, most],
    [2, most - 2],
    [3, most - 2],
    [4, 0],
  ] as const) {
    await count(id, petId, counted);
  }
  const { surplus, shortage } = await stocktakes.totals(id);
  const rows = (await Array.fromAsync(varianceRows(stocktakes, { by: 'total' }))).flat();
  assert.deepEqual([surplus, shortage], [rows[0]?.surplus, rows[0]?.shortage]);
  assert.deepEqual([surplus, shortage], [3n * 2n ** 53n - 67n, 40n]);
});

once('what is added after the close is no part of it', async (t) => {
  const { start, stocktakes, store, uncounted } = await stocktakeShop(t);
  const { id } = await start();
  const { closedAtMs } = await stocktakes.close(id, ADA);
  while ((await store.now()) <= (closedAtMs ?? 0));
  const none = { name: null, category: null, lowStockAt: null, restockAt: null };
  await store.pets.create({ petId: 9n, quantity: 1, status: 'available', ...none }, ADA);
  assert.deepEqual(await uncounted(id), [1, 2, 3, 4, 5]);
});

test('a scope is a filter of pets', async (t) => {
  const { start, uncounted, store, sell } = await stocktakeShop(t);
  await store.pets.update(1n, { sku: 'LEASH-1', lowStockAt: 30 }, ADA);
  await sell(4, 40);
  const scoped = async (scope: Parameters<typeof start>[0]) => uncounted((await start(scope)).id);
  assert.deepEqual(await scoped({ scope: {} }), [1, 2, 3, 4, 5]);
  assert.deepEqual(await scoped({ scope: { category: 'Dogs' } }), [1, 3, 5]);
  assert.deepEqual(await scoped({ scope: { query: 'dog pet' } }), [1, 3, 5]);
  assert.deepEqual(await scoped({ scope: { query: 'LEASH-1' } }), [1]);
  assert.deepEqual(await scoped({ scope: { query: '-' } }), []);
  assert.deepEqual(await scoped({ scope: { alertLevels: ['low'] } }), [1]);
  assert.deepEqual(await scoped({ scope: { status: 'pending' } }), []);
  await store.pets.archive(4n, ADA);
  assert.deepEqual(await scoped({ scope: { category: 'Cats' } }), [2]);
});

once('a set with the reference counts, and what is not a count does not', async (t) => {
  const { start, set, sell, report, stocktakes, store } = await stocktakeShop(t);
  const early = 'stk_0000000000000000';
  await set(1, 9, early);
  const { id } = await start();
  await set(1, 7, id);
  await set(2, 18, 'stk_other');
  await set(3, 28, null);
  const author = { actor: 'key_till', requestId: null };
  const explanation = {
    reason: 'sold',
    note: null,
    referenceDocumentUri: null,
    referenceId: id,
    occurredAtMs: null,
  } as const;
  // An adjustment that names the stock-take is a sale like any other.
  await store.write(
    { kind: 'change', change: { kind: 'adjust', petId: 1n, delta: -2, explanation } },
    author,
  );
  assert.deepEqual(await report(id), [[1, 9, 7, -2, -2, 1, 'cli']]);
  await stocktakes.close(id, ADA);
  await set(4, 1, id);
  await sell(1, 1);
  assert.deepEqual(await report(id), [[1, 9, 7, -2, -2, 1, 'cli']]);
});

test('the undo of a count takes it out of the report, and its redo brings it back', async (t) => {
  const { start, count, revert, report, stock, uncounted, stocktakes, assertIntact } = await stocktakeShop(t);
  const { id } = await start();
  const first = await count(id, 1, 8);
  const undone = await revert(first.sequence);
  assert.deepEqual(await report(id), []);
  assert.deepEqual(await uncounted(id), [1, 2, 3, 4, 5]);
  await revert(undone);
  assert.deepEqual(await report(id), [[1, 10, 8, -2, -2, 1, 'key_ada']]);
  await count(id, 1, 9, {}, BEN);
  assert.deepEqual(await report(id), [[1, 10, 9, -1, -1, 2, 'key_ben']]);
  // Without its second revert the first count did not happen: the variance is posted again at the close.
  await revert(undone + 1);
  assert.deepEqual(await report(id), [[1, 10, 9, -1, 1, 1, 'key_ben']]);
  assert.equal((await stocktakes.totals(id)).unposted, 1);
  await stocktakes.close(id, ADA);
  assert.deepEqual(await report(id), [[1, 10, 9, -1, -1, 1, 'key_ben']]);
  assert.equal(await stock(1), 9);
  await stocktakes.undo(id, ADA);
  assert.deepEqual(await report(id), [[1, 10, 9, -1, 0, 1, 'key_ben']]);
  assert.equal(await stock(1), 10);
  await assertIntact();
});

test('a report takes no statement per revert of a count', async (t) => {
  const { start, count, revert, stocktakes, database } = await stocktakeShop(t);
  const { id } = await start();
  const engine = await openAdminEngine(database.url);
  t.after(() => engine.close());
  let statements = 0;
  const client: SqlReader = {
    all: (sql, values) => {
      statements += 1;
      return engine.all(sql, values);
    },
  };
  let { sequence } = await count(id, 1, 8);
  for (const reverts of [1, 20]) {
    for (let i = 0; i < reverts; i += 1) sequence = await revert(sequence);
    statements = 0;
    const { pets } = await readCountedPets(client, await stocktakes.find(id));
    assert.deepEqual([pets.length, pets[0]?.line, pets[0]?.effective], [1, undefined, []]);
    assert.equal(statements, 2);
  }
});

once('an undo takes back what was posted, once, and leaves later sales', async (t) => {
  const { start, count, sell, stock, stocktakes, report, assertIntact } = await stocktakeShop(t);
  for (const posting of ['at_count', 'at_close'] as const) {
    const before = [await stock(1), await stock(2), await stock(3)] as const;
    const { id } = await start({ posting });
    await assertRefused(
      stocktakes.undo(id, ADA),
      'conflict',
      /"Autumn" \(stk_\w{16}\) is running; close or cancel it\.$/,
    );
    await count(id, 1, before[0] - 2);
    await count(id, 2, before[1] + 5);
    await count(id, 2, before[1] + 3);
    await count(id, 3, before[2]);
    await stocktakes.close(id, ADA);
    await sell(2, 1);
    const undone = await stocktakes.undo(id, BEN);
    assert.equal(undone.undoneBy, 'key_ben');
    assert.deepEqual([await stock(1), await stock(2), await stock(3)], [before[0], before[1] - 1, before[2]]);
    assert.deepEqual(await stocktakes.undo(id, ADA), undone);
    assert.equal(
      (await report(id)).every(([, , , , posted]) => posted === 0),
      true,
      posting,
    );
    await assertIntact();
  }
});

test('a close and an undo take units that orders have reserved, with their own reasons', async (t) => {
  const { start, count, stock, stocktakes, store, database, assertIntact } = await stocktakeShop(t);
  const reserve = (petId: bigint, quantity: number) =>
    store.write({ kind: 'place', lines: [{ petId, quantity }], explanation: UNEXPLAINED }, CLI_AUTHOR);
  const { id } = await start({ posting: 'at_close' });
  await reserve(1n, 9);
  await count(id, 1, 4);
  await count(id, 2, 25);
  await stocktakes.close(id, ADA);
  assert.deepEqual([await stock(1), await stock(2)], [4, 25]);
  await reserve(2n, 24);
  await stocktakes.undo(id, ADA);
  assert.deepEqual([await stock(1), await stock(2)], [10, 20]);
  const reasons = `SELECT kind, reason FROM movements WHERE reference_id = '${id}' AND kind <> 'set' ORDER BY sequence`;
  assert.deepEqual(await database.rows(reasons), [
    ['adjust', 'cycle_count'],
    ['adjust', 'cycle_count'],
    ['revert', 'correction'],
    ['revert', 'correction'],
  ]);
  await assertIntact();
});

test('a close and an undo that cannot be done change nothing, and name the pet', async (t) => {
  const { start, count, sell, stock, stocktakes } = await stocktakeShop(t);
  const { id } = await start({ posting: 'at_close' });
  await count(id, 1, 12);
  await count(id, 2, 5);
  await sell(2, 12);
  await assertRefused(
    stocktakes.close(id, ADA),
    'insufficient_stock',
    /^The stock-take was not closed: pet 2 has 8 units and would have -7\. Count it again\.$/,
  );
  assert.equal(await stock(1), 10);
  await count(id, 2, 8);
  await stocktakes.close(id, ADA);
  await sell(1, 11);
  await assertRefused(
    stocktakes.undo(id, ADA),
    'insufficient_stock',
    /^The stock-take was not undone: pet 1 has 1 unit and would have -1\. Correct its stock first\.$/,
  );
  assert.equal((await stocktakes.find(id)).undoneAtMs, null);
});

test('an undo that would exceed the largest quantity changes nothing, and says so', async (t) => {
  const { start, count, set, stock, stocktakes } = await stocktakeShop(t);
  const { id } = await start();
  await count(id, 1, 4);
  await count(id, 2, 5);
  await stocktakes.close(id, ADA);
  await set(2, Number.MAX_SAFE_INTEGER, null);
  await assertRefused(
    stocktakes.undo(id, ADA),
    'conflict',
    /^The stock-take was not undone: pet 2 has 9007199254740991 units and would have 9007199254741006, more than 9007199254740991\. /,
  );
  assert.equal(await stock(1), 4);
  assert.equal((await stocktakes.find(id)).undoneAtMs, null);
});

test('an undo is refused for what a pet would have in the end, not for the sum of what was taken', async (t) => {
  const { start, count, sell, set, stock, stocktakes, database, assertIntact } = await stocktakeShop(t);
  const most = Number.MAX_SAFE_INTEGER;
  const { id } = await start();
  for (const counted of [0, 40]) await count(id, 4, counted);
  await sell(4, 20);
  for (const counted of [most, 0, most]) await count(id, 1, counted);
  await count(id, 5, 0);
  await stocktakes.close(id, ADA);
  const engine = await openAdminEngine(database.url);
  t.after(() => engine.close());
  const limited = new SqlStocktakeStore(engine, { ...DEFAULT_RULES, maxQuantity: 50 });
  await set(5, 1, null);
  const refusal = /^The stock-take was not undone: pet 5 has 1 unit and would have 51, more than 50\. /;
  await assertRefused(limited.undo(id, ADA), 'conflict', refusal);
  assert.deepEqual([await stock(1), await stock(4)], [most, 20]);
  await set(5, 0, null);
  await limited.undo(id, ADA);
  assert.deepEqual([await stock(1), await stock(4), await stock(5)], [10, 20, 50]);
  await assertIntact();
});

test('a close is exact where a stock-take changed more units than a number holds', async (t) => {
  const { start, count, set, report, stock, stocktakes } = await stocktakeShop(t);
  const most = Number.MAX_SAFE_INTEGER;
  const running = [];
  for (const [petId, posting] of [
    [1, 'at_count'],
    [3, 'at_close'],
  ] as const) {
    const { id } = await start({ posting });
    for (const units of [1, 2, 4]) {
      await set(petId, most, id);
      await set(petId, units, null);
    }
    await count(id, petId, most - 1);
    running.push({ id, petId });
  }
  for (const { id, petId } of running) {
    assert.equal((await report(id))[0]?.[3], most, 'the variance is one that JSON readers hold exactly');
    await stocktakes.close(id, ADA);
    assert.equal(await stock(petId), most - 1);
    assert.deepEqual(await report(id), [[petId, -1, most - 1, most, most, 4, 'key_ada']]);
    assert.equal((await stocktakes.totals(id)).unposted, 0);
  }
});

once('a closed stock-take takes no count, and is closed once', async (t) => {
  const { start, count, stocktakes, stock } = await stocktakeShop(t);
  const { id } = await start();
  const closed = await stocktakes.close(id, ADA);
  await assertRefused(count(id, 1, 3), 'conflict', /^The stock-take "Autumn" \(stk_\w+\) was closed at /);
  assert.deepEqual(await stocktakes.close(id, BEN), closed);
  assert.equal(await stock(1), 10);
  await assertRefused(stocktakes.find('stk_none'), 'not_found', /^There is no stock-take "stk_none"\.$/);
  await assertRefused(count((await start()).id, 77, 1), 'not_found', /^There is no pet with petId 77\.$/);
});

once('a count with the same idempotency key is recorded once', async (t) => {
  const { start, stocktakes, sell, stock, report } = await stocktakeShop(t);
  for (const posting of ['at_count', 'at_close'] as const) {
    const { id } = await start({ posting });
    const before = await stock(1);
    const sent = { petId: 1n, counted: before - 1, note: null, occurredAtMs: null };
    const key = { scope: `count ${posting}`, fingerprint: 'a' };
    const first = await stocktakes.count(id, sent, ADA, key);
    await sell(1, 1);
    assert.deepEqual(await stocktakes.count(id, sent, ADA, key), { ...first, isReplayed: true });
    await stocktakes.close(id, ADA);
    assert.deepEqual(await stocktakes.count(id, sent, ADA, key), { ...first, isReplayed: true });
    await assertRefused(
      stocktakes.count(id, sent, ADA, { ...key, fingerprint: 'b' }),
      'idempotency_key_reused',
      /was used for another request/,
    );
    assert.equal((await report(id))[0]?.[5], 1);
    assert.equal(await stock(1), before - 2);
  }
});

test('a count that is repeated was counted, whatever has become of the largest quantity', async (t) => {
  const { start, sell, set, stocktakes, database } = await stocktakeShop(t);
  const engine = await openAdminEngine(database.url);
  t.after(() => engine.close());
  const limited = new SqlStocktakeStore(engine, { ...DEFAULT_RULES, maxQuantity: 5 });
  for (const posting of ['at_count', 'at_close'] as const) {
    const { id } = await start({ posting });
    const sent = { petId: 1n, counted: 12, note: null, occurredAtMs: null };
    const key = { scope: `limit ${posting}`, fingerprint: 'a' };
    await set(1, 12, null);
    const first = await limited.count(id, sent, ADA, key);
    await sell(1, 6);
    assert.deepEqual(await limited.count(id, sent, ADA, key), { ...first, isReplayed: true });
    await assertRefused(
      limited.count(id, sent, ADA, { scope: `new ${posting}`, fingerprint: 'a' }),
      'validation_failed',
      /^counted: must be at most 6, the largest quantity/,
    );
    await stocktakes.cancel(id, ADA);
  }
});

test('a count holds only for the state that it names, up to the largest quantity', async (t) => {
  const { start, count, sell, stock } = await stocktakeShop(t);
  const { id } = await start();
  const { tag } = await count(id, 1, 9);
  await sell(1, 1);
  await assertRefused(
    count(id, 1, 9, { ifMatch: [tag] }),
    'precondition_failed',
    /^If-Match .* pet 1 is now/,
  );
  assert.equal(await stock(1), 8);
  await assertRefused(
    count(id, 1, Number.MAX_SAFE_INTEGER + 1),
    'validation_failed',
    /^counted: must be at most 9007199254740991/,
  );
});

once('pages of the report and of what is left fit together', async (t) => {
  const { start, count, stocktakes } = await stocktakeShop(t);
  const { id } = await start();
  for (const petId of [1, 3, 4]) await count(id, petId, petId);
  const seen: bigint[] = [];
  let after: bigint | undefined;
  do {
    const { lines, next } = await stocktakes.lines(id, { limit: 1, after });
    assert.ok(lines.length <= 1);
    seen.push(...lines.map(({ petId }) => petId));
    after = next;
  } while (after !== undefined);
  assert.deepEqual(seen, [1n, 3n, 4n]);
  const left = await stocktakes.uncounted(id, { limit: 1 });
  assert.deepEqual([left.pets[0]?.petId, left.next], [2n, 2n]);
  const rest = await stocktakes.uncounted(id, { limit: 1, after: 2n });
  assert.equal(rest.pets[0]?.petId, 5n);
});

test('many counts of one pet, and many pets, are read in parts', async (t) => {
  const { start, stocktakes, store, report, database } = await stocktakeShop(t);
  const rows = Array.from({ length: 2_500 }, (_, i) => ({
    petId: BigInt(1_000 + i),
    name: null,
    category: null,
    quantity: 5,
    status: 'available' as const,
  }));
  await store.importPets(rows, 'cli');
  const { id } = await start();
  const explanation = {
    reason: 'cycle_count',
    note: null,
    referenceDocumentUri: null,
    referenceId: id,
    occurredAtMs: null,
  } as const;
  const batch = (petIds: readonly bigint[], quantity: (i: number) => number) =>
    store.write(
      {
        kind: 'batch',
        changes: petIds.map((petId, i) => ({ kind: 'set', petId, quantity: quantity(i), explanation })),
        errorPolicy: 'reject_everything',
        isDryRun: false,
      },
      ADA,
    );
  // 2,100 counts of pet 1,000, then one of each other pet.
  await batch(Array<bigint>(2_100).fill(1_000n), (i) => i);
  await batch(
    rows.map(({ petId }) => petId),
    (i) => (i % 2 === 0 ? 5 : 4),
  );
  const totals = await stocktakes.totals(id);
  assert.deepEqual([totals.counted, totals.uncounted, totals.differences], [2_500, 5, 1_250]);
  const [first] = await report(id);
  assert.deepEqual(first?.slice(0, 6), [1_000, 5, 5, 0, 0, 2_101]);
  await stocktakes.close(id, ADA);
  await stocktakes.undo(id, ADA);
  const undone = await stocktakes.totals(id);
  assert.deepEqual([undone.counted, undone.differences, undone.unposted], [2_500, 1_250, 1_250]);

  const values = [id, '1200', '-1', '9223372036854775807'];
  const sql = COUNT_ROWS.replaceAll(/\$(\d)/g, (_, place: string) => `'${values[Number(place) - 1]}'`);
  const explain = database.url.startsWith('postgres') ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
  const plan = JSON.stringify(await database.rows(`${explain} ${sql}`));
  assert.match(plan, /movements_stocktakes/);
  assert.doesNotMatch(plan, /Seq Scan on movements|SCAN movements/);
});

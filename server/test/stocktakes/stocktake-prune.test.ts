import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADA, assertRefused, stocktakeShop } from './stocktake-shop.ts';

const LATER = Number.MAX_SAFE_INTEGER;

test('a prune that would cut a running stock-take is refused, and names it', async (t) => {
  const { store, start, count, sell, stocktakes, report, stock, assertIntact } = await stocktakeShop(t);
  const { id } = await start({ name: 'Spring' });
  await count(id, 1, 8);
  await sell(1, 1);
  const cut = (work: Promise<unknown>) =>
    assertRefused(
      work,
      'conflict',
      /^The stock-take "Spring" \(stk_\w{16}\) runs since .*nothing was pruned/,
    );
  await cut(store.previewPrune(LATER));
  await cut(store.pruneMovements(LATER, ADA));
  const lines = await report(id);
  assert.deepEqual(lines, [[1, 10, 8, -2, -2, 1, 'key_ada']]);
  await stocktakes.close(id, ADA);
  assert.ok((await store.pruneMovements(LATER, ADA)).movements > 0);
  assert.deepEqual(await report(id), lines);
  assert.equal(await stock(1), 7);
  await assertIntact();
});

test('a prune that ends before a running stock-take is done', async (t) => {
  const { store, start, count, sell, report } = await stocktakeShop(t);
  await sell(2, 1);
  await sell(2, 1);
  const { id } = await start();
  const { sequence } = await count(id, 1, 8);
  const movement = (await store.pruneMovements((await store.now()) - 1_000_000, ADA)).start.sequence;
  assert.ok(movement < sequence);
  assert.deepEqual(await report(id), [[1, 10, 8, -2, -2, 1, 'key_ada']]);
});

test('the report, totals and left pets of a closed stock-take outlive a prune, and no undo follows it', async (t) => {
  const { store, database, start, count, sell, stocktakes, report, uncounted, assertIntact } =
    await stocktakeShop(t);
  const { id } = await start({ posting: 'at_close' });
  await count(id, 1, 7);
  await count(id, 3, 30);
  await count(id, 1, 8);
  await stocktakes.close(id, ADA);
  await sell(1, 1);
  await sell(3, 1);
  const { sequence: _, ...totals } = await stocktakes.totals(id);
  const lines = (await stocktakes.lines(id, { limit: 10 })).lines;
  await store.pruneMovements(LATER, ADA);
  const pruned = await stocktakes.find(id);
  assert.ok(pruned.prunedAtMs !== null);
  assert.deepEqual((await stocktakes.lines(id, { limit: 10 })).lines, lines);
  assert.deepEqual(await report(id, true), [[1, 10, 8, -2, -2, 2, 'key_ada']]);
  const { sequence: __, ...after } = await stocktakes.totals(id);
  assert.deepEqual(after, totals);
  assert.deepEqual(await uncounted(id), [2, 4, 5]);
  const page = await stocktakes.lines(id, { limit: 1 });
  assert.equal(page.next, 1n);
  assert.deepEqual((await stocktakes.lines(id, { limit: 1, after: 1n })).lines, lines.slice(1));
  assert.deepEqual(await database.rows('SELECT * FROM stocktake_counts'), []);
  await assertRefused(
    stocktakes.undo(id, ADA),
    'conflict',
    /^The stock-take "Autumn" .* cannot be undone: a prune deleted its movements at /,
  );
  await assertIntact();
  // Another prune leaves the report.
  await sell(1, 1);
  await store.pruneMovements(LATER, ADA);
  assert.deepEqual((await stocktakes.lines(id, { limit: 10 })).lines, lines);
});

test('a stock-take that took more units than a number holds has nothing left to post, also after a prune', async (t) => {
  const { store, start, count, set, stocktakes } = await stocktakeShop(t);
  const { id } = await start({ posting: 'at_count' });
  for (let counts = 0; counts < 3; counts += 1) {
    await set(1, Number.MAX_SAFE_INTEGER, null);
    await count(id, 1, 5);
  }
  await stocktakes.close(id, ADA);
  const { lines } = await stocktakes.lines(id, { limit: 10 });
  const { unposted } = await stocktakes.totals(id);
  assert.equal(unposted, 0);
  await store.pruneMovements(LATER, ADA);
  assert.deepEqual((await stocktakes.lines(id, { limit: 10 })).lines, lines);
  assert.equal((await stocktakes.totals(id)).unposted, 0);
});

test('verify finds a count that no movement explains', async (t) => {
  const { store, database, start, count } = await stocktakeShop(t);
  const { id } = await start({ posting: 'at_close' });
  const { sequence } = await count(id, 1, 7);
  await database.run(`UPDATE stocktake_counts SET sequence = 1 WHERE sequence = ${sequence}`);
  const { faults, findings } = await store.verify();
  assert.deepEqual(faults, ['Movement 1 has a count of no stock-take.']);
  assert.deepEqual(findings, [{ code: 'history', count: 1 }]);
});

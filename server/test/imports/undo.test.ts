import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { NO_THRESHOLDS } from '@petstore-inventory/shared/thresholds';
import { UNEXPLAINED } from '../../src/domain/ledger/ledger.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { Import } from '../../src/domain/management/imports.ts';
import { petRow } from '../support/command-line.ts';
import { ImportShop, STAFF } from './import-shop.ts';

type Shop = Awaited<ReturnType<typeof shopWith>>;

/** A shop with pets 1 to `count` of 10 units each. */
async function shopWith(t: TestContext, count = 4) {
  const shop = await ImportShop.open(t);
  await shop.importRows(
    Array.from({ length: count }, (_, i) => petRow(i + 1, { name: `Pet ${i + 1}`, quantity: 10 })),
  );
  const { store } = shop;
  /** Applies a file. */
  const applied = async (file: string, mode: 'set' | 'add' = 'set') => {
    const { id } = await shop.planned(file, 'csv', mode);
    const done = await shop.apply(id);
    assert.equal(done.state, 'applied');
    return done;
  };
  /** Plans the undo of an import. */
  const undoOf = async ({ id }: Pick<Import, 'id'>, maxQuantity?: number) => {
    const undo = await store.imports.undo(id, STAFF);
    await shop.runJobs(undefined, maxQuantity);
    return shop.find(undo.id);
  };
  const sell = async (petId: number, units: number) => {
    const change = { kind: 'adjust', petId: BigInt(petId), delta: -units } as const;
    assert.equal((await store.write({ kind: 'change', change }, CLI_AUTHOR)).kind, 'single');
  };
  /** Reverts the newest movement of a pet. */
  const revert = async (petId: number) => {
    const newest = `SELECT max(sequence) FROM movements WHERE pet_id = ${petId}`;
    const [[sequence] = []] = await shop.database.rows(newest);
    const command = { kind: 'revert', sequence: Number(sequence), explanation: UNEXPLAINED } as const;
    const result = await store.write(command, CLI_AUTHOR);
    assert.ok(result.kind === 'single' && result.code === 'done', JSON.stringify(result.kind));
  };
  const pet = async (petId: number) => {
    const found = await store.pets.find(BigInt(petId)).catch(() => undefined);
    if (!found) return undefined;
    const [reorder] = await store.reorders.rows([BigInt(petId)]);
    const { name, category, quantity, status, sku, barcodes, lowStockAt, restockAt } = found;
    return {
      name,
      category,
      quantity,
      status,
      sku,
      barcodes,
      lowStockAt,
      restockAt,
      supplier: reorder?.supplier,
    };
  };
  const quantities = async (...petIds: readonly number[]) =>
    Promise.all(petIds.map(async (petId) => (await pet(petId))?.quantity));
  const faultsOf = ({ faults }: Import) => faults.map(({ line, field, code }) => [line, field, code]);
  return { shop, store, applied, undoOf, sell, revert, pet, quantities, faultsOf };
}

const refusalOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    ({ message }: Error) => message,
  );

async function isVerified({ store }: Shop) {
  assert.deepEqual((await store.verify()).faults, []);
}

test('an undo gives units back, so that sales in between count, and is previewed as any import', async (t) => {
  const it = await shopWith(t);
  const { shop, applied, undoOf, sell, quantities } = it;
  const file = await applied('petId,quantity\n1,25\n2,3\n3,10\n9,5\n');
  await sell(1, 4);
  await sell(2, 1);
  await sell(9, 2);
  const undo = await undoOf(file);
  assert.deepEqual(
    [undo.state, undo.undoes, undo.mode, undo.fileName, undo.facts, undo.counts, it.faultsOf(undo)],
    [
      ...['invalid', file.id, 'add', 'pets.csv', null],
      { new: 0, changed: 2, unchanged: 0 },
      [[5, 'quantity', 'sum_below_zero']],
    ],
  );
  assert.deepEqual(
    (await shop.rows(undo.id)).map(({ petId, line, before, after }) => [
      petId,
      line,
      before?.quantity,
      after?.quantity,
    ]),
    [
      [1n, 2, 21, 6],
      [2n, 3, 2, 9],
    ],
  );
  assert.deepEqual(await quantities(1, 2, 3, 9), [21, 2, 10, 3], 'nothing changes before it is applied');
  assert.equal((await shop.apply(undo.id, true)).state, 'applied');
  assert.deepEqual(await quantities(1, 2, 3, 9), [6, 9, 10, 3]);
  assert.equal((await shop.find(file.id)).undoneBy, undo.id);
  const movements = await shop.database.rows(
    `SELECT pet_id, kind, actor FROM movements WHERE reference_id = '${undo.id}' ORDER BY pet_id`,
  );
  assert.deepEqual(
    movements.map(([petId, ...rest]) => [Number(petId), ...rest]),
    [
      [1, 'import', STAFF.actor],
      [2, 'import', STAFF.actor],
    ],
  );
  assert.deepEqual((await shop.actions()).slice(-2), [
    ['imports.undo', STAFF.actor],
    ['imports.apply', STAFF.actor],
  ]);
  await isVerified(it);
});

const FIELDS = 'petId,name,category,quantity,status,sku,barcodes,lowStockAt,restockAt,supplier\n';

test('each field gets its earlier value back, also none, and one that was changed since stays', async (t) => {
  const it = await shopWith(t);
  const { shop, store, applied, undoOf, pet } = it;
  await shop.importRows([petRow(5, { name: null, category: null, quantity: 1 })]);
  await applied(`${FIELDS}1,Rex,Dogs,10,available,A-1,4006381333931,2,4,Zoo\n`);
  const before = [await pet(1), await pet(2), await pet(5)];
  const row = (petId: number) => `${petId},New,Cats,7,pending,B-${petId},${petId}-x,5,9,Reef\n`;
  const file = await applied(`${FIELDS}${row(1)}${row(2)}${row(5)}`);
  await store.pets.update(2n, { name: 'Later' }, CLI_AUTHOR);
  await store.pets.update(2n, { lowStockAt: 6, restockAt: 9 }, CLI_AUTHOR);
  await store.reorders.update(2n, { supplier: 'Aqua' }, CLI_AUTHOR);
  const undo = await undoOf(file);
  assert.deepEqual([undo.state, undo.counts], ['planned', { new: 0, changed: 3, unchanged: 0 }]);
  const rows = await shop.rows(undo.id);
  assert.deepEqual(
    rows.map(({ after }) => [after?.name, after?.category, after?.sku, after?.barcodes, after?.supplier]),
    [
      ['Rex', 'Dogs', 'A-1', ['4006381333931'], 'Zoo'],
      ['Later', null, null, [], 'Aqua'],
      [null, null, null, [], null],
    ],
  );
  assert.equal((await shop.apply(undo.id)).state, 'applied');
  const [first, second, fifth] = before;
  assert.deepEqual([await pet(1), await pet(5)], [first, fifth]);
  assert.deepEqual(await pet(2), {
    ...second,
    ...{ name: 'Later', supplier: 'Aqua', lowStockAt: 6, restockAt: 9 },
  });
  const found = await Promise.all(
    ['Rex', 'New', 'Later'].map((query) => store.pets.list({ query, archived: 'include', limit: 9 })),
  );
  assert.deepEqual(
    found.map(({ pets }) => pets.map(({ petId }) => petId)),
    [[1n], [], [2n]],
    'the search index follows',
  );
  await isVerified(it);
  const redo = await undoOf(undo);
  assert.equal((await shop.apply(redo.id)).state, 'applied');
  assert.deepEqual(await pet(1), {
    ...{ name: 'New', category: 'Cats', quantity: 7, status: 'pending', sku: 'B-1', barcodes: ['1-x'] },
    ...{ lowStockAt: 5, restockAt: 9, supplier: 'Reef' },
  });
  assert.deepEqual([(await pet(5))?.name, (await pet(5))?.barcodes], ['New', ['5-x']]);
  assert.equal((await pet(2))?.name, 'Later');
  await isVerified(it);
});

test('a pet that the import made stays without units, and one that was deleted is left out', async (t) => {
  const it = await shopWith(t, 1);
  const { shop, store, applied, undoOf, quantities } = it;
  const file = await applied('petId,name,quantity\n1,Rex,9\n5,Five,3\n6,Six,3\n7,Seven,3\n8,Eight,0\n');
  await store.pets.delete(6n, CLI_AUTHOR);
  await store.pets.delete(7n, CLI_AUTHOR);
  await applied('petId,name,quantity\n7,Another,20\n');
  const undo = await undoOf(file);
  assert.deepEqual([undo.state, undo.counts], ['planned', { new: 0, changed: 2, unchanged: 1 }]);
  await shop.apply(undo.id);
  assert.deepEqual(await quantities(1, 5, 6, 7, 8), [10, 0, undefined, 20, 0]);
  assert.equal((await it.pet(5))?.name, 'Five');
  await isVerified(it);
});

test('an undo that would change nothing is not applied, and its import is not called undone', async (t) => {
  const { shop, store, applied, undoOf } = await shopWith(t, 1);
  const file = await applied('petId,name,quantity\n5,Five,3\n');
  await store.pets.delete(5n, CLI_AUTHOR);
  const undo = await undoOf(file);
  assert.deepEqual([undo.state, undo.counts], ['planned', { new: 0, changed: 0, unchanged: 0 }]);
  const refusal = `Nothing of import ${file.id} is left to undo.`;
  assert.equal(await refusalOf(store.imports.apply(undo.id, STAFF)), refusal);
  assert.equal((await shop.find(file.id)).undoneBy, null);
});

test('a pet that was deleted is left out also after a prune of its movements', async (t) => {
  const { shop, store, applied, undoOf, quantities } = await shopWith(t, 1);
  const earlier = await applied('petId,quantity\n1,12\n7,3\n');
  await store.pets.delete(7n, CLI_AUTHOR);
  const file = await applied('petId,quantity\n7,4\n8,4\n');
  await store.pets.delete(8n, CLI_AUTHOR);
  await applied('petId,quantity\n1,11\n8,20\n');
  const { prune } = await store.pruneMovements((await store.now()) + 1, CLI_AUTHOR);
  assert.ok(prune && prune.deleted > 0);
  await shop.apply((await undoOf(earlier)).id);
  assert.deepEqual(await quantities(7, 8), [4, 20], 'pet 7 is the one of the second file');
  await shop.apply((await undoOf(file)).id);
  assert.deepEqual(await quantities(7, 8), [0, 20], 'the deletion before a file is none of its pets');
});

test('what an earlier release applied can be undone', async (t) => {
  const { shop, store, applied, undoOf, quantities } = await shopWith(t, 1);
  const file = await applied('petId,quantity\n5,3\n7,3\n');
  await store.pets.delete(7n, CLI_AUTHOR);
  await applied('petId,quantity\n7,20\n');
  await shop.database.run('UPDATE imports SET applied_after = NULL');
  await shop.apply((await undoOf(file)).id);
  assert.deepEqual(await quantities(5, 7), [0, 20]);
});

test('of an import of an earlier release, an old revert of a pruned movement is none of its reverts', async (t) => {
  const { shop, store, applied, undoOf, quantities, revert } = await shopWith(t, 2);
  await applied('petId,quantity\n1,15\n');
  await revert(1);
  await applied('petId,quantity\n2,11\n');
  // The revert is the newest movement of its pet, which a prune keeps.
  const { prune } = await store.pruneMovements((await store.now()) + 1, CLI_AUTHOR);
  assert.ok(prune && prune.deleted > 0);
  const file = await applied('petId,quantity\n1,25\n2,30\n');
  await shop.database.run('UPDATE imports SET applied_after = NULL');
  await shop.apply((await undoOf(file)).id);
  assert.deepEqual(await quantities(1, 2), [10, 11]);
});

test('an archived pet that gets units back is shown again', async (t) => {
  const { shop, store, applied, undoOf, quantities } = await shopWith(t, 2);
  const file = await applied('petId,quantity\n1,0\n2,12\n');
  await store.pets.archive(1n, CLI_AUTHOR);
  await shop.apply((await undoOf(file)).id);
  assert.deepEqual(await quantities(1, 2), [10, 10]);
  assert.equal((await store.pets.find(1n))?.archivedAtMs, null);
});

test('a code that another pet has by now, and sums out of range, are errors of their rows', async (t) => {
  const it = await shopWith(t, 4);
  const { shop, store, applied, undoOf, sell, quantities, faultsOf } = it;
  await applied('petId,sku,barcodes,quantity\n1,A-1,,10\n2,,4006381333931,10\n');
  const file = await applied('petId,sku,barcodes,quantity\n1,B-1,,20\n2,,12345670,20\n3,,,20\n4,,,2\n');
  await store.pets.update(4n, { sku: 'A-1' }, CLI_AUTHOR);
  await sell(3, 15);
  const undo = await undoOf(file, 9);
  assert.deepEqual(faultsOf(undo), [
    [2, 'sku', 'code_in_use'],
    [4, 'quantity', 'sum_below_zero'],
    [5, 'quantity', 'sum_too_large'],
  ]);
  assert.deepEqual(undo.faults[0]?.values, { code: '"A-1"', petId: '4' });
  assert.deepEqual([undo.state, undo.badRowCount], ['invalid', 3]);
  await shop.apply(undo.id, true);
  assert.deepEqual(await quantities(1, 2, 3, 4), [20, 10, 5, 2]);
  assert.deepEqual((await it.pet(2))?.barcodes, ['4006381333931']);
  await isVerified(it);
});

test('an undo whose plan has failed is no obstacle to another one, which fails where the import is undone', async (t) => {
  const { shop, store, applied, undoOf } = await shopWith(t, 1);
  const file = await applied('petId,quantity\n1,12\n');
  const first = await undoOf(file);
  await shop.database.run(
    `UPDATE imports SET state = 'failed', failure = 'interrupted' WHERE id = '${first.id}'`,
  );
  const second = await store.imports.undo(file.id, STAFF);
  assert.notEqual(second.id, first.id);
  // Another undo is applied before a runner begins with this one.
  await shop.database.run(`UPDATE imports SET undone_by = '${first.id}' WHERE id = '${file.id}'`);
  await shop.runJobs();
  const { state, failure } = await shop.find(second.id);
  assert.deepEqual([state, failure], ['failed', 'nothing_to_undo']);
});

test('a barcode that the pet still has is no obstacle to those that it had', async (t) => {
  const it = await shopWith(t, 1);
  await it.store.pets.update(1n, { barcodes: ['first', 'second'] }, CLI_AUTHOR);
  const file = await it.applied('petId,barcodes,quantity\n1,first,10\n');
  const undo = await it.undoOf(file);
  assert.deepEqual([undo.state, it.faultsOf(undo)], ['planned', []]);
  await it.shop.apply(undo.id);
  assert.deepEqual((await it.pet(1))?.barcodes, ['first', 'second']);
});

test('units of which the movement was reverted before are not taken back a second time', async (t) => {
  const it = await shopWith(t, 4);
  const { shop, applied, undoOf, sell, quantities, revert } = it;
  const file = await applied('petId,name,quantity\n1,Rex,25\n2,,3\n3,,25\n9,,5\n');
  for (const petId of [1, 2, 3, 9]) await revert(petId);
  // The revert of a revert gives pet 3 the units of the file again.
  await revert(3);
  await sell(3, 1);
  assert.deepEqual(await quantities(1, 2, 3, 9), [10, 10, 24, 0]);
  const undo = await undoOf(file);
  assert.deepEqual([undo.state, undo.counts], ['planned', { new: 0, changed: 2, unchanged: 2 }]);
  await shop.apply(undo.id);
  assert.deepEqual(await quantities(1, 2, 3, 9), [10, 10, 9, 0]);
  assert.equal((await it.pet(1))?.name, 'Pet 1', 'a revert leaves the name');
  await isVerified(it);
});

test('a sale after the plan makes it stale, until it is planned again', async (t) => {
  const { shop, store, applied, undoOf, sell, quantities } = await shopWith(t, 2);
  await applied('petId,sku,quantity\n1,A-1,10\n');
  const file = await applied('petId,sku,quantity\n1,B-1,20\n2,,20\n');
  const { id } = await undoOf(file);
  await sell(2, 3);
  const stale = await shop.apply(id);
  assert.deepEqual(
    [stale.state, ...stale.faults.map(({ line, code }) => [line, code])],
    ['stale', [3, 'stock_changed']],
  );
  assert.deepEqual(await quantities(1, 2), [20, 17]);
  assert.equal((await store.imports.undo(file.id, STAFF)).id, id, 'it still waits');
  await store.imports.plan(id, STAFF);
  await shop.runJobs();
  // It takes a code of the plan, with no movement of its pets.
  await store.pets.create(
    { ...petRow(8), ...NO_THRESHOLDS, status: 'available', sku: 'A-1', barcodes: [] },
    CLI_AUTHOR,
  );
  assert.equal((await shop.apply(id)).state, 'stale');
  await store.pets.update(8n, { sku: null }, CLI_AUTHOR);
  await store.imports.plan(id, STAFF);
  await shop.runJobs();
  assert.equal((await shop.apply(id)).state, 'applied');
  assert.deepEqual(await quantities(1, 2), [10, 7]);
});

test('an import is undone once, by one plan at a time, and an undo can be undone', async (t) => {
  const it = await shopWith(t, 2);
  const { shop, store, applied, undoOf, sell, quantities } = it;
  const { imports } = store;
  const unplanned = await shop.planned('petId,quantity\n1,25\n');
  assert.match(await refusalOf(imports.undo(unplanned.id, STAFF)), /cannot be undone: it is planned\.$/);
  const same = await applied('petId,quantity\n1,10\n');
  assert.match(await refusalOf(imports.undo(same.id, STAFF)), /has changed nothing\.$/);
  assert.match(await refusalOf(imports.undo('imp_none', STAFF)), /There is no import imp_none/);
  const file = await applied('petId,quantity\n1,25\n2,25\n');
  const both = await Promise.all([imports.undo(file.id, STAFF), imports.undo(file.id, CLI_AUTHOR)]);
  const [first] = both;
  assert.equal(both[1].id, first.id, 'a second press makes no second plan');
  await shop.runJobs();
  await imports.cancel(first.id, STAFF);
  // A plan with errors does not wait, and another one is made beside it.
  await sell(2, 20);
  const partial = await undoOf(file);
  assert.equal(partial.state, 'invalid');
  const whole = await undoOf(file);
  assert.notEqual(whole.id, partial.id);
  assert.equal((await shop.apply(partial.id, true)).state, 'applied');
  assert.match(
    await refusalOf(imports.apply(whole.id, STAFF, true)),
    new RegExp(`Import ${file.id}, which import ${whole.id} undoes, is undone already, by ${partial.id}\\.`),
  );
  assert.match(
    await refusalOf(imports.undo(file.id, STAFF)),
    new RegExp(`undone already, by ${partial.id}; undo ${partial.id} to apply it again\\.$`),
  );
  await imports.delete(partial.id, STAFF);
  assert.match(await refusalOf(imports.undo(file.id, STAFF)), /undone already/, 'also after the deletion');
  assert.deepEqual(await quantities(1, 2), [10, 5]);
  await isVerified(it);
});

test('two undos that wait to be applied undo an import once', async (t) => {
  const { shop, store, applied, undoOf, sell, quantities } = await shopWith(t, 2);
  const { imports } = store;
  const file = await applied('petId,quantity\n1,25\n2,25\n');
  await sell(2, 20);
  const [one, other] = [await undoOf(file), await undoOf(file)];
  for (const { id } of [one, other]) await imports.apply(id, STAFF, true);
  await shop.runJobs();
  const states = [(await shop.find(one.id)).state, (await shop.find(other.id)).state];
  assert.deepEqual(states.sort(), ['applied', 'stale']);
  const stale = (await shop.find(one.id)).state === 'stale' ? one : other;
  assert.match(await refusalOf(imports.plan(stale.id, STAFF)), /is undone already/);
  assert.deepEqual(await quantities(1, 2), [10, 5]);
});

test('a plan whose import is deleted fails, and one that is made can be applied', async (t) => {
  const { shop, store, applied, undoOf, quantities } = await shopWith(t, 2);
  const { imports } = store;
  const [one, other] = [await applied('petId,quantity\n1,25\n'), await applied('petId,quantity\n2,25\n')];
  const unplanned = await imports.undo(one.id, STAFF);
  await imports.delete(one.id, STAFF);
  await shop.runJobs();
  const failed = await shop.find(unplanned.id);
  assert.deepEqual([failed.state, failed.failure], ['failed', 'nothing_to_undo']);
  assert.match(await refusalOf(imports.plan(failed.id, STAFF)), /is deleted\.$/);
  assert.match(await refusalOf(imports.apply(failed.id, STAFF)), /cannot be applied: it has failed\.$/);
  const planned = await undoOf(other);
  await imports.delete(other.id, STAFF);
  while (await store.importJobs.purge());
  assert.equal((await shop.apply(planned.id)).state, 'applied');
  assert.deepEqual(await quantities(1, 2), [25, 10]);
});

test('an undo of more rows than a batch has is interrupted and continued, and takes a place', async (t) => {
  const { shop, store, applied, quantities } = await shopWith(t, 1);
  const { imports } = store;
  const lines = Array.from({ length: 2_500 }, (_, i) => `${i + 1},12\n`);
  const file = await applied(`petId,quantity\n${lines.join('')}`);
  const waiting = await Promise.all([1, 2, 3, 4, 5].map((n) => shop.upload(`petId,quantity\n1,${n}\n`)));
  assert.match(await refusalOf(imports.undo(file.id, STAFF)), /has 5 unfinished imports already/);
  for (const id of waiting) await imports.cancel(id, STAFF);
  const { id } = await imports.undo(file.id, STAFF);
  let looks = 0;
  await shop.runJobs(() => (looks += 1) > 2);
  assert.equal((await shop.find(id)).state, 'checking');
  await shop.runJobs();
  assert.deepEqual((await shop.find(id)).counts, { new: 0, changed: 2_500, unchanged: 0 });
  await shop.apply(id);
  assert.deepEqual(await quantities(1, 2, 1_000, 1_001, 2_500), [10, 0, 0, 0, 0]);
});

test('an undo while a stock-take runs keeps what was counted, and a count after its plan makes it stale', async (t) => {
  for (const posting of ['at_count', 'at_close'] as const) {
    const it = await shopWith(t);
    const { shop, store, applied, undoOf, quantities } = it;
    const { stocktakes } = store;
    const author = { ...STAFF, actorName: 'Staff' };
    const count = (id: string, petId: number, counted: number) =>
      stocktakes.count(id, { petId: BigInt(petId), counted, note: null, occurredAtMs: null }, author);
    const file = await applied('petId,quantity\n1,25\n2,30\n9,5\n');
    const { id } = await stocktakes.start({ name: 'Shelf', scope: {}, posting }, STAFF);
    await count(id, 1, 20);
    await count(id, 9, 6);
    const isPosted = posting === 'at_count';
    const stale = await undoOf(file);
    await count(id, 2, 29);
    assert.equal((await shop.apply(stale.id)).state, 'stale');
    await store.imports.cancel(stale.id, STAFF);
    const undo = await undoOf(file);
    assert.equal((await shop.apply(undo.id)).state, 'applied');
    assert.deepEqual(await quantities(1, 2, 9), isPosted ? [5, 9, 1] : [10, 10, 0]);
    const { lines } = await stocktakes.lines(id, { limit: 10 });
    const linesOf = () =>
      lines.map(({ petId, counted, expected, posted }) => [petId, counted, expected, posted]);
    assert.deepEqual(
      linesOf(),
      isPosted
        ? [
            [1n, 20, 25, -5],
            [2n, 29, 30, -1],
            [9n, 6, 5, 1],
          ]
        : [
            [1n, 20, 25, 0],
            [2n, 29, 30, 0],
            [9n, 6, 5, 0],
          ],
    );
    await stocktakes.close(id, STAFF);
    assert.deepEqual(await quantities(1, 2, 9), [5, 9, 1]);
    await stocktakes.undo(id, STAFF);
    assert.deepEqual(await quantities(1, 2, 9), [10, 10, 0]);
    await isVerified(it);
  }
});

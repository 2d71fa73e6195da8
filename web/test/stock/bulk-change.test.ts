import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../src/api/api-error.ts';
import type { BatchChange, BatchRow, InventoryBatchResult } from '../../src/api/schemas.ts';
import { PartlyUndone } from '../../src/components/toast/partly-undone.ts';
import { BulkChange } from '../../src/pages/stock/adjust/bulk-change.ts';
import { type Adjustment, BulkUndo, refusalOf, showResult } from '../../src/pages/stock/adjust/changes.ts';
import { Pauses } from '../../src/live/pauses.ts';
import type { StockRow } from '../../src/stock/stock-row.ts';
import { StockStore } from '../../src/stock/stock-store.ts';
import { en } from '../../src/texts/en.ts';
import { createFormat } from '../../src/texts/format.ts';

/** A service that applies each key once, and fails when a test says so. */
function openService() {
  const applied = new Map<string, readonly BatchChange[]>();
  const sent: string[] = [];
  let keys = 0;
  let plans = 0;
  const failures: ApiError[] = [];
  const refused = new Set<string>();
  const resultOf = (changes: readonly BatchChange[], planId: string) =>
    ({
      planId,
      rows: changes.map(({ petId }) => ({
        petId,
        code: refused.has(String(petId)) ? 'insufficient_stock' : 'done',
      })),
    }) as unknown as InventoryBatchResult;
  return {
    applied,
    sent,
    failures,
    refused,
    calls: {
      preview: async (changes: readonly BatchChange[]) => {
        plans += 1;
        return resultOf(changes, `plan-${plans}`);
      },
      apply: async (changes: readonly BatchChange[], key: string, planId: string) => {
        sent.push(`${key} ${planId}`);
        const [failure] = failures.splice(0, 1);
        // Its answer is lost.
        if (failure?.code === 'offline') applied.set(key, changes);
        if (failure) throw failure;
        applied.set(key, changes);
        return resultOf(changes, planId);
      },
      newKey: () => {
        keys += 1;
        return `key-${keys}`;
      },
    },
  };
}

const petIdsOf = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1));
const changesOf = (petIds: readonly string[]) =>
  petIds.map((petId): BatchChange => ({ petId, delta: 1, reason: 'received' }));
const openBulk = (count: number, { calls }: ReturnType<typeof openService>) =>
  new BulkChange(petIdsOf(count), changesOf, calls, 10);
const offline = () => new ApiError('offline', '', 0);
const stale = () => new ApiError('conflict', '', 409);
const { signal } = new AbortController();

test('many pets are changed batch by batch, each one once, also after lost answers', async () => {
  const service = openService();
  const bulk = openBulk(25, service);
  assert.equal(bulk.isReady, false);
  const progress: number[] = [];
  await bulk.plan(signal, () => progress.push(bulk.planned));
  assert.deepEqual(progress, [10, 20, 25]);
  assert.equal(bulk.isReady, true);
  assert.equal(bulk.rowAt(24)?.petId, '25');
  const results: number[] = [];
  const apply = () => bulk.apply(({ rows }) => void results.push(rows.length));
  service.failures.push(offline());
  await assert.rejects(apply, { code: 'offline' });
  assert.deepEqual([bulk.applied, bulk.hasBegun, bulk.left.length], [0, true, 25]);
  // The first request may still wait for the database, and an error of the service may hide what it has done.
  for (const code of ['idempotency_in_progress', 'internal_error']) {
    service.failures.push(new ApiError(code, '', code === 'internal_error' ? 500 : 409));
    await assert.rejects(apply, { code });
  }
  await apply();
  const [first, ...rest] = ['key-1 plan-1', 'key-2 plan-2', 'key-3 plan-3'];
  assert.deepEqual(service.sent, [first, first, first, first, ...rest]);
  assert.deepEqual(results, [10, 10, 5]);
  assert.deepEqual([...service.applied.values()].flat(), changesOf(petIdsOf(25)));
  assert.deepEqual([bulk.applied, bulk.left], [25, []]);
  await apply();
  assert.equal(service.sent.length, 6);
});

test('a change by another person is shown again before the rest is applied', async () => {
  const service = openService();
  const bulk = openBulk(30, service);
  await bulk.plan(signal, () => {});
  let isFirst = true;
  const onApplied = () => {
    if (isFirst) service.failures.push(stale());
    isFirst = false;
  };
  await assert.rejects(() => bulk.apply(onApplied), { code: 'conflict' });
  assert.deepEqual([bulk.applied, bulk.planned, bulk.isReady], [10, 10, false]);
  // Without a new preview nothing is sent.
  await bulk.apply(onApplied);
  assert.equal(service.sent.length, 2);
  await bulk.plan(signal, () => {});
  await bulk.apply(onApplied);
  assert.deepEqual(service.sent.slice(2), ['key-4 plan-4', 'key-3 plan-5']);
  assert.equal([...service.applied.values()].flat().length, 30);
});

test('a person stops between two batches, and pets that cannot be changed hold all of them up', async () => {
  const service = openService();
  service.refused.add('12');
  const refused = openBulk(30, service);
  await refused.plan(signal, () => {});
  assert.deepEqual([refused.refused, refused.isReady], [['12'], false]);
  service.refused.clear();
  const bulk = openBulk(30, service);
  await bulk.plan(signal, () => {});
  await bulk.apply(
    () => {},
    () => bulk.applied === 20,
  );
  assert.deepEqual(bulk.left, ['21', '22', '23', '24', '25', '26', '27', '28', '29', '30']);
});

test('previews end when the form changes', async () => {
  const service = openService();
  const stop = new AbortController();
  const bulk = openBulk(30, service);
  await bulk.plan(stop.signal, () => stop.abort());
  assert.equal(bulk.planned, 10);
});

test('an undo that stops between two batches says what is undone and what is not', async () => {
  const service = openService();
  const undo = new BulkUndo(new StockStore(), (changes, key) => service.calls.apply(changes, key, ''));
  for (const petIds of [
    [1, 2, 3],
    [4, 5],
    [6, 7],
  ]) {
    const before = { quantity: 1 };
    const after = { quantity: 2, etag: '"x"' };
    const rows = petIds.map((petId) => ({ petId: String(petId), before, after, sequence: petId }));
    undo.add({ rows } as unknown as InventoryBatchResult);
  }
  service.failures.push(stale());
  await assert.rejects(() => undo.run(), { code: 'conflict' });
  const stopAfterOne = (failure: ApiError) => {
    service.sent.length = 0;
    service.calls.apply = (
      (apply) =>
      async (...given: Parameters<typeof apply>) => {
        if (service.sent.length === 1) service.failures.push(failure);
        return apply(...given);
      }
    )(service.calls.apply);
  };
  stopAfterOne(stale());
  const format = createFormat('en-GB', 'now');
  const isPartly = (why: string | undefined, text: string) => (error: unknown) => {
    assert.ok(error instanceof PartlyUndone);
    assert.equal(error.text(en, format, why), text);
    return true;
  };
  await assert.rejects(
    () => undo.run(),
    isPartly('Changed since.', 'Undone: 2 pets. Not undone: 5 pets. Changed since.'),
  );
  // The rest is tried again, and what is undone is not.
  service.failures.push(offline());
  await assert.rejects(
    () => undo.run(),
    isPartly(
      undefined,
      'Undone: 2 pets. Without an answer, or not tried: 5 pets. When the connection is back, the page shows their stock.',
    ),
  );
  await undo.run();
  assert.deepEqual(undo.petIds, []);
});

test('an undo reverts what was recorded, which takes a sale and the arrival of ordered units back', async () => {
  const service = openService();
  const undo = new BulkUndo(new StockStore(), (changes, key) => service.calls.apply(changes, key, ''));
  const stock = { quantity: 1, etag: '"w"' };
  const rows = [
    { petId: '1', before: stock, after: { quantity: 2, etag: '"x"' }, sequence: 71 },
    { petId: '2', before: stock, after: stock, sequence: 72 },
    { petId: '3', before: stock, after: stock, sequence: null },
  ];
  undo.add({ rows } as unknown as InventoryBatchResult);
  await undo.run();
  assert.deepEqual([...service.applied.values()].flat(), [
    { petId: '1', revert: 71, ifMatch: '"x"', takeReserved: true },
  ]);
});

test('a pet that cannot be changed has too few units, or some that are reserved', () => {
  const words = { stock: en.stock, format: createFormat('en-GB', 'now'), errorText: () => 'another reason' };
  const row = (code: string, quantity: number, reserved = 0): BatchRow => {
    const before = { quantity, reserved, status: 'available', version: 1, etag: null } as const;
    return { petId: '7', code, message: null, before, after: null, sequence: null };
  };
  const take: Adjustment = { mode: 'add', value: -3, reason: 'sold', note: undefined };
  const why = (planned: BatchRow | undefined) => refusalOf(planned, take, words);
  assert.equal(why(undefined), undefined);
  assert.equal(why(row('done', 5)), undefined);
  assert.equal(why(row('insufficient_stock', 2)), 'Only 2 in stock.');
  assert.equal(why(row('insufficient_stock', 5, 4)), '4 of them are reserved for orders.');
  assert.equal(why(row('insufficient_stock', 3, 1)), '1 of them are reserved for orders.');
  assert.equal(why(row('conflict', 5)), 'another reason');
});

test('a change of no pets is not ready to be applied', async () => {
  const bulk = openBulk(0, openService());
  await bulk.plan(signal, () => {});
  assert.equal(bulk.isReady, false);
});

test('a late result does not replace what a row has since', async () => {
  const store = new StockStore();
  const before = {
    petId: '1',
    quantity: 9,
    reserved: 1,
    version: 5,
    lastSequence: 50,
    barcodes: [],
    sku: null,
  };
  store.append([before as unknown as StockRow]);
  const resultOf = (version: number) => {
    const after = { quantity: version, reserved: 0, status: 'sold', etag: `"${version}-40-kx0"` };
    return { rows: [{ petId: '1', after }] } as unknown as InventoryBatchResult;
  };
  await showResult(store, resultOf(4), new Pauses());
  assert.equal(store.find('1')?.quantity, 9);
  await showResult(store, resultOf(6), new Pauses());
  assert.deepEqual([store.find('1')?.quantity, store.find('1')?.status], [6, 'sold']);
});

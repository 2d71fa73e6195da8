import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { ALERT_LEVELS, type AlertLevel, PET_STATUSES } from '@petstore-inventory/shared/words';
import fc from 'fast-check';
import type { InventoryItem } from '../../src/domain/inventory.ts';
import type { StockFilter } from '../../src/domain/ledger/stock.ts';
import type { Ledger, StockQuery } from '../../src/domain/ledger-store.ts';
import { LedgerDatabase } from '../ledger/ledger-database.ts';
import { ledgers, type ModelLedger, PET_IDS, partOf } from '../ledger/random-ledger.ts';
import { checkLedgers, defined, moment, optional } from '../ledger/random-queries.ts';
import { listJson } from '../support/pet-rows.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const MAX_INT64 = 2n ** 63n - 1n;

interface ModelStock extends InventoryItem {
  readonly reserved: number;
  readonly alertLevel: AlertLevel | null;
  /** The latest that it can have been. */
  readonly updatedAtMs: number;
  readonly isDated: boolean;
}

/** Stock by a replay up to a sequence. */
function replay({ movements, kept, start }: ModelLedger, sequence: number): ModelStock[] {
  const stock = new Map<bigint, ModelStock>();
  const areKept = new Set(kept);
  for (const movement of movements.slice(0, sequence)) {
    const { petId, quantityAfter: quantity, statusAfter: status, recordedAtMs } = movement;
    const { reservedAfter: reserved, alertAfter: alertLevel } = movement;
    const isDated = areKept.has(movement);
    const updatedAtMs = isDated ? recordedAtMs : start.recordedAtMs;
    stock.set(petId, { petId, quantity, status, reserved, alertLevel, updatedAtMs, isDated });
  }
  return [...stock.values()];
}

function passesStock(stock: ModelStock, filter: StockFilter): boolean {
  const { petId, quantity, status, reserved, alertLevel, updatedAtMs } = stock;
  const available = quantity - reserved;
  return (
    (filter.status ?? status) === status &&
    (filter.quantityLte ?? quantity) >= quantity &&
    (filter.quantityGte ?? quantity) <= quantity &&
    (filter.availableLte ?? available) >= available &&
    (!filter.alertLevels || (alertLevel !== null && filter.alertLevels.includes(alertLevel))) &&
    (filter.updatedSinceMs ?? updatedAtMs) <= updatedAtMs &&
    (filter.petIds?.includes(petId) ?? true)
  );
}

/** All slices of a list, joined. */
async function wholeList(
  reader: Ledger,
  sequence: number,
  filter: StockFilter,
  limit: number,
): Promise<string> {
  let json = '';
  let after: bigint | undefined;
  // Each slice looks at one pet at least.
  for (let slices = 0; slices <= PET_IDS.length; slices += 1) {
    const slice = await reader.stockPage({ sequence, filter, after, limit });
    assert.ok(slice.itemCount <= limit);
    assert.equal(slice.json.match(/"petId"/g)?.length ?? 0, slice.itemCount);
    json += slice.json;
    if (slice.nextAfter === undefined) return `[${json.slice(1)}]`;
    assert.ok(after === undefined || slice.nextAfter > after);
    after = slice.nextAfter;
  }
  assert.fail('the list ends');
}

const stockQueries = fc.record({
  filter: fc
    .record({
      status: optional(...PET_STATUSES),
      quantityLte: optional(0, 2, 4),
      quantityGte: optional(0, 2, 4),
      availableLte: optional(-1, 0, 2),
      alertLevels: fc.option(fc.subarray([...ALERT_LEVELS], { minLength: 1 }), { nil: undefined }),
      updatedSinceMs: moment,
      petIds: fc.option(fc.subarray([...PET_IDS.slice(0, 3), 8n, ...PET_IDS.slice(3)]), { nil: undefined }),
    })
    .map((filter) => defined<StockFilter>(filter)),
  limit: fc.constantFrom(1, 2, 5, 1_000),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
});

test('stock as of every sequence equals a replay up to it', async (t) => {
  const ledger = await LedgerDatabase.create(t);
  await checkLedgers(ledger, fc.constant(undefined), async (model, reader) => {
    for (let sequence = model.start.sequence; sequence <= model.movements.length; sequence += 1) {
      const expected = listJson(replay(model, sequence));
      assert.equal(await wholeList(reader, sequence, {}, 1_000), expected, `as of ${sequence}`);
    }
  });
});

test('a list of past stock has the pets that matched the filter then, in slices of any size', async (t) => {
  if (isSkippedDaily(t)) return;
  const ledger = await LedgerDatabase.create(t);
  await checkLedgers(ledger, stockQueries, async (model, reader, queries) => {
    const { start, movements } = model;
    for (const { filter, limit, at } of queries) {
      const sequence = start.sequence + Math.round(at * (movements.length - start.sequence));
      const expected = replay(model, sequence).filter((stock) => passesStock(stock, filter));
      const query = `as of ${sequence}, ${limit} of ${Object.entries(filter).join(' ')}`;
      const list = wholeList(reader, sequence, filter, limit);
      if (filter.updatedSinceMs !== undefined && expected.some(({ isDated }) => !isDated)) {
        await assert.rejects(list, { code: 'history_pruned' }, query);
      } else assert.equal(await list, listJson(expected), query);
    }
    if (start.sequence === 0) return;
    const before = { sequence: start.sequence - 1, filter: {}, after: undefined, limit: 1 };
    await assert.rejects(async () => reader.stockPage(before), { code: 'history_pruned' });
  });
});

test('totals are those of the stock, after any changes since the last request', async (t) => {
  if (isSkippedDaily(t)) return;
  const ledger = await LedgerDatabase.create(t);
  await checkLedgers(ledger, fc.double({ min: 0, max: 1, noNaN: true }), async (model, _, ats) => {
    const reader = ledger.reader();
    // Not in their order: a backup may have been restored.
    for (const at of ats.slice(0, 4)) {
      const part = partOf(model, Math.round(at * model.movements.length));
      await ledger.write(part);
      assert.deepEqual(await reader.stockTotals(), totalsOf(part.stock));
    }
    await ledger.write(model);
    const answers = await Promise.all([reader.stockTotals(), reader.stockTotals()]);
    for (const totals of answers) assert.deepEqual(totals, totalsOf(model.stock));
  });
});

test('totals follow a replacement of the ledger', async (t) => {
  const ledger = await LedgerDatabase.create(t);
  const reader = ledger.reader();
  await ledger.fill(100, 10);
  await reader.stockTotals();
  const model = fc.sample(ledgers, { seed: 1, numRuns: 50 }).find(({ movements }) => movements.length > 150);
  assert.ok(model);
  await ledger.write(partOf(model, model.movements.length));
  assert.deepEqual(await reader.stockTotals(), totalsOf(model.stock));
});

test('totals are exact where they are beyond int64', async (t) => {
  const ledger = await LedgerDatabase.create(t);
  const pets = 1_100;
  const row = (statement: (i: number) => string) => Array.from({ length: pets }, (_, i) => statement(i + 1));
  await ledger.database.run(`INSERT INTO pets (pet_id) VALUES ${row((i) => `(${i})`)};
INSERT INTO inventory (pet_id, quantity, status, version, last_sequence, updated_at, reserved, created_at)
VALUES ${row((i) => `(${i}, ${MAX_QUANTITY}, 'sold', 1, ${i}, 0, ${MAX_QUANTITY}, 0)`)}`);
  const units = BigInt(pets) * BigInt(MAX_QUANTITY);
  const expected = { available: 0n, pending: 0n, sold: units, reserved: units };
  assert.deepEqual(await ledger.reader().stockTotals(), expected);
});

test('slices end with the last pet, and begin after any', async (t) => {
  const ledger = await LedgerDatabase.create(t);
  const reader = ledger.reader();
  await ledger.fill(600, 256);
  const counts = async (query: Omit<StockQuery, 'after' | 'limit'>): Promise<number[]> => {
    const found: number[] = [];
    let after: bigint | undefined;
    for (let slices = 0; slices < 20; slices += 1) {
      const slice = await reader.stockPage({ ...query, after, limit: 1_000 });
      found.push(slice.itemCount);
      if (slice.nextAfter === undefined) return found;
      after = slice.nextAfter;
    }
    assert.fail('the slices end');
  };
  assert.deepEqual(await counts({ sequence: 600, filter: {} }), [128, 128]);
  assert.deepEqual(await counts({ sequence: 300, filter: {} }), [128, 128]);
  assert.deepEqual(await counts({ sequence: 130, filter: {} }), [128, 2]);
  const petIds = Array.from({ length: 300 }, (_, i) => BigInt(i + 100));
  assert.deepEqual(await counts({ sequence: 600, filter: { petIds } }), [128, 29, 0]);
  const nothing = { json: '', itemCount: 0, nextAfter: undefined };
  for (const filter of [{}, { petIds: [] }, { petIds: [MAX_INT64] }]) {
    assert.deepEqual(await reader.stockPage({ sequence: 600, filter, after: MAX_INT64, limit: 9 }), nothing);
  }
});

function totalsOf(stock: ModelLedger['stock']): Record<string, bigint> {
  const names = [...PET_STATUSES, 'reserved'];
  const totals: Record<string, bigint> = Object.fromEntries(names.map((name) => [name, 0n]));
  const add = (name: string, units: number) => {
    totals[name] = (totals[name] ?? 0n) + BigInt(units);
  };
  for (const { quantity, status, reserved } of stock.values()) {
    add(status, quantity);
    add('reserved', reserved);
  }
  return totals;
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOVEMENT_KINDS, REASONS } from '@petstore-inventory/shared/words';
import fc from 'fast-check';
import { MILESTONE_EVERY, type Movement } from '../../src/domain/ledger/ledger.ts';
import {
  type Ledger,
  MOVEMENT_ORDERS,
  type MovementFilter,
  type MovementQuery,
} from '../../src/domain/ledger-store.ts';
import { LedgerDatabase } from './ledger-database.ts';
import { ACTORS, PET_IDS } from './random-ledger.ts';
import { checkLedgers, defined, moment, optional } from './random-queries.ts';
import { isSkippedDaily } from '../support/long-test.ts';

function passes(movement: Movement, filter: MovementFilter): boolean {
  const { petId, kind, reason, actor, recordedAtMs, sequence } = movement;
  return (
    (filter.petId ?? petId) === petId &&
    (filter.kind ?? kind) === kind &&
    (filter.reason ?? reason) === reason &&
    (filter.actor ?? actor) === actor &&
    (filter.sinceMs ?? recordedAtMs) <= recordedAtMs &&
    (filter.untilMs ?? Infinity) > recordedAtMs &&
    (filter.after ?? 0) < sequence &&
    (filter.before ?? Infinity) > sequence
  );
}

async function allPages(reader: Ledger, query: MovementQuery): Promise<Movement[]> {
  const all: Movement[] = [];
  let { filter } = query;
  for (let pages = 0; pages < 3_000; pages += 1) {
    const { movements, next } = await reader.listMovements({ ...query, filter });
    assert.ok(movements.length <= query.limit);
    all.push(...movements);
    if (next === undefined) return all;
    // So few movements are read in one go: a page that is not full is the last one.
    assert.equal(movements.length, query.limit);
    assert.equal(next, movements.at(-1)?.sequence);
    filter = query.order === 'asc' ? { ...filter, after: next } : { ...filter, before: next };
  }
  assert.fail('the pages end');
}

const position = fc.option(fc.nat(400), { nil: undefined });

const movementQueries: fc.Arbitrary<MovementQuery> = fc.record({
  filter: fc
    .record({
      petId: optional(...PET_IDS, 8n),
      kind: optional(...MOVEMENT_KINDS),
      reason: optional(...REASONS.slice(0, 2)),
      actor: optional(...ACTORS),
      sinceMs: moment,
      untilMs: moment,
      after: position,
      before: position,
    })
    .map((filter) => defined<MovementFilter>(filter)),
  order: fc.constantFrom(...MOVEMENT_ORDERS),
  limit: fc.constantFrom(1, 2, 31, 32, 33, 64, 100, 1_000),
});

test('the pages of every filter and order are the movements that pass it, none twice, none missing', async (t) => {
  if (isSkippedDaily(t)) return;
  const ledger = await LedgerDatabase.create(t);
  await checkLedgers(ledger, movementQueries, async ({ kept }, reader, queries) => {
    assert.deepEqual(await allPages(reader, { filter: {}, order: 'asc', limit: 100 }), kept);
    for (const query of queries) {
      const expected = kept.filter((movement) => passes(movement, query.filter));
      if (query.order === 'desc') expected.reverse();
      const found = await allPages(reader, query);
      assert.deepEqual(
        found.map(({ sequence }) => sequence),
        expected.map(({ sequence }) => sequence),
      );
    }
  });
});

test('a moment, a sequence and a quantity lead to the movements that a search through all of them finds', async (t) => {
  if (isSkippedDaily(t)) return;
  const ledger = await LedgerDatabase.create(t);
  await checkLedgers(ledger, fc.nat(400), async ({ movements, kept, start }, reader, sequences) => {
    assert.deepEqual({ ...(await reader.retentionStart()) }, start);
    const { sequence = 0, recordedAtMs = 0 } = movements.at(-1) ?? {};
    assert.deepEqual({ ...(await reader.head()) }, { sequence, recordedAtMs });
    const moments = new Set(movements.map((movement) => movement.recordedAtMs));
    for (const atMs of [...moments].flatMap((at) => [at - 1, at, at + 0.5])) {
      const found = await reader.sequenceAt(atMs);
      const last = movements.findLast((movement) => movement.recordedAtMs <= atMs)?.sequence ?? 0;
      // Of a deleted movement only the position before the ledger's start is known.
      if (atMs >= start.recordedAtMs) assert.equal(found, last, `at ${atMs}`);
      else assert.ok(found < start.sequence);
    }
    for (const [i, querySets] of sequences.entries()) {
      assert.deepEqual(
        await reader.findMovement(querySets),
        kept.find((movement) => movement.sequence === querySets),
      );
      const petId = PET_IDS[i % PET_IDS.length] as bigint;
      const reached = kept.filter((movement) => movement.petId === petId && movement.sequence <= querySets);
      const expected = reached.slice(-128).findLast((movement) => movement.quantityAfter === i % 5)?.sequence;
      const found = await reader.lastSequenceWith(petId, i % 5, querySets);
      if (expected !== undefined || found === undefined) assert.equal(found, expected);
      else assert.equal(reached.find((movement) => movement.sequence === found)?.quantityAfter, i % 5);
    }
  });
});

test('no page reads more than 10,000 lines, or some 1,000 of one pet, and reports where it ended', async (t) => {
  const ledger = await LedgerDatabase.create(t);
  const reader = ledger.reader();
  const ends = async (query: Omit<MovementQuery, 'limit'>): Promise<(number | undefined)[]> => {
    const found: (number | undefined)[] = [];
    let { filter } = query;
    for (let pages = 0; pages < 20; pages += 1) {
      const { movements, next } = await reader.listMovements({ ...query, filter, limit: 5 });
      assert.deepEqual(movements, []);
      found.push(next);
      if (next === undefined) return found;
      filter = query.order === 'asc' ? { ...filter, after: next } : { ...filter, before: next };
    }
    assert.fail('the pages end');
  };
  await ledger.fill(25_000, 10);
  const filter = { reason: 'damaged' } as const;
  assert.deepEqual(await ends({ filter, order: 'asc' }), [10_000, 20_000, undefined]);
  assert.deepEqual(await ends({ filter, order: 'desc' }), [15_001, 5_001, undefined]);
  const late = { ...filter, after: 2_000, before: 12_002 };
  assert.deepEqual(await ends({ filter: late, order: 'asc' }), [12_000, undefined]);
  assert.deepEqual(await ends({ filter: { ...late, before: 12_001 }, order: 'desc' }), [undefined]);
  for (const order of MOVEMENT_ORDERS) {
    const found = await ends({ filter: { ...filter, petId: 3n }, order });
    assert.ok(found.length >= 3 && found.length <= 4, `2,500 lines in ${found.length} pages`);
  }
  await ledger.fill(15_000, 15_000, 2);
  assert.deepEqual(await ends({ filter, order: 'asc' }), [20_000, undefined]);
  assert.deepEqual(await ends({ filter, order: 'desc' }), [10_002, undefined]);
});

test('a page of one pet is full wherever in its history it begins', async (t) => {
  const ledger = await LedgerDatabase.create(t);
  const reader = ledger.reader();
  await ledger.fill(600, 2);
  for (let version = 40; version < 40 + MILESTONE_EVERY; version += 1) {
    const sequence = 2 * version;
    for (const limit of [33, 63, 100]) {
      for (const filter of [{ after: sequence }, { before: 2 * sequence + 200 }]) {
        const order = 'after' in filter ? 'asc' : 'desc';
        const { movements } = await reader.listMovements({ filter: { petId: 2n, ...filter }, order, limit });
        assert.equal(movements.length, limit);
      }
    }
  }
});

test('a ledger that cannot be read is unavailable, and nothing else', async (t) => {
  const ledger = await LedgerDatabase.create(t);
  const reader = ledger.reader();
  await ledger.database.run('ALTER TABLE movements RENAME TO lost');
  const querySets: (() => unknown)[] = [
    () => reader.head(),
    () => reader.findMovement(1),
    () => reader.listMovements({ filter: {}, order: 'asc', limit: 1 }),
    () => reader.stockPage({ sequence: 1, filter: {}, after: undefined, limit: 1 }),
    () => reader.stockTotals(),
  ];
  for (const read of querySets) await assert.rejects(async () => read(), { code: 'service_unavailable' });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Change, stockTag } from '../../src/domain/ledger/stock.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { WriteRequest } from '../../src/domain/write-command.ts';
import { LOCK } from '../../src/store/postgres/statements.ts';
import { petRow, petRows } from '../support/pet-rows.ts';
import { useEngine } from '../support/test-database.ts';
import { CountedStatements } from './support/counted-statements.ts';
import { PostgresEngine } from './support/postgres-engine.ts';
import {
  adjusting,
  assertLedger,
  changesIn,
  changing,
  keyed,
  NOW_MS,
  newAuthor,
  openStores,
  openTwo,
  reverting,
  type SharedStores,
  writeSingle,
} from './support/shared-stores.ts';

useEngine(new PostgresEngine());

test('a movement keeps its explanation and its author', async (t) => {
  const shared = await openTwo(t, { pets: [petRow(-(2n ** 63n), 5)] });
  const explanation = {
    reason: 'received',
    note: 'two "boxes",\n{NULL} \\ NULL, é 犬 \u{1f415}',
    referenceDocumentUri: 'https://example.com/delivery/7?a=b',
    referenceId: 'NULL',
    occurredAtMs: -1,
  } as const;
  const author = newAuthor({ actor: 'key_1', actorName: 'till 1', requestId: null });
  const change = { kind: 'adjust', petId: -(2n ** 63n), delta: 3, explanation } as const;
  const { code, movement } = await writeSingle(shared.one, changing(change, { author }));
  assert.equal(code, 'done');
  await writeSingle(shared.other, changing({ kind: 'status', petId: change.petId, status: 'sold' }));
  const [first, second] = await changesIn(shared);
  // No key has this id, so the ledger only reports the id.
  assert.deepEqual(first, { ...movement, actorName: 'key_1' });
  assert.deepEqual(
    { ...explanation, quantityBefore: 5, quantityAfter: 8, kind: 'adjust' },
    {
      reason: first?.reason,
      note: first?.note,
      referenceDocumentUri: first?.referenceDocumentUri,
      referenceId: first?.referenceId,
      occurredAtMs: first?.occurredAtMs,
      quantityBefore: first?.quantityBefore,
      quantityAfter: first?.quantityAfter,
      kind: first?.kind,
    },
  );
  assert.deepEqual([second?.kind, second?.statusAfter, second?.note], ['status', 'sold', null]);
  assert.deepEqual(await shared.other.findItem(change.petId, Date.now()), {
    ...{ petId: change.petId, name: `Pet ${change.petId}`, category: 'Dogs', quantity: 8, status: 'sold' },
    ...{ version: 3, lastSequence: 3, updatedAtMs: second?.recordedAtMs },
    ...{ reserved: 0, alertLevel: null, lowStockAt: null, restockAt: null },
    ...{ soldUnits: 0, createdAtMs: NOW_MS },
  });
  assert.equal(await shared.one.findItem(7n, Date.now()), undefined);
});

test('one of many concurrent reverts of one movement through two instances succeeds, and the others get its sequence', async (t) => {
  const shared = await openTwo(t, { pets: [petRow(1n, 5), petRow(2n, 9)] });
  const sequences: number[] = [];
  for (let i = 0; i < 8; i += 1) {
    const { movement } = await writeSingle(shared.one, adjusting(BigInt(1 + (i % 2)), i + 1));
    sequences.push(movement?.sequence as number);
  }
  const sent = sequences.flatMap((sequence) => Array.from({ length: 10 }, () => sequence));
  const results = await Promise.all(
    sent.map((sequence, i) => writeSingle(i % 2 === 0 ? shared.one : shared.other, reverting(sequence))),
  );
  const changes = await changesIn(shared);
  for (const [sequence, same] of Map.groupBy(results, (_, i) => sent[i] as number)) {
    const [done, ...more] = same.filter(({ code }) => code === 'done');
    assert.deepEqual([done?.movement?.revertedSequence, more], [sequence, []]);
    for (const result of same) {
      if (result === done) continue;
      const { code, revertedBy } = result;
      assert.deepEqual([code, revertedBy], ['already_reverted', done?.movement?.sequence]);
    }
  }
  assert.deepEqual(
    changes
      .filter(({ kind }) => kind === 'revert')
      .map(({ revertedSequence }) => revertedSequence)
      .toSorted((a, b) => Number(a) - Number(b)),
    sequences,
  );
  assert.deepEqual(
    [
      (await shared.one.findItem(1n, Date.now()))?.quantity,
      (await shared.one.findItem(2n, Date.now()))?.quantity,
    ],
    [5, 9],
  );
  assert.equal((await writeSingle(shared.one, reverting(99_999))).code, 'no_such_movement');
});

test('a change below zero, above the maximum or with a failed precondition is refused alone', async (t) => {
  const shared = await openTwo(t, { pets: [petRow(1n, 5)], rules: { maxQuantity: 20 } });
  const before = await shared.one.findItem(1n, Date.now());
  assert.ok(before);
  const refusals: [Change, string][] = [
    [{ kind: 'adjust', petId: 1n, delta: -6 }, 'insufficient_stock'],
    [{ kind: 'adjust', petId: 1n, delta: 16 }, 'too_much_stock'],
    [{ kind: 'set', petId: 1n, quantity: 7, changeFromQuantity: 6 }, 'conflict'],
    [{ kind: 'set', petId: 1n, quantity: 7, ifMatch: ['1-1-0'] }, 'precondition_failed'],
    [{ kind: 'set', petId: 2n, quantity: 7 }, 'not_found'],
  ];
  const results = await Promise.all(refusals.map(([change]) => writeSingle(shared.one, changing(change))));
  assert.deepEqual(
    results.map(({ code }) => code),
    refusals.map(([, code]) => code),
  );
  assert.deepEqual(await changesIn(shared), []);
  const change = { kind: 'set', petId: 1n, quantity: 7, ifMatch: [stockTag(before)] } as const;
  assert.equal((await writeSingle(shared.other, changing(change))).code, 'done');
});

test('one of concurrent conditional changes through three instances succeeds per version', async (t) => {
  const shared = await openStores(t, 3, { pets: [petRow(1n, 0)] });
  let won = 0;
  const client = async (store: SharedStores['stores'][number]) => {
    for (let i = 0; i < 12; i += 1) {
      const item = await store.findItem(1n, Date.now());
      assert.ok(item);
      const { quantity } = item;
      const change = { kind: 'set', petId: 1n, quantity: quantity + 1, ifMatch: [stockTag(item)] } as const;
      const { code, stock } = await writeSingle(store, changing(change));
      if (code === 'done') won += 1;
      else assert.equal(code, 'precondition_failed');
      assert.ok((stock?.version ?? 0) > item.version || code === 'done');
    }
  };
  await Promise.all(shared.stores.flatMap((store) => Array.from({ length: 8 }, () => client(store))));
  const item = await shared.stores[0]?.findItem(1n, Date.now());
  assert.deepEqual([item?.quantity, item?.version], [won, won + 1]);
  assert.ok(won > 0);
  assert.equal((await changesIn(shared)).length, won);
});

test('the ledger continues after a prune, and a pruned movement cannot be reverted', async (t) => {
  const shared = await openTwo(t, { pets: petRows(3) });
  for (let i = 0; i < 5; i += 1) await writeSingle(shared.one, adjusting(1n, 1));
  const end = (await assertLedger(shared.database)).at(-1);
  assert.ok(end);
  assert.equal(
    (await shared.admin.pruneMovements(Number.MAX_SAFE_INTEGER, CLI_AUTHOR)).start.sequence,
    end.sequence - 1,
  );
  assert.equal((await writeSingle(shared.other, reverting(5))).code, 'movement_pruned');
  const { movement } = await writeSingle(shared.other, reverting(end.sequence));
  assert.deepEqual([movement?.sequence, movement?.revertedSequence], [end.sequence + 1, end.sequence]);
  assert.deepEqual((await shared.admin.verify()).faults, []);
});

test('a write without an effect is not committed; a key costs no more round trips', async (t) => {
  const shared = await openTwo(t, { pets: petRows(3) });
  const statements = new CountedStatements(t);
  const send = async (request: WriteRequest) => {
    statements.take();
    await shared.one.write(request);
    // Deferred writes are sent in the same turn.
    return statements.take();
  };
  const [begin, end] = [
    ['BEGIN', LOCK.ledger, 'batchState'],
    ['recordMovements', 'setStock'],
  ];
  const idempotency = keyed('a');
  assert.deepEqual(await send(adjusting(1n, 0)), [...begin, 'stock', 'ROLLBACK']);
  assert.deepEqual(await send(adjusting(9n, 1)), [...begin, 'stock', 'ROLLBACK']);
  assert.deepEqual(await send(adjusting(1n, 1)), [...begin, 'stock', ...end, 'COMMIT']);
  assert.deepEqual(await send(reverting(4)), [
    ...begin,
    ...['stockOfMovements', 'reverted', 'origins', ...end, 'COMMIT'],
  ]);
  assert.deepEqual(await send(adjusting(1n, 1, { idempotency })), [
    ...begin,
    ...['stock', 'idempotencyRecords', ...end, 'saveIdempotencyRecords', 'COMMIT'],
  ]);
  assert.deepEqual(await send(adjusting(1n, 1, { idempotency })), [
    ...begin,
    'stock',
    'idempotencyRecords',
    'ROLLBACK',
  ]);
  assert.deepEqual(await send(adjusting(9n, 1, { idempotency: keyed('b') })), [
    ...begin,
    ...['stock', 'idempotencyRecords', 'saveIdempotencyRecords', 'COMMIT'],
  ]);
});

test('a batch that the server refuses fails as a whole and as not written, and the next one succeeds', async (t) => {
  const shared = await openTwo(t, { pets: petRows(3) });
  await shared.database
    .run(`CREATE FUNCTION refuse_sold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not today'; END $$;
CREATE TRIGGER refuse_sold BEFORE INSERT ON movements FOR EACH ROW WHEN (NEW.reason = 'sold') EXECUTE FUNCTION refuse_sold()`);
  const sold = {
    reason: 'sold',
    note: null,
    referenceDocumentUri: null,
    referenceId: null,
    occurredAtMs: null,
  } as const;
  const idempotency = keyed('a');
  const results = await Promise.allSettled([
    shared.one.write(adjusting(1n, 1, { idempotency })),
    shared.one.write(changing({ kind: 'adjust', petId: 2n, delta: 1, explanation: sold })),
  ]);
  for (const result of results) {
    assert.match(String((result as PromiseRejectedResult).reason), /nothing was changed/);
  }
  assert.deepEqual(await changesIn(shared), []);
  assert.equal((await shared.one.write(adjusting(1n, 1, { idempotency }))).kind, 'written');
  assert.equal((await changesIn(shared)).length, 1);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../src/domain/ledger/stock.ts';
import { petRow, petRows } from '../support/pet-rows.ts';
import { useEngine } from '../support/test-database.ts';
import { CountedStatements } from './support/counted-statements.ts';
import { PostgresEngine } from './support/postgres-engine.ts';
import { adjusting, batching, batchOf, changesIn, openTwo, setQuantity } from './support/shared-stores.ts';
import { isSkippedDaily } from '../support/long-test.ts';

useEngine(new PostgresEngine());

test('a batch applies the same pet twice in order, with a running check, or nothing at all', async (t) => {
  const shared = await openTwo(t, { pets: [petRow(1n, 5), petRow(2n, 5)] });
  const changes: Change[] = [
    { kind: 'adjust', petId: 1n, delta: -5 },
    { kind: 'set', petId: 2n, quantity: 5 },
    { kind: 'adjust', petId: 1n, delta: 4 },
    { kind: 'adjust', petId: 1n, delta: -4 },
  ];
  const whole = batchOf(await shared.one.write(batching(changes)));
  assert.deepEqual(
    [
      whole.code,
      whole.rows.map(({ before, after, sequence }) => [before?.quantity, after?.quantity, sequence]),
    ],
    [
      'done',
      [
        [5, 0, 3],
        [5, 5, null],
        [0, 4, 4],
        [4, 0, 5],
      ],
    ],
  );
  const failing: Change[] = [...changes, { kind: 'adjust', petId: 2n, delta: 1 }];
  const rejected = batchOf(await shared.other.write(batching(failing)));
  assert.deepEqual(
    [rejected.code, rejected.rows.map(({ sequence }) => sequence)],
    ['rejected', Array(5).fill(null)],
  );
  assert.equal((await changesIn(shared)).length, 3);
  const some = batchOf(await shared.other.write(batching(failing, { errorPolicy: 'reject_failed_rows' })));
  assert.deepEqual(
    [some.code, some.rows.map(({ code, sequence }) => [code, sequence])],
    [
      'done',
      [
        ['insufficient_stock', null],
        ['done', null],
        ['done', 6],
        ['done', 7],
        ['done', 8],
      ],
    ],
  );
  assert.equal((await changesIn(shared)).length, 6);
});

test('a plan is applied only if no instance has changed its pets since', async (t) => {
  const shared = await openTwo(t, { pets: petRows(3) });
  const changes: Change[] = [1n, 2n].map((petId) => ({ kind: 'adjust', petId, delta: 1 }));
  const plan = async () => batchOf(await shared.one.write(batching(changes, { isDryRun: true }))).planId;
  const apply = async (planId: string) =>
    batchOf(await shared.other.write(batching(changes, { planId }))).code;
  const first = await plan();
  assert.equal(await plan(), first, 'a dry run changes nothing');
  await setQuantity(shared.one, 3n, 77);
  assert.equal(await apply(first), 'done');
  assert.equal(await apply(first), 'plan_changed');
  const second = await plan();
  await setQuantity(shared.one, 2n, 78);
  assert.equal(await apply(second), 'plan_changed');
  assert.equal((await changesIn(shared)).length, 4);
});

test('a batch of 1,000 rows is one commit, and shares it with no other write', async (t) => {
  if (isSkippedDaily(t)) return;
  const shared = await openTwo(t, { pets: petRows(1_000) });
  const changes = Array.from({ length: 1_000 }, (_, i): Change => ({
    kind: 'adjust',
    petId: BigInt(i + 1),
    delta: 1,
  }));
  const statements = new CountedStatements(t);
  const [one, other] = await Promise.all([
    shared.one.write(batching(changes)),
    shared.one.write(batching(changes)),
    shared.one.write(adjusting(1n, 1)),
  ]);
  assert.deepEqual(
    statements.take().filter((statement) => statement === 'COMMIT' || statement === 'recordMovements'),
    Array(3).fill(['recordMovements', 'COMMIT']).flat(),
  );
  assert.deepEqual(shared.commits, [1, 1, 1]);
  for (const answer of [one, other]) {
    assert.deepEqual([batchOf(answer).code, batchOf(answer).rows.length], ['done', 1_000]);
  }
  assert.equal((await changesIn(shared)).length, 2_001);
});

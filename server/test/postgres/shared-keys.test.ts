import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { ApiError } from '../../src/domain/errors.ts';
import { IDEMPOTENCY_TTL_MS } from '../../src/domain/write-command.ts';
import { connectAdmin } from '../../src/store/postgres/admin/client.ts';
import { petRow, petRows } from '../support/pet-rows.ts';
import { type TestDatabase, useEngine } from '../support/test-database.ts';
import { until } from '../support/until.ts';
import { CountedStatements } from './support/counted-statements.ts';
import { PostgresEngine } from './support/postgres-engine.ts';
import {
  adjusting,
  changesIn,
  keyed,
  NOW_MS,
  newAuthor,
  openTwo,
  setQuantity,
  singleOf,
} from './support/shared-stores.ts';

useEngine(new PostgresEngine());

test('a request repeated concurrently through two instances has one effect and one answer', async (t) => {
  const shared = await openTwo(t, { pets: petRows(5) });
  const keys = Array.from({ length: 60 }, (_, i) => ({
    petId: BigInt(1 + (i % 5)),
    name: `key ${i}`,
    delta: i + 1,
  }));
  const sent = keys.flatMap((key) => Array.from({ length: 6 }, () => key));
  const answers = await Promise.all(
    sent.map(async ({ petId, name, delta }, i) => {
      const store = i % 2 === 0 ? shared.one : shared.other;
      return { name, answer: await store.write(adjusting(petId, delta, { idempotency: keyed(name) })) };
    }),
  );
  for (const [name, same] of Map.groupBy(answers, (each) => each.name)) {
    const kinds = same.map(({ answer }) => answer.kind).toSorted();
    assert.deepEqual(kinds, [...Array(5).fill('replayed'), 'written'], name);
    const [first, ...others] = same.map(({ answer }) => singleOf(answer));
    for (const other of others) assert.deepEqual(other, first, name);
  }
  const changes = await changesIn(shared);
  assert.deepEqual(
    changes.map((each) => each.quantityAfter - each.quantityBefore).toSorted((a, b) => a - b),
    keys.map(({ delta }) => delta),
  );
});

test('a key that belongs to another request changes nothing, through any instance', async (t) => {
  const shared = await openTwo(t, { pets: [petRow(1n, 5)] });
  const first = await shared.one.write(adjusting(1n, 3, { idempotency: keyed('a') }));
  const reused = adjusting(1n, 4, { idempotency: keyed('a', 'another request') });
  assert.deepEqual(await shared.other.write(reused), { kind: 'key_reused' });
  const replayed = await shared.other.write(adjusting(1n, 3, { idempotency: keyed('a') }));
  assert.equal(replayed.kind, 'replayed');
  assert.deepEqual(singleOf(replayed), singleOf(first));
  assert.equal((await changesIn(shared)).length, 1);
});

test('a refusal is replayed too, even if the request would now succeed', async (t) => {
  const shared = await openTwo(t, { pets: [petRow(1n, 5)] });
  const taking = () => adjusting(1n, -6, { idempotency: keyed('a') });
  assert.equal(singleOf(await shared.one.write(taking())).code, 'insufficient_stock');
  await setQuantity(shared.one, 1n, 100);
  const again = await shared.other.write(taking());
  assert.equal(again.kind, 'replayed');
  assert.equal(singleOf(again).code, 'insufficient_stock');
  assert.equal((await changesIn(shared)).length, 1);
});

/** Waits until this many answers are left. */
function untilKept(database: TestDatabase, count: number): Promise<void> {
  return until(async () => {
    const [[left] = []] = await database.rows('SELECT count(*) FROM idempotency_records');
    return left === count;
  }, `${count} answers are kept`);
}

const MANY_OLD = `INSERT INTO idempotency_records (scope, fingerprint, result, created_at)
SELECT 'old ' || i, '', '{}', 0 FROM generate_series(1, 12000) AS i`;

test('an answer is kept for 24 hours and not longer', async (t) => {
  const clock = { nowMs: NOW_MS };
  const shared = await openTwo(t, { pets: [petRow(1n, 5)], clock: () => clock.nowMs });
  const at = (atMs: number, name: string) =>
    adjusting(1n, 1, { author: newAuthor({ atMs }), idempotency: keyed(name) });
  for (const name of ['a', 'b', 'c']) await shared.one.write(at(NOW_MS, name));
  assert.equal((await shared.other.write(at(NOW_MS + IDEMPOTENCY_TTL_MS - 1, 'a'))).kind, 'replayed');
  const later = NOW_MS + IDEMPOTENCY_TTL_MS;
  await shared.one.write(at(later - 1, 'd'));
  assert.equal((await shared.other.write(at(later, 'a'))).kind, 'written');
  clock.nowMs = later;
  await untilKept(shared.database, 2);
  const scopes = await shared.database.rows('SELECT scope FROM idempotency_records ORDER BY id');
  assert.deepEqual(scopes, [['scope of d'], ['scope of a']], 'the newest is the last');
  assert.equal((await shared.one.write(at(later + 1, 'a'))).kind, 'replayed');
  assert.equal((await shared.one.write(at(later + 1, 'b'))).kind, 'written');
  assert.equal((await changesIn(shared)).length, 6);
});

test('a clock that is a year ahead forgets no answer', async (t) => {
  const clock = { nowMs: NOW_MS };
  const statements = new CountedStatements(t);
  const shared = await openTwo(t, {
    pets: [petRow(1n, 5)],
    clock: () => clock.nowMs,
    elapsed: [() => 0],
  });
  await shared.one.write(adjusting(1n, 1, { idempotency: keyed('a') }));
  clock.nowMs += 365 * IDEMPOTENCY_TTL_MS;
  statements.take();
  // Each instance deletes what is old after it has read the time.
  await until(() => statements.countOf('state') >= 6, 'both instances have read the time more than once');
  clock.nowMs = NOW_MS;
  assert.equal((await shared.other.write(adjusting(1n, 1, { idempotency: keyed('a') }))).kind, 'replayed');
});

test('expired answers are deleted between any others, also between answers from the future', async (t) => {
  const shared = await openTwo(t, { pets: [petRow(1n, 5)] });
  const ahead = `INSERT INTO idempotency_records (scope, fingerprint, result, created_at)
SELECT 'ahead ' || i, '', '{}', ${NOW_MS + 3_600_000} FROM generate_series(1, 6000) AS i`;
  await shared.database.run(`BEGIN; ${ahead}; ${MANY_OLD}; COMMIT`);
  await shared.one.write(adjusting(1n, 1, { idempotency: keyed('a') }));
  await untilKept(shared.database, 6_001);
});

test('a transaction that is open for long does not make commits look at answers that are gone', async (t) => {
  const shared = await openTwo(t, { pets: [petRow(1n, 5)] });
  const { client: old } = await connectAdmin(shared.database.url);
  t.after(() => old.end());
  await old.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM movements');
  await shared.database.run(MANY_OLD);
  await untilKept(shared.database, 0);
  const sent: unknown[] = [];
  const { query } = pg.Client.prototype;
  t.after(() => {
    pg.Client.prototype.query = query;
  });
  pg.Client.prototype.query = function noted(this: pg.Client, ...words: unknown[]) {
    if (typeof words[0] === 'object') sent.push(words[0]);
    return Reflect.apply(query, this, words);
  };
  await shared.one.write(adjusting(1n, 1, { idempotency: keyed('a') }));
  pg.Client.prototype.query = query;
  const ofAnswers = (sent as { name?: string; text: string; values: unknown[] }[]).filter(
    ({ name, text }) => text.includes('idempotency_records') && name !== 'deleteIdempotencyRecords',
  );
  assert.deepEqual(
    ofAnswers.map(({ name }) => name),
    ['idempotencyRecords', 'saveIdempotencyRecords'],
  );
  const { client: explaining } = await connectAdmin(shared.database.url);
  t.after(() => explaining.end());
  for (const { text, values } of ofAnswers) {
    const { rows } = await explaining.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
    const plan = JSON.stringify(rows);
    const [{ Plan }] = rows[0]['QUERY PLAN'] as [{ Plan: Record<string, number> }];
    const pages = Number(Plan['Shared Hit Blocks']) + Number(Plan['Shared Read Blocks']);
    assert.ok(pages < 30, plan);
  }
});

test('a damaged answer fails its request as not written, and delays no other', async (t) => {
  const shared = await openTwo(t, { pets: [petRow(1n, 5)] });
  await shared.one.write(adjusting(1n, 1, { idempotency: keyed('a') }));
  await shared.one.write(adjusting(1n, 1, { idempotency: keyed('b') }));
  await shared.database.run("UPDATE idempotency_records SET result = '{' WHERE scope = 'scope of a'");
  const [again, replayed, written] = await Promise.allSettled([
    shared.one.write(adjusting(1n, 1, { idempotency: keyed('a') })),
    shared.one.write(adjusting(1n, 1, { idempotency: keyed('b') })),
    shared.one.write(adjusting(1n, 1, { idempotency: keyed('c') })),
  ]);
  assert.equal(shared.commits.at(-1), 3, 'they shared a commit');
  assert.ok(again.status === 'rejected');
  assert.match(String(again.reason), /nothing was changed/);
  assert.equal((again.reason as ApiError).code, 'service_unavailable');
  const kinds = [replayed, written].map((each) => each.status === 'fulfilled' && each.value.kind);
  assert.deepEqual(kinds, ['replayed', 'written']);
  for (const store of shared.stores) await store.write(adjusting(1n, 1));
  assert.equal((await changesIn(shared)).length, 5);
});

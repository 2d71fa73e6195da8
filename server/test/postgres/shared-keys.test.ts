import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANSWER_KEPT_MS } from '../../src/domain/writes.ts';
import { petRow, petRows } from '../pet-rows.ts';
import { useEngine } from '../test-database.ts';
import { CountedStatements } from './counted-statements.ts';
import { PostgresEngine } from './postgres-engine.ts';
import {
  adjusting,
  changesIn,
  keyed,
  NOW_MS,
  newAuthor,
  openTwo,
  setQuantity,
  singleOf,
} from './shared-stores.ts';

useEngine(new PostgresEngine());

test('a request that is sent again and again through two instances at once has one effect and one answer', async (t) => {
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

test('a key that belongs to another request changes nothing, whichever instance is asked', async (t) => {
  const shared = await openTwo(t, { pets: [petRow(1n, 5)] });
  const first = await shared.one.write(adjusting(1n, 3, { idempotency: keyed('a') }));
  const reused = adjusting(1n, 4, { idempotency: keyed('a', 'another request') });
  assert.deepEqual(await shared.other.write(reused), { kind: 'key_reused' });
  const replayed = await shared.other.write(adjusting(1n, 3, { idempotency: keyed('a') }));
  assert.equal(replayed.kind, 'replayed');
  assert.deepEqual(singleOf(replayed), singleOf(first));
  assert.equal((await changesIn(shared)).length, 1);
});

test('a refusal is an answer too: sent again it is told again, although it would be none now', async (t) => {
  const shared = await openTwo(t, { pets: [petRow(1n, 5)] });
  const taking = () => adjusting(1n, -6, { idempotency: keyed('a') });
  assert.equal(singleOf(await shared.one.write(taking())).code, 'insufficient_stock');
  await setQuantity(shared.one, 1n, 100);
  const again = await shared.other.write(taking());
  assert.equal(again.kind, 'replayed');
  assert.equal(singleOf(again).code, 'insufficient_stock');
  assert.equal((await changesIn(shared)).length, 1);
});

test('an answer is kept for 24 hours and not longer, and old ones go while new ones come', async (t) => {
  const shared = await openTwo(t, { pets: [petRow(1n, 5)] });
  const at = (atMs: number, name: string) =>
    adjusting(1n, 1, { author: newAuthor({ atMs }), idempotency: keyed(name) });
  const idsOf = async () =>
    (await shared.database.rows('SELECT scope, id FROM answers ORDER BY id')).map(([scope]) => scope);
  for (const name of ['a', 'b', 'c']) await shared.one.write(at(NOW_MS, name));
  assert.equal((await shared.other.write(at(NOW_MS + ANSWER_KEPT_MS - 1, 'a'))).kind, 'replayed');
  const later = NOW_MS + ANSWER_KEPT_MS;
  await shared.one.write(at(later - 1, 'd'));
  assert.equal((await shared.other.write(at(later, 'a'))).kind, 'written');
  assert.deepEqual(
    await idsOf(),
    ['scope of d', 'scope of a'],
    'the old ones are gone, the newest is the last',
  );
  assert.equal((await shared.one.write(at(later + 1, 'a'))).kind, 'replayed');
  assert.equal((await shared.one.write(at(later + 1, 'b'))).kind, 'written');
  assert.equal((await changesIn(shared)).length, 6);

  const many = `INSERT INTO answers (scope, fingerprint, result, created_at) SELECT 'old ' || i, '', '{}', 0 FROM generate_series(1, 500) AS i`;
  await shared.database.run(`DELETE FROM answers; ${many}`);
  for (let i = 0; i < 60; i += 1) await shared.one.write(at(later + 2, `new ${i}`));
  const [[old, all] = []] = await shared.database.rows(
    "SELECT count(*) FILTER (WHERE scope LIKE 'old %'), count(*) FROM answers",
  );
  assert.deepEqual([old, all], [0, 60]);
});

test('an answer that was damaged fails its request as not written, and holds up nobody else', async (t) => {
  const shared = await openTwo(t, { pets: [petRow(1n, 5)] });
  await shared.one.write(adjusting(1n, 1, { idempotency: keyed('a') }));
  await shared.database.run("UPDATE answers SET result = '{'");
  const statements = new CountedStatements(t);
  const again = shared.one.write(adjusting(1n, 1, { idempotency: keyed('a') }));
  await assert.rejects(again, /nothing was changed/);
  assert.equal(statements.take().at(-1), 'ROLLBACK', 'the ledger is not left locked');
  for (const store of shared.stores) await store.write(adjusting(1n, 1));
  assert.equal((await changesIn(shared)).length, 3);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAdmin, prepareStore } from '../../../src/store/open-admin.ts';
import type { TestDatabase } from '../../support/test-database.ts';
import { hashesOf } from '../tampering.ts';
import { filledShop } from './pruned-shop.ts';

/** Makes a database what it was before prunes were recorded, pruned up to movement 8. */
async function pruneUnrecorded(database: TestDatabase): Promise<void> {
  await database.run(`DROP TABLE prunes; ALTER TABLE ledger_start DROP COLUMN deleted_sequence;
ALTER TABLE ledger_start DROP COLUMN deleted_hash; DELETE FROM schema_migrations WHERE version >= 3;
UPDATE ledger_start SET (sequence, recorded_at, hash) = (SELECT sequence, recorded_at, hash FROM movements WHERE sequence = 8);
DELETE FROM movements WHERE sequence <= 8 AND sequence NOT IN (SELECT last_sequence FROM inventory)`);
  if (!database.url.startsWith('sqlite:')) await database.run('DROP FUNCTION refuse_prune_change');
}

const identity = { environment: 'production', pepperCheck: 'of this test' } as const;

test('what was pruned before prunes were recorded is reported as that, and checked from then on', async (t) => {
  const { store, database } = await filledShop(t);
  await pruneUnrecorded(database);
  await store.close();
  const { migrations } = await prepareStore(database.url, [], () => identity);
  assert.deepEqual(migrations, ['prunes-recorded']);
  const admin = await openAdmin(database.url);
  t.after(() => admin.close());
  const { faults, prunes, retentionStart, movements, hashesChecked, head } = await admin.verify();
  assert.deepEqual([faults, movements, hashesChecked], [[], 5, 3]);
  assert.equal(retentionStart.sequence, 8);
  const [prune] = prunes;
  assert.deepEqual(
    [prune?.kind, prune?.afterSequence, prune?.retained, prune?.deleted, prunes.length],
    ['unrecorded', 10, 3, 5, 1],
  );
  assert.equal(prune?.previousHash, (await hashesOf(database)).at(-1));
  assert.deepEqual(head, { sequence: 10, hash: prune?.hash });

  assert.equal((await admin.pruneMovements(25)).movements, 0);
  const { start, movements: deleted, prune: own } = await admin.pruneMovements(1_000);
  assert.deepEqual([start.sequence, deleted], [9, 0]);
  assert.match(
    (await admin.verify([head])).faults.join(),
    /^Prune 2 .* was recorded after the expected hash/,
  );
  const noted = [head, { sequence: own!.afterSequence, hash: own!.hash }];
  assert.deepEqual((await admin.verify(noted)).faults, []);
  await database.unguard();
  await database.run("UPDATE movements SET note = 'forged' WHERE sequence = 4");
  assert.match((await admin.verify()).faults.join(), /are not the 4 that prune 2 retained/);
});

test('a ledger that was never pruned gets no record, and keeps its newest hash', async (t) => {
  const { store, database, intact } = await filledShop(t);
  const before = await intact();
  await database.run(`DROP TABLE prunes; ALTER TABLE ledger_start DROP COLUMN deleted_sequence;
ALTER TABLE ledger_start DROP COLUMN deleted_hash; DELETE FROM schema_migrations WHERE version >= 3`);
  if (!database.url.startsWith('sqlite:')) await database.run('DROP FUNCTION refuse_prune_change');
  await store.close();
  assert.deepEqual((await prepareStore(database.url, [], () => identity)).migrations, ['prunes-recorded']);
  const admin = await openAdmin(database.url);
  t.after(() => admin.close());
  assert.deepEqual(await admin.verify(), before);
});

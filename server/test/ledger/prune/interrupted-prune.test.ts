import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { openAdmin } from '../../../src/store/open-admin.ts';
import { MAIN } from '../../support/bundle/service-program.ts';
import { environmentOf, newAdminStore, petRow, temporaryFolder } from '../../support/command-line.ts';
import { petRows } from '../../support/pet-rows.ts';
import { testEngine } from '../../support/test-database.ts';
import { filledShop, interruptPrune, prunedShop } from './pruned-shop.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

/** On PostgreSQL the first and the last, and one between two retained movements. */
const INTERRUPTED_AT = testEngine().share < 1 ? [0, 4, 9] : [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

for (const upTo of INTERRUPTED_AT) {
  test(`a prune that was interrupted at movement ${upTo} leaves an intact ledger that cannot be forged`, async (t) => {
    const { store, database, intact, report } = await prunedShop(t);
    await database.unguard();
    await interruptPrune(database, upTo);
    const interrupted = await intact();
    assert.deepEqual(interrupted.head, report.head);
    const sequences = (await database.rows('SELECT sequence FROM movements ORDER BY sequence')).flat();
    assert.equal(interrupted.movements, sequences.length);
    for (const sequence of sequences.filter((each) => Number(each) <= 10)) {
      await database.run(`UPDATE movements SET note = 'forged' WHERE sequence = ${sequence}`);
      assert.notDeepEqual((await store.verify()).faults, [], `movement ${sequence} forged`);
      await database.run(`UPDATE movements SET note = NULL WHERE sequence = ${sequence}`);
      await intact();
    }
    const left = interrupted.movements - report.movements;
    assert.equal((await store.pruneMovements(1, CLI_AUTHOR)).movements, left);
    assert.deepEqual(await intact(), report);
  });
}

test('a prune after one that was interrupted finishes that one first', async (t) => {
  const { store, database, intact } = await prunedShop(t);
  await database.unguard();
  await interruptPrune(database, 4);
  const { prune, start } = await store.pruneMovements(50, CLI_AUTHOR);
  assert.deepEqual([prune?.number, start.sequence], [3, 12]);
  const { movements, prunes } = await intact();
  assert.deepEqual([movements, prunes.length], [5, 3]);
});

test('concurrent prunes of several processes leave an intact ledger', async (t) => {
  const { database, intact } = await filledShop(t);
  const pruning = [11, 21, 25, 31, 12, 40].map(async (atMs) => {
    const admin = await openAdmin(database.url);
    await admin.pruneMovements(atMs, CLI_AUTHOR);
    await admin.close();
  });
  await Promise.all(pruning);
  const { retentionStart, movements, prunes } = await intact();
  assert.equal(retentionStart.sequence, 9);
  assert.ok(prunes.length >= 1);
  assert.equal(movements, 5);
});

test('a prune that is killed, again and again, leaves a ledger that is intact, and ends', async (t) => {
  if (isSkippedDaily(t)) return;
  let kills = 0;
  // On a busy machine a prune may be done before it is killed.
  for (let attempt = 1; attempt <= 5 && kills === 0; attempt += 1) kills = await killPrune(t);
  t.diagnostic(`${kills} kills`);
  assert.ok(kills >= 1);
});

/** Prunes a new ledger, killed after the record and after each portion; returns how often it was killed. */
async function killPrune(t: TestContext): Promise<number> {
  const { store, database } = await newAdminStore(t);
  const pets = 1_500;
  for (let version = 0; version < 5; version += 1) {
    const rows = petRows(pets).map(({ petId }) => petRow(petId, { quantity: version }));
    await store.importPets(rows, 'cli', 10 + version);
  }
  const stateOf = async () => {
    const [row = []] = await database.rows('SELECT sequence, deleted_sequence FROM ledger_start');
    return row.map(Number);
  };
  let kills = 0;
  for (let isOver = false; !isOver;) {
    const before = String(await stateOf());
    isOver = await pruneUntil(t, database.url, async () => String(await stateOf()) !== before);
    if (!isOver) kills += 1;
    assert.deepEqual((await store.verify()).faults, []);
  }
  const [sequence, deleted] = await stateOf();
  assert.deepEqual([sequence, deleted], [pets * 5 - 1, pets * 5 - 1]);
  const { movements, prunes } = await store.verify();
  assert.deepEqual([movements, prunes.length], [pets, 1]);
  return kills;
}

/** Runs a prune and kills it as soon as a condition holds; returns whether it exited before. */
async function pruneUntil(t: TestContext, url: string, isTime: () => Promise<boolean>): Promise<boolean> {
  const folder = temporaryFolder(t);
  const words = [MAIN, 'movements', 'prune', '--yes', '--before', '1970-01-02', '--accept-clock'];
  const child = spawn(process.execPath, words, {
    env: environmentOf(folder, { ...testEngine().variables, PETSTORE_DATABASE: url }),
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver && !(await isTime())) await new Promise((resolve) => setImmediate(resolve));
  child.kill('SIGKILL');
  return (await ended) === 0;
}

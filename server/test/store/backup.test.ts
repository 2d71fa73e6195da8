import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openAdmin } from '../../src/store/open-admin.ts';
import { databaseFile } from '../../src/store/sqlite/open.ts';
import { MAIN } from '../support/bundle/service-program.ts';
import { commandLine, environmentOf, newAdminStore, petRow } from '../support/command-line.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const TIMEOUT_MS = 90_000;

async function newSqliteStore(t: TestContext) {
  const { store, database } = await newAdminStore(t);
  const file = databaseFile(database.url);
  return { store, file, folder: dirname(file) };
}

test('a backup is the whole database, with all its accounts, pets and movements', async (t) => {
  const { store, folder, file } = await newSqliteStore(t);
  await store.importPets([petRow(1, { name: 'Rex' }), petRow(2n ** 63n - 1n, { quantity: 7 })], 'cli', 1);
  chmodSync(file, 0o640);
  const copy = join(folder, 'copy.db');
  await store.backup(copy);
  if (process.platform !== 'win32') assert.equal(statSync(copy).mode & 0o777, 0o600);

  const restored = await openAdmin(`sqlite:${copy}`);
  t.after(() => restored.close());
  assert.equal(restored.environment, store.environment);
  assert.equal(restored.pepperCheck, store.pepperCheck);
  const { pets, movements, faults } = await restored.verify();
  assert.deepEqual({ pets, movements, faults }, { pets: 2, movements: 2, faults: [] });
});

test('a backup never replaces a file, and reports what is wrong with its target', async (t) => {
  const { store, folder } = await newSqliteStore(t);
  const existing = join(folder, 'taken.db');
  writeFileSync(existing, 'mine');
  mkdirSync(join(folder, 'inner'));
  const refusals: readonly [string, RegExp][] = [
    [existing, /exists already/],
    [join(folder, 'inner'), /is a folder; name a new file in it/],
    [join(folder, 'nowhere', 'copy.db'), /There is no folder .*nowhere/],
    [join(existing, 'copy.db'), /There is no folder .*taken\.db/],
  ];
  for (const [target, message] of refusals) {
    await assert.rejects(store.backup(target), { name: 'OperatorError', message });
  }
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('partial')),
    [],
  );
});

test('every backup made while others write shows one moment', async (t) => {
  const { store, folder } = await newSqliteStore(t);
  const total = 1_000;
  const share = (quantity: number) => [petRow(1, { quantity }), petRow(2, { quantity: total - quantity })];
  const backup = commandLine(folder);
  let isWriting = true;
  const writing = (async () => {
    for (let round = 0; isWriting && round < 1_000_000; round += 1) {
      await store.importPets(share(round % total), 'cli', round);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  for (let number = 0; number < 3; number += 1) {
    const copy = join(folder, `copy-${number}.db`);
    const { code, stderr } = await backup('backup', copy, '--json');
    assert.equal(code, 0, stderr);
    const restored = await openAdmin(`sqlite:${copy}`);
    assert.deepEqual((await restored.verify()).faults, []);
    await restored.close();
    const database = new DatabaseSync(copy, { readOnly: true });
    assert.deepEqual(
      { ...database.prepare('SELECT sum(quantity) AS total FROM inventory').get() },
      { total },
    );
    database.close();
  }
  isWriting = false;
  await writing;
});

test('a backup that is killed leaves nothing under its name, and the next one clears away the rest', async (t) => {
  if (isSkippedDaily(t)) return;
  const { store, folder } = await newSqliteStore(t);
  const rows = Array.from({ length: 100_000 }, (_, i) => petRow(i, { name: `Pet number ${i}` }));
  await store.importPets(rows, 'cli', 1);
  const copy = join(folder, 'copy.db');
  const partials = () =>
    readdirSync(folder).filter((name) => name.startsWith('copy.db.partial-') && !name.endsWith('-journal'));

  for (let round = 0; round < 2; round += 1) {
    const child = spawn(process.execPath, [MAIN, 'backup', copy], {
      env: environmentOf(folder),
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    t.after(() => child.kill('SIGKILL'));
    const deadlineMs = Date.now() + TIMEOUT_MS;
    while (!partials().includes(`copy.db.partial-${child.pid}`) && Date.now() < deadlineMs) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    child.kill('SIGKILL');
    await ended;
    assert.ok(!existsSync(copy));
    // The next backup removes the rest of this one, and is killed in turn.
    assert.deepEqual(partials(), [`copy.db.partial-${child.pid}`]);
  }
  await store.backup(copy);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('copy.db')),
    ['copy.db'],
  );
  const restored = await openAdmin(`sqlite:${copy}`);
  const { pets, movements, faults } = await restored.verify();
  assert.deepEqual({ pets, movements, faults }, { pets: 100_000, movements: 100_000, faults: [] });
  await restored.close();
});

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeComplete } from '../../src/store/complete-file.ts';
import { restoreFile } from '../../src/store/restore.ts';
import { OverwrittenFile } from '../../src/store/sqlite/file/served-files.ts';
import type { WalIndex } from '../../src/store/sqlite/file/wal-index.ts';
import { newAdminStore, petRow, temporaryFolder } from '../support/command-line.ts';
import { isSkippedOnBun } from '../support/long-test.ts';

const isPosix = process.platform !== 'win32';

/** Notes what is flushed to the disk and what is renamed, in order, by the names without the numbers of processes. */
function noteCalls(t: TestContext): string[] {
  const { openSync, fsyncSync, renameSync } = fs;
  const noted: string[] = [];
  const names = new Map<number, string>();
  const shown = (path: unknown) => basename(String(path)).replace(/-\d+$/, '');
  const replace = (functions: object) => {
    Object.assign(fs, functions);
    syncBuiltinESMExports();
  };
  replace({
    openSync: (...given: Parameters<typeof openSync>) => {
      const descriptor = openSync(...given);
      names.set(descriptor, shown(given[0]));
      return descriptor;
    },
    fsyncSync: (descriptor: number) => {
      noted.push(`flush ${names.get(descriptor)}`);
      fsyncSync(descriptor);
    },
    renameSync: (from: string, to: string) => {
      noted.push(`rename ${shown(from)} ${shown(to)}`);
      renameSync(from, to);
    },
  });
  t.after(() => replace({ openSync, fsyncSync, renameSync }));
  return noted;
}

test('a file has its name after it is on the disk, and the name is on the disk before it is reported', async (t) => {
  if (isSkippedOnBun(t, 'replaced functions of node:fs')) return;
  const file = join(temporaryFolder(t), 'shop.db');
  const noted = noteCalls(t);
  await writeComplete(file, async (partial) => fs.writeFileSync(partial, 'whole'));
  assert.equal(fs.readFileSync(file, 'utf8'), 'whole');
  const before = ['flush shop.db.partial', 'rename shop.db.partial shop.db'];
  assert.deepEqual(
    noted,
    isPosix ? [...before, `flush ${basename(dirname(file)).replace(/-\d+$/, '')}`] : before,
  );
});

test('what a killed backup left of a file is removed, and the part of one that runs stays, also of another user', async (t) => {
  const folder = temporaryFolder(t);
  const endings = ['111', '222', '222-journal', '333'];
  for (const ending of endings) fs.writeFileSync(join(folder, `shop.db.partial-${ending}`), 'part');
  fs.writeFileSync(join(folder, 'other.db.partial-222'), 'part');
  t.mock.method(process, 'kill', (processId: number) => {
    if (processId === 111) return true;
    throw Object.assign(new Error('kill'), { code: processId === 333 ? 'EPERM' : 'ESRCH' });
  });
  await writeComplete(join(folder, 'shop.db'), async (partial) => fs.writeFileSync(partial, 'whole'));
  assert.deepEqual(fs.readdirSync(folder).toSorted(), [
    'other.db.partial-222',
    'shop.db',
    'shop.db.partial-111',
    'shop.db.partial-333',
  ]);
});

test('a file that another process makes meanwhile stays, and nothing is left of one that failed', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'shop.db');
  const made = writeComplete(file, async (partial) => {
    fs.writeFileSync(partial, 'mine');
    if (isPosix) assert.equal(fs.statSync(partial).mode & 0o777, 0o600);
    fs.writeFileSync(file, 'another');
  });
  await assert.rejects(made, /exists already/);
  assert.equal(fs.readFileSync(file, 'utf8'), 'another');
  const failed = writeComplete(join(folder, 'failed.db'), async (partial) => {
    fs.writeFileSync(partial, 'a part');
    throw new Error('planted');
  });
  await assert.rejects(failed, /cannot be written to .* \(planted\)/);
  assert.deepEqual(fs.readdirSync(folder), ['shop.db']);
});

test('a restored database is on the disk before it is in its place, with its name after that', async (t) => {
  if (isSkippedOnBun(t, 'replaced functions of node:fs')) return;
  const { store } = await newAdminStore(t);
  await store.importPets([petRow(1)], 'cli', 1);
  const folder = temporaryFolder(t);
  const [backup, target] = [join(folder, 'backup.db'), join(folder, 'shop.db')];
  await store.backup(backup);
  const noted = noteCalls(t);
  const ignore = () => undefined;
  const options = { isReplaced: false, keptSuffix: '', ...{ check: ignore, checkReplaced: ignore } };
  await restoreFile(backup, target, { ...options, progress: ignore });
  const before = ['flush shop.db.restore', 'rename shop.db.restore shop.db'];
  const after = isPosix ? [...before, `flush ${basename(folder).replace(/-\d+$/, '')}`] : before;
  assert.deepEqual(noted.slice(-after.length), after);
});

test('a checkpoint that begins between two looks at the file is no other program', (t) => {
  if (!isPosix) return;
  const file = join(temporaryFolder(t), 'shop.db');
  const change = (seconds: number) => {
    fs.writeFileSync(file, 'pages');
    fs.utimesSync(file, seconds, seconds);
  };
  change(1);
  const checkpoints: (string | undefined)[] = ['first', 'first'];
  const index = { readCheckpoint: () => checkpoints.shift() } as unknown as WalIndex;
  const overwritten = new OverwrittenFile(file, index);
  change(2);
  checkpoints.push('first', 'second');
  assert.equal(overwritten.findFault(), undefined, 'it may have changed the file');
  checkpoints.push('second', 'second');
  assert.equal(overwritten.findFault(), undefined);
  change(3);
  checkpoints.push('second', 'second');
  assert.match(overwritten.findFault() ?? '', /was written by another program/);
});

test('a served file that lost its end is called so, with the command that restores a backup', (t) => {
  if (!isPosix) return;
  const file = join(temporaryFolder(t), 'shop.db');
  fs.writeFileSync(file, 'pages');
  const index = { readCheckpoint: () => 'same' } as unknown as WalIndex;
  const overwritten = new OverwrittenFile(file, index);
  fs.truncateSync(file, 3);
  fs.utimesSync(file, 1, 1);
  assert.match(
    overwritten.findFault() ?? '',
    /shop\.db was cut, or overwritten with less, .* it has 3 of 5 bytes, .* petstore-server restore <backup> --replace/,
  );
});

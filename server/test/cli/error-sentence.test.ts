import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { errorSentence } from '../../src/cli/error-sentence.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { commandLine, json, temporaryFolder } from '../support/command-line.ts';
import { damageTable } from '../support/damaged-table.ts';
import { isSkippedDaily } from '../support/long-test.ts';

test('each command on a damaged database says what to do', async (t) => {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  await json(cli, 'migrate');
  damageTable(join(folder, 'petstore.db'), 'metadata');
  const advice =
    'The database file is damaged (database disk image is malformed); check the disk, run petstore-server verify, and restore a backup only if it finds faults.';
  for (const line of ['accounts list', 'keys create --account shop', 'serve']) {
    const { code, stdout, stderr } = await cli(...line.split(' '));
    assert.deepEqual([code, stdout, stderr], [1, '', `error: ${advice}\n`], line);
  }
  const verified = await cli('verify');
  assert.match(
    verified.stderr,
    /^error: The database file is damaged where its schema and settings are .* restore a backup with /,
    'it does not name itself',
  );
  const { code, stdout } = await cli('doctor', '--json');
  const { findings } = JSON.parse(stdout) as { findings: Record<string, unknown>[] };
  const expected = { check: 'database', state: 'fault', message: advice, fix: 'petstore-server verify' };
  assert.deepEqual([code, findings.at(-1)], [1, expected]);
});

test('a place that cannot be used is named, with the remedy', async (t) => {
  if (isSkippedDaily(t)) return;
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  await json(cli, 'migrate');
  const backup = join(folder, 'backup.db');
  await json(cli, 'backup', backup);

  const none = join(folder, 'none');
  const check = await commandLine(folder, { env: { TMPDIR: none } })('backup', 'check', backup);
  assert.equal(check.code, 1);
  assert.match(
    check.stderr,
    /^error: The temporary folder \S+none cannot be used \(.+\); set TMPDIR to .+\n$/,
  );

  writeFileSync(none, '');
  const PETSTORE_DATABASE = `sqlite:${join(none, 'shop', 'petstore.db')}`;
  const restore = await commandLine(folder, { env: { PETSTORE_DATABASE } })('restore', backup);
  assert.equal(restore.code, 1);
  assert.match(
    restore.stderr,
    /^error: \S+none\S* cannot be used: a part of its path is a file, not a folder; name another place\.\n$/,
  );
});

test('a refusal of the system says what to do: a quota is not a full disk, and too few open files have a limit', () => {
  for (const [code, remedy] of [
    ['EDQUOT', 'the disk quota is used up; make room or enlarge the quota, and try again'],
    ['EMFILE', 'the process has too many open files; raise its limit (ulimit -n, or LimitNOFILE of systemd)'],
  ] as const) {
    const refused = Object.assign(new Error(`${code}: refused`), { code, path: '/backups/a.db' });
    assert.equal(errorSentence(refused), `/backups/a.db cannot be used: ${remedy}.`);
  }
});

test('a command of another user than that of the service names the remedy', (t) => {
  const refused = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', path: '/backups' });
  assert.equal(
    errorSentence(refused),
    '/backups cannot be used: this user may not use it; run this as the user of the service, or name another place.',
  );
  if (process.getuid?.() !== 0) return;
  const file = join(temporaryFolder(t), 'petstore.db');
  openDatabase(file, { create: true }).close();
  process.seteuid?.('nobody');
  try {
    assert.throws(
      () => openDatabase(file),
      /petstore\.db cannot be written \(EACCES: .+\); run this as the user of the service, or set PETSTORE_DATABASE to /,
    );
  } finally {
    process.seteuid?.(0);
  }
});

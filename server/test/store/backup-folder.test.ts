import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { backupName, backupsIn, removeOlder } from '../../src/store/backup-folder.ts';
import { MoveSource } from '../../src/store/sqlite/admin/move-source.ts';
import { ServingLock } from '../../src/store/sqlite/file/serving-lock.ts';
import { MAIN } from '../support/bundle/service-program.ts';
import {
  type CommandLine,
  commandLine,
  environmentOf,
  json,
  temporaryFolder,
} from '../support/command-line.ts';
import { isSkippedDaily, isSkippedOnBun } from '../support/long-test.ts';

const DAY_MS = 86_400_000;
/** Of a command that a signal shall end, on a busy machine. */
const MAX_ATTEMPTS = 20;

interface Shop {
  readonly folder: string;
  /** The folder of the backups. */
  readonly backups: string;
  readonly database: string;
  readonly cli: CommandLine;
  readonly setQuantity: (quantity: number) => Promise<unknown>;
}

async function newShop(t: TestContext): Promise<Shop> {
  const folder = temporaryFolder(t);
  const [backups, temporary] = [join(folder, 'backups'), join(folder, 'temporary')];
  mkdirSync(backups);
  mkdirSync(temporary);
  const cli = commandLine(folder, { env: { TMPDIR: temporary } });
  await json(cli, 'migrate');
  const setQuantity = (quantity: number) => {
    writeFileSync(join(folder, 'pets.csv'), `petId,name,quantity\n1,Rex,${quantity}\n`);
    return json(cli, 'pets', 'import', 'pets.csv');
  };
  await setQuantity(2);
  return { folder, backups, database: join(folder, 'petstore.db'), cli, setQuantity };
}

/** The name of a backup made some days after a time. */
function ofDay(backups: string, startMs: number, days: number): string {
  return join(backups, backupName(startMs + days * DAY_MS));
}

async function backUp({ cli, backups }: Shop): Promise<string> {
  return String((await json(cli, 'backup', '--to', backups)).file);
}

function changeFile(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

function recorded({ database }: Shop): unknown {
  const opened = new DatabaseSync(database, { readOnly: true });
  const row = opened.prepare('SELECT head_sequence, byte_count FROM newest_backup').get();
  opened.close();
  return row && { ...row };
}

test('only a verified backup is recorded in the database', async (t) => {
  const shop = await newShop(t);
  await json(shop.cli, 'backup', 'plain.db');
  assert.equal(recorded(shop), undefined);
  const file = await backUp(shop);
  const record = { head_sequence: 1, byte_count: statSync(file).size };
  assert.deepEqual(recorded(shop), record);
  await shop.setQuantity(3);
  changeFile(shop.database, 'UPDATE inventory SET quantity = 99');
  assert.equal((await shop.cli('backup', '--to', shop.backups)).code, 1);
  assert.deepEqual(recorded(shop), record);
  changeFile(shop.database, 'UPDATE inventory SET quantity = 3');
  changeFile(shop.database, 'DROP TABLE newest_backup');
  const { code, stderr } = await shop.cli('backup', '--to', shop.backups);
  assert.equal(code, 1);
  const unrecorded = /is verified, but the database could not record it \(/;
  assert.match(stderr, unrecorded);
  const { unrecorded: reason, ...made } = JSON.parse(
    (await shop.cli('backup', '--to', shop.backups, '--json')).stdout,
  ) as { readonly unrecorded: string; readonly faults: readonly string[] };
  assert.match(reason, unrecorded, 'the only document has the reason of the exit code');
  assert.deepEqual(made.faults, []);
});

test('backup --to verifies the copy, then deletes older backups of the same shop and nothing else', async (t) => {
  const shop = await newShop(t);
  const { backups, cli } = shop;
  const aged = (days: number) => join(backups, backupName(Date.now() - days * DAY_MS));
  const first = await backUp(shop);
  const [older, old, recent, foreign] = [aged(30), aged(15), aged(10), aged(20)];
  for (const copy of [older, old, recent]) copyFileSync(first, copy);
  copyFileSync(first, foreign);
  changeFile(foreign, `UPDATE metadata SET value = '1' WHERE name = 'created_at'`);
  const others = ['notes.txt', `${basename(old)}.bak`, 'petstore-20200101T000000.000Z.db'];
  for (const name of others) writeFileSync(join(backups, name), 'mine');

  const made = await json(cli, 'backup', '--to', backups, '--keep', '14d');
  assert.deepEqual(made.deleted, [old, older]);
  assert.deepEqual(made.faults, []);
  assert.match(JSON.stringify(made.head), /^\{"sequence":1,"hash":"[0-9a-f]{64}"\}$/);
  const expected = [first, recent, foreign, String(made.file)].map((file) => basename(file));
  assert.deepEqual(readdirSync(backups).toSorted(), [...expected, ...others].toSorted());
  if (process.platform !== 'win32') assert.equal(statSync(String(made.file)).mode & 0o777, 0o600);
  const { stdout } = await cli('backup', '--to', backups, '--keep', '1d');
  assert.match(
    stdout,
    /for longer than --keep, so 1 backup from before that stays; is the clock right\? API/,
  );
  assert.ok(existsSync(recent));
});

test('two backups at the same moment delete each older backup once', async (t) => {
  const shop = await newShop(t);
  const verified = await backUp(shop);
  const nowMs = Date.now();
  const [kept, ...old] = [0.9, 1.1, 2, 2.9].map((days) => ofDay(shop.backups, nowMs, -days)) as [string];
  for (const file of [kept, ...old]) copyFileSync(verified, file);
  const keep = { nowMs: nowMs + 1_000, keepMs: DAY_MS };
  const both = [1, 2].map(() => removeOlder(shop.backups, verified, keep, ''));
  const removed = (await Promise.all(both)).flatMap((older) => older.removed);
  assert.deepEqual(removed.toSorted(), old.toSorted());
  assert.deepEqual(
    readdirSync(shop.backups).toSorted(),
    [kept, verified].map((file) => basename(file)),
  );
});

test('a verified backup stays, however old it is', async (t) => {
  const shop = await newShop(t);
  const made = await backUp(shop);
  const nowMs = Date.now() + 1_000;
  const [kept, older, verified, oldest] = [0.6, 1.2, 1.8, 2.4].map((days) => {
    const file = ofDay(shop.backups, nowMs, -days);
    copyFileSync(made, file);
    return file;
  });
  const { removed } = await removeOlder(shop.backups, String(verified), { nowMs, keepMs: DAY_MS }, '');
  assert.deepEqual(removed, [older, oldest]);
  assert.deepEqual(
    backupsIn(shop.backups).map(({ file }) => file),
    [made, kept, verified],
  );
});

test('a clock that is a year ahead, or back, leaves the backups of half the time', async (t) => {
  const shop = await newShop(t);
  const { backups } = shop;
  const verified = await backUp(shop);
  const startMs = backupsIn(backups)[0]?.atMs ?? 0;
  const template = join(shop.folder, 'template.db');
  copyFileSync(verified, template);
  const at = (day: number) => ofDay(backups, startMs, day);
  const days = Array.from({ length: 30 }, (_, day) => -day - 1);
  for (const day of days) copyFileSync(template, at(day));
  const removeOn = async (day: number) => {
    copyFileSync(template, at(day));
    const keep = { nowMs: startMs + day * DAY_MS, keepMs: 14 * DAY_MS };
    const { removed, spared } = await removeOlder(backups, at(day), keep, '');
    return { removed: removed.length, spared: spared.length };
  };
  assert.deepEqual(await removeOn(-365), { removed: 0, spared: 0 });
  rmSync(at(-365));
  assert.deepEqual(await removeOn(365), { removed: 23, spared: 8 });
  assert.deepEqual(await removeOn(366), { removed: 1, spared: 7 });
  // The backups of the wrong clock are in the future now.
  for (const day of [0.5, 1.5]) assert.deepEqual(await removeOn(day), { removed: 0, spared: 0 });
  assert.deepEqual(await removeOn(10), { removed: 2, spared: 0 });
  assert.deepEqual(await removeOn(367), { removed: 7, spared: 1 });
  // Nothing stays for ever: that clock was right.
  for (let day = 368; day < 400; day += 1) await removeOn(day);
  assert.equal(backupsIn(backups).length, 15);
});

test('backups whose pauses are longer than they are kept do not collect', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await newShop(t);
  const template = join(shop.folder, 'template.db');
  renameSync(await backUp(shop), template);
  const startMs = Date.now();
  for (let day = 1; day < 70; day += 7) {
    const file = ofDay(shop.backups, startMs, day);
    copyFileSync(template, file);
    await removeOlder(shop.backups, file, { nowMs: startMs + day * DAY_MS, keepMs: DAY_MS }, '');
    assert.ok(backupsIn(shop.backups).length <= 3);
  }
});

/** A module that makes the deletion of a file fail: no right stops root from one. */
function undeletable(folder: string, file: string): string {
  const preload = join(folder, 'refuse.cjs');
  writeFileSync(
    preload,
    `const fs = require('node:fs');
const { rmSync } = fs;
fs.rmSync = (path, options) => {
  if (path === ${JSON.stringify(file)}) throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  return rmSync(path, options);
};
require('node:module').syncBuiltinESMExports();
`,
  );
  return preload;
}

test(
  'a backup is recorded also when an older one cannot be deleted',
  { skip: process.platform !== 'linux' },
  async (t) => {
    if (isSkippedDaily(t)) return;
    const shop = await newShop(t);
    const { backups, folder } = shop;
    const old = ofDay(backups, Date.now(), -1.5);
    renameSync(await backUp(shop), old);
    copyFileSync(old, ofDay(backups, Date.now(), -0.9));
    await shop.setQuantity(3);
    const preload = undeletable(folder, old);
    const child = spawn(
      process.execPath,
      ['--require', preload, MAIN, 'backup', '--to', backups, '--keep', '1d'],
      { env: environmentOf(folder), stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    assert.equal(await new Promise((resolve) => child.once('close', resolve)), 1);
    assert.match(stderr, /Z\.db cannot be deleted \(EACCES: permission denied\); let this user delete/);
    assert.equal((recorded(shop) as { head_sequence: number }).head_sequence, 2);
    assert.ok(existsSync(old));
  },
);

test('backup --to removes what killed backups left a day ago, and no other file', async (t) => {
  const { backups, cli } = await newShop(t);
  const name = backupName(Date.now() - 9 * DAY_MS);
  const left = [`${name}.partial-7`, `${name}.partial-7-journal`];
  const kept = [`${name}.partial-8`, `my-${name}.partial-7`, `${name}.partial-7.txt`, 'shop.db.partial-7'];
  const dayAgo = Date.now() / 1_000 - 86_500;
  for (const file of [...left, ...kept]) {
    writeFileSync(join(backups, file), 'x');
    utimesSync(join(backups, file), dayAgo, dayAgo);
  }
  utimesSync(join(backups, `${name}.partial-8`), dayAgo, dayAgo + 3_600);
  const { file } = await json(cli, 'backup', '--to', backups);
  assert.deepEqual(readdirSync(backups).toSorted(), [...kept, basename(String(file))].toSorted());
});

test(
  'a part of a killed backup that cannot be deleted is in the way of no backup',
  { skip: process.platform !== 'linux' },
  async (t) => {
    if (isSkippedOnBun(t, 'a call of the file system is replaced')) return;
    const { backups, folder } = await newShop(t);
    const left = join(backups, `${backupName(Date.now() - 9 * DAY_MS)}.partial-7`);
    writeFileSync(left, 'x');
    utimesSync(left, 1, 1);
    const preload = undeletable(folder, left);
    const child = spawn(process.execPath, ['--require', preload, MAIN, 'backup', '--to', backups], {
      env: environmentOf(folder),
      stdio: 'ignore',
    });
    assert.equal(await new Promise((resolve) => child.once('close', resolve)), 0);
    assert.equal(readdirSync(backups).length, 2);
  },
);

test('a copy with a fault deletes no older backup, and check reports it', async (t) => {
  const shop = await newShop(t);
  const { backups, cli, database } = shop;
  const good = await backUp(shop);
  const old = join(backups, backupName(Date.now() - 30 * DAY_MS));
  renameSync(good, old);
  // The pause since this one counts as half a day: one that is 19 hours older is deleted after a copy without a fault.
  copyFileSync(old, ofDay(backups, Date.now(), -29.2));
  changeFile(database, 'UPDATE inventory SET quantity = 99');
  const { code, stdout } = await cli('backup', '--to', backups, '--keep', '1d', '--json');
  const { deleted, faults, file } = JSON.parse(stdout) as Record<string, unknown>;
  assert.deepEqual([code, deleted, existsSync(old)], [1, [], true]);
  assert.match(String(faults), /Pet 1/);

  const checked = await cli('backup', 'check', String(file));
  assert.equal(checked.code, 1);
  assert.match(checked.stderr, /fault found in .*; use another backup\.\n$/);
  const newest = await cli('backup', 'check', backups, '--json');
  assert.equal((JSON.parse(newest.stdout) as { file: string }).file, file);
  assert.equal((await cli('backup', 'check', old)).code, 0);
  const refused = await cli('restore', String(file), '--replace');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /has faults, and nothing was changed/);
});

test('check leaves the backup and the temporary folder as they were, also after a failure', async (t) => {
  const shop = await newShop(t);
  const { backups, folder, cli } = shop;
  const file = await backUp(shop);
  const before = readFileSync(file);
  const { pets, movements, pepper } = await json(cli, 'backup', 'check', backups);
  assert.deepEqual({ pets, movements, pepper }, { pets: 1, movements: 1, pepper: 'right' });
  assert.deepEqual(readFileSync(file), before);
  writeFileSync(
    join(folder, 'broken.db'),
    Buffer.concat([before.subarray(0, 4_096), Buffer.alloc(4_096, 7)]),
  );
  writeFileSync(join(folder, 'empty.db'), '');
  writeFileSync(join(folder, 'cut.db'), before.subarray(0, 9_000));
  writeFileSync(join(folder, 'text.db'), 'Pets and their owners.\n'.repeat(10));
  changeFile(join(folder, 'other.db'), 'CREATE TABLE things (id integer)');
  copyFileSync(file, join(folder, 'newer.db'));
  changeFile(join(folder, 'newer.db'), `INSERT INTO schema_migrations VALUES (9999, 'later', 'x', 1)`);
  writeFileSync(join(folder, 'raw.db'), before);
  writeFileSync(join(folder, 'raw.db-wal'), 'log');
  mkdirSync(join(folder, 'nothing'));
  const mistakes: readonly [string, RegExp][] = [
    ['broken.db', /broken\.db/],
    ['empty.db', /empty\.db is empty; use another backup/],
    ['cut.db', /cut\.db has 9000 of the \d+ bytes that its header names, so its end is missing; use another/],
    ['text.db', /text\.db is not a SQLite database; use another backup/],
    ['other.db', /other\.db is the database of another program/],
    ['newer.db', /newer\.db has schema version 9999, newer than this release knows/],
    ['raw.db', /has a log next to it/],
    ['none.db', /There is no file .*none\.db/],
    ['nothing', /nothing has no backup that petstore-server backup --to made/],
  ];
  for (const [name, message] of mistakes) {
    const { code, stderr } = await cli('backup', 'check', name);
    assert.equal(code, 1, name);
    assert.match(stderr, message, name);
    assert.doesNotMatch(stderr, /petstore-check-| {4}at /, name);
  }
  assert.deepEqual(readdirSync(join(folder, 'temporary')), []);
});

test(
  'a check, a backup and a restore that a signal ends remove what they made',
  { skip: process.platform === 'win32' },
  async (t) => {
    const shop = await newShop(t);
    const { backups, cli, folder } = shop;
    const temporary = join(folder, 'temporary');
    const rows = Array.from({ length: 20_000 }, (_, i) => `${i},Pet ${i},1`);
    writeFileSync(join(folder, 'pets.csv'), `petId,name,quantity\n${rows.join('\n')}\n`);
    await json(cli, 'pets', 'import', 'pets.csv');
    const file = join(backups, 'copy.db');
    await json(cli, 'backup', file);
    /**
     * Ends a command when a file of it appears. One that is done before the signal is run again: it proves nothing.
     * @param prepare Removes what such a one made.
     */
    const endedAt = async (
      place: string,
      began: RegExp,
      prepare: () => void,
      ...line: readonly [string, ...string[]]
    ) => {
      for (let attempt = 1; ; attempt += 1) {
        prepare();
        const child = spawn(process.execPath, [MAIN, ...line], {
          env: environmentOf(folder, { TMPDIR: temporary }),
          stdio: 'ignore',
        });
        t.after(() => child.kill('SIGKILL'));
        const ended = new Promise<[number | null, string | null]>((resolve) =>
          child.once('exit', (...how) => resolve(how)),
        );
        const hasBegun = () => readdirSync(place).some((name) => began.test(name));
        while (!hasBegun() && child.exitCode === null) {
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
        child.kill('SIGTERM');
        const [code, signal] = await ended;
        if (signal === 'SIGTERM') return;
        assert.equal(code, 0, line.join(' '));
        assert.ok(attempt < MAX_ATTEMPTS, `${line.join(' ')} is ended by the signal`);
      }
    };
    const remove = (from: string, names: RegExp) => {
      for (const name of readdirSync(from))
        if (names.test(name)) rmSync(join(from, name), { recursive: true });
    };
    mkdirSync(join(temporary, 'petstore-check-9999999-left'));
    await endedAt(temporary, /^petstore-check-(?!9999999)/, () => {}, 'backup', 'check', file);
    assert.deepEqual(readdirSync(temporary), []);

    const removeOthers = () => remove(backups, /^(?!copy\.db$)/);
    await endedAt(backups, /\.partial-/, removeOthers, 'backup', '--to', backups);
    assert.deepEqual(readdirSync(backups), [basename(file)]);

    const leave = () => {
      remove(folder, /replaced-/);
      for (const end of ['', '-wal', '-shm', '-reserve']) {
        writeFileSync(join(folder, `petstore.db.restore-9999999${end}`), 'left');
      }
    };
    await endedAt(folder, /\.restore-(?!9999999)/, leave, 'restore', file, '--replace');
    assert.deepEqual(
      readdirSync(folder).filter((name) => /restore-|replaced-/.test(name)),
      [],
    );
    assert.equal((await json(cli, 'verify')).pets, 20_000);
  },
);

test('a backup from before a move does not replace the file that the shop left', async (t) => {
  const shop = await newShop(t);
  const { cli, database } = shop;
  const file = await backUp(shop);
  const source = await MoveSource.open(database);
  await source.mark({ moveId: 'of this test', movedTo: 'postgres://db.internal/petstore' });
  source.close();
  const { code, stderr } = await cli('restore', file, '--replace');
  assert.equal(code, 1);
  assert.match(
    stderr,
    /moved to postgres:\/\/db\.internal\/petstore, .* second one\. .* Nothing was changed\.\n$/,
  );
  assert.match((await cli('keys', 'list')).stderr, /moved to postgres:/, 'the mark is there');
  assert.deepEqual(
    readdirSync(shop.folder).filter((name) => /replaced|restore/.test(name)),
    [],
  );
  // As the message says.
  renameSync(database, `${database}.left`);
  await json(cli, 'restore', file);
  assert.equal((await json(cli, 'verify')).movements, 1);
});

test('restore keeps the database that was there, and prints what is lost', async (t) => {
  const shop = await newShop(t);
  const { cli, database, setQuantity } = shop;
  const file = await backUp(shop);
  for (const quantity of [3, 4, 5]) await setQuantity(quantity);
  const before = await json(cli, 'verify');

  const refused = await cli('restore', file);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /is there already\. Add --replace/);
  assert.deepEqual(await json(cli, 'verify'), before);

  // The database knows of more than the note says.
  const restored = await json(cli, 'restore', file, '--replace', '--expect', '2');
  assert.deepEqual([restored.movements, restored.lost], [1, { from: 2, to: 4 }]);
  assert.equal(restored.pepper, 'right');
  assert.equal((await json(cli, 'verify')).movements, 1);
  const kept = commandLine(shop.folder, {
    env: {
      PETSTORE_DATABASE: `sqlite:${restored.kept}`,
      PETSTORE_PEPPER: readFileSync(`${database}.pepper`, 'utf8').trim(),
    },
  });
  assert.deepEqual(await json(kept, 'verify'), before);

  // A new machine has neither the database nor its log, and knows the last movement from elsewhere.
  rmSync(database);
  const { stdout } = await cli('restore', file, '--expect', '9');
  assert.match(stdout, /Movements 2 to 9 \(8\) are lost/);
  rmSync(database);
  const one = await cli('restore', file, '--expect', '2');
  assert.match(one.stdout, /Movement 2 is lost, because it came after the backup; enter this change again\./);
  rmSync(database);
  const { head } = await json(cli, 'backup', 'check', file);
  const { sequence, hash } = head as { sequence: number; hash: string };
  // Some tools show hashes in capitals.
  const exact = await cli('restore', file, '--expect', `${sequence}:${hash.toUpperCase()}`);
  assert.match(exact.stdout, /Movement 1 is in it; nothing up to there is lost\./);
});

test('restore refuses a served database, another pepper, another environment and another history', async (t) => {
  const shop = await newShop(t);
  const { cli, folder, database } = shop;
  const file = await backUp(shop);
  const before = await json(cli, 'verify');
  const lock = ServingLock.acquire(database);
  const served = await cli('restore', file, '--replace');
  lock.release();
  assert.match(served.stderr, /A petstore-server is serving .*; stop it first\. Nothing was changed\./);

  const reader = new DatabaseSync(database);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM inventory').get();
  const used = await cli('restore', file, '--replace');
  reader.close();
  assert.match(used.stderr, /is in use by another command; end it first/);

  const other = (env: Record<string, string>) => commandLine(folder, { env })('restore', file, '--replace');
  assert.match(
    (await other({ PETSTORE_PEPPER: 'x'.repeat(64) })).stderr,
    /PETSTORE_PEPPER is not the pepper/,
  );
  assert.match((await other({ PETSTORE_ENVIRONMENT: 'staging' })).stderr, /holds the keys of production/);
  const history = await cli('restore', file, '--replace', '--expect', `1:${'a'.repeat(64)}`);
  assert.match(history.stderr, /has another hash for movement 1 than --expect/);
  const itself = await cli('restore', database, '--replace');
  assert.match(itself.stderr, /is the database itself/);
  assert.deepEqual(await json(cli, 'verify'), before);
  assert.deepEqual(
    readdirSync(folder).filter((name) => /restore-|replaced-/.test(name)),
    [],
  );
});

test('a wrong command line of backup and restore is refused before anything is written', async (t) => {
  const { cli, backups } = await newShop(t);
  for (const line of [
    'backup',
    `backup copy.db --to ${backups}`,
    'backup copy.db --keep 1d',
    `backup --to ${backups} --keep 0d`,
    `backup check ${backups} --keep 1d`,
    'restore copy.db --expect 0',
    'restore copy.db --expect 1:ab',
  ]) {
    assert.equal((await cli(...line.split(' '))).code, 2, line);
  }
  assert.deepEqual(readdirSync(backups), []);
});

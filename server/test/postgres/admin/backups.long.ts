import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { backupName } from '../../../src/store/backup-folder.ts';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { MAIN } from '../../support/bundle/service-program.ts';
import {
  type CommandLine,
  commandLine,
  environmentOf,
  json,
  temporaryFolder,
} from '../../support/command-line.ts';
import { until } from '../../support/until.ts';
import { debianPostgres } from '../support/postgres-binaries.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';

const DAY_MS = 86_400_000;
const PEPPER = 'p'.repeat(64);
const debian = await debianPostgres();
const skip = debian
  ? false
  : 'NOT RUN: Debian has no PostgreSQL with pg_dump here (apt-get install postgresql)';
const ofFile =
  debian &&
  (await startPostgres(
    { after: after as TestContext['after'] },
    // An autovacuum looks at each database all the time.
    { binaries: debian.binaries, settings: { autovacuum_naptime: '1s', autovacuum: 'on' } },
  ));

interface Shop {
  readonly server: PostgresServer;
  readonly folder: string;
  readonly backups: string;
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cli: CommandLine;
  readonly setQuantity: (quantity: number) => Promise<unknown>;
}

async function newShop(t: TestContext): Promise<Shop> {
  const server = ofFile as PostgresServer;
  const folder = temporaryFolder(t);
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  const url = await server.createDatabase();
  await server.query('ALTER ROLE petstore CREATEDB');
  const env = {
    PETSTORE_DATABASE: url,
    PETSTORE_PEPPER: PEPPER,
    PETSTORE_POSTGRES_TOOLS: debian?.tools ?? '',
  };
  const cli = commandLine(folder, { env });
  await json(cli, 'migrate');
  const setQuantity = (quantity: number) => {
    writeFileSync(join(folder, 'pets.csv'), `petId,name,quantity\n1,Rex,${quantity}\n`);
    return json(cli, 'pets', 'import', 'pets.csv');
  };
  await setQuantity(2);
  return { server, folder, backups, url, env, cli, setQuantity };
}

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

async function backUp({ cli, backups }: Shop): Promise<string> {
  return String((await json(cli, 'backup', '--to', backups)).file);
}

async function scratchDatabases({ server }: Shop): Promise<unknown[]> {
  return server.query(`SELECT datname FROM pg_database WHERE datname LIKE 'petstore_check_%'`);
}

test(
  'a backup of PostgreSQL is verified, and older ones of the same shop are deleted',
  { skip },
  async (t) => {
    const shop = await newShop(t);
    const other = await newShop(t);
    const { backups, cli } = shop;
    const first = await backUp(shop);
    assert.equal(statSync(first).mode & 0o777, 0o600);
    const aged = (days: number) => join(backups, backupName(Date.now() - days * DAY_MS, 'dump'));
    const [old, recent, foreign] = [aged(15), aged(10), aged(20)];
    for (const copy of [old, recent]) copyFileSync(first, copy);
    copyFileSync(await backUp(other), foreign);
    const made = await json(cli, 'backup', '--to', backups, '--keep', '14d');
    assert.deepEqual([made.deleted, made.faults, made.pepper], [[old], [], 'PETSTORE_PEPPER']);
    const kept = [first, recent, foreign, String(made.file)].map((file) => basename(file));
    assert.deepEqual(readdirSync(backups).toSorted(), kept.toSorted());
    const record = await shop.server.query('SELECT head_sequence FROM newest_backup', databaseOf(shop.url));
    assert.deepEqual(record, [{ head_sequence: '1' }]);
    const checked = await json(cli, 'backup', 'check', backups);
    assert.deepEqual([checked.pets, checked.movements, checked.pepper], [1, 1, 'right']);
    assert.deepEqual(await scratchDatabases(shop), []);
  },
);

test('restore into an empty database gives the shop back, and prints what is lost', { skip }, async (t) => {
  const shop = await newShop(t);
  const file = await backUp(shop);
  const before = await json(shop.cli, 'verify');
  const url = await shop.server.createDatabase();
  const env = { ...shop.env, PETSTORE_DATABASE: url };
  const cli = commandLine(shop.folder, { env });
  const { stdout, stderr } = await cli('restore', file, '--expect', '9');
  assert.match(stdout, /Movements 2 to 9 \(8\) are lost/, stderr);
  assert.deepEqual(await json(cli, 'verify'), before);
  // Its triggers, functions and sequences work.
  writeFileSync(join(shop.folder, 'pets.csv'), 'petId,name,quantity\n1,Rex,7\n2,Tom,1\n');
  await json(cli, 'pets', 'import', 'pets.csv');
  await assert.rejects(shop.server.query('DELETE FROM movements', databaseOf(url)), /never/);
  assert.equal((await json(cli, 'verify')).movements, 3);
});

test('restore --replace keeps the tables in another schema, which can be verified', { skip }, async (t) => {
  const shop = await newShop(t);
  const { cli, setQuantity } = shop;
  const file = await backUp(shop);
  for (const quantity of [3, 4]) await setQuantity(quantity);
  const before = await json(cli, 'verify');
  const refused = await cli('restore', file);
  assert.match(refused.stderr, /has tables already\. Add --replace/);
  assert.deepEqual(await json(cli, 'verify'), before);

  const { kept, lost, movements } = await json(cli, 'restore', file, '--replace');
  assert.deepEqual([movements, lost], [1, { from: 2, to: 3 }]);
  assert.equal((await json(cli, 'verify')).movements, 1);
  await setQuantity(9);
  const [, schema = ''] = /the schema (petstore_replaced_\w+) in it/.exec(String(kept)) ?? [];
  const old = commandLine(shop.folder, {
    env: { ...shop.env, PETSTORE_DATABASE: `${shop.url}?options=-csearch_path%3D${schema}` },
  });
  assert.deepEqual(await json(old, 'verify'), before);
  const versions = () =>
    shop.server.query(
      `SELECT kept.version AS kept, here.version AS here FROM ${schema}.access_state AS kept, access_state AS here`,
      databaseOf(shop.url),
    );
  const [earlier] = await versions();
  await shop.server.query(`UPDATE ${schema}.accounts SET name = name`, databaseOf(shop.url));
  const [later] = await versions();
  assert.deepEqual(later, { here: earlier?.here, kept: String(Number(earlier?.kept) + 1) });
  writeFileSync(join(shop.folder, 'pets.csv'), 'petId,name,quantity\n1,Rex,5\n');
  await json(old, 'pets', 'import', 'pets.csv');
  assert.equal((await json(old, 'verify')).movements, 4);
});

test(
  'restore refuses a served database, a fault, another pepper and another history, and changes nothing',
  { skip },
  async (t) => {
    const shop = await newShop(t);
    const { cli, server, url, folder, env } = shop;
    const file = await backUp(shop);
    const before = await json(cli, 'verify');
    const { openAdmin } = await import('../../../src/store/open-admin.ts');
    const serving = await openAdmin(url);
    const served = await cli('restore', file);
    await serving.close();
    assert.match(served.stderr, /is in use by a petstore-server; stop every instance/);

    const other = (extra: Record<string, string>) =>
      commandLine(folder, { env: { ...env, ...extra } })('restore', file, '--replace');
    assert.match(
      (await other({ PETSTORE_PEPPER: 'x'.repeat(64) })).stderr,
      /PETSTORE_PEPPER is not the pepper/,
    );
    assert.match((await other({ PETSTORE_ENVIRONMENT: 'staging' })).stderr, /holds the keys of production/);
    const history = await cli('restore', file, '--replace', '--expect', `1:${'a'.repeat(64)}`);
    assert.match(history.stderr, /has another hash for movement 1 than --expect/);

    const bytes = readFileSync(file);
    const broken = join(folder, 'broken.dump');
    writeFileSync(broken, bytes.subarray(0, bytes.length - 2_000));
    assert.match((await cli('restore', broken, '--replace')).stderr, /broken\.dump cannot be restored \(/);
    await server.query('UPDATE inventory SET quantity = 99', databaseOf(url));
    const faulty = await cli('backup', '--to', shop.backups, '--json');
    assert.equal(faulty.code, 1);
    const { file: made, faults } = JSON.parse(faulty.stdout) as { file: string; faults: unknown[] };
    assert.equal(faults.length, 1);
    assert.match((await cli('restore', made, '--replace')).stderr, /has faults, and nothing was changed/);
    await server.query('UPDATE inventory SET quantity = 2', databaseOf(url));
    assert.deepEqual(await json(cli, 'verify'), before);
    assert.deepEqual(await scratchDatabases(shop), []);
    const kept = await server.query(
      `SELECT 1 FROM pg_namespace WHERE nspname LIKE 'petstore_replaced%'`,
      databaseOf(url),
    );
    assert.deepEqual(kept, []);
  },
);

test('a user who may not make databases checks on another server', { skip }, async (t) => {
  const shop = await newShop(t);
  await shop.server.query('ALTER ROLE petstore NOCREATEDB');
  const refused = await shop.cli('backup', '--to', shop.backups);
  assert.match(refused.stderr, /petstore may not make databases on the server of .*CREATEDB/);
  assert.doesNotMatch(refused.stderr, new RegExp(shop.server.password));
  assert.deepEqual(readdirSync(shop.backups), []);
  const env = { ...shop.env, PETSTORE_CHECK_DATABASE: shop.server.url() };
  const cli = commandLine(shop.folder, { env });
  const { faults } = await json(cli, 'backup', '--to', shop.backups);
  assert.deepEqual(faults, []);
  await json(shop.cli, 'backup', 'plain.dump');
  await shop.server.query('ALTER ROLE petstore CREATEDB');
  assert.equal((await json(shop.cli, 'backup', 'check', 'plain.dump')).movements, 1);
});

/**
 * Begins a restore over the tables of a shop, which stops before its commit: its pg_restore does not end.
 * @returns Its process, after everything is filled in.
 */
async function beginRestore(t: TestContext, shop: Shop, file: string, url = shop.url): Promise<ChildProcess> {
  const tools = join(shop.folder, 'tools');
  const [log, waiting] = [join(tools, 'log'), join(tools, 'waiting')];
  mkdirSync(tools);
  const real = (name: string) => join(debian?.tools ?? '', name);
  writeFileSync(join(tools, 'psql'), `#!/bin/sh\nexec ${real('psql')} "$@"\n`, { mode: 0o755 });
  // The first restore is that of the check. The second one ends with the folder of the test too.
  writeFileSync(
    join(tools, 'pg_restore'),
    `#!/bin/sh
case "$*" in *--schema=*)
  echo restore >> ${log}
  if [ $(wc -l < ${log}) = 2 ]; then ${real('pg_restore')} "$@"; echo $$ > ${waiting}; while [ -e ${waiting} ] && [ ! -e ${waiting}-end ]; do sleep 0.05; done; exit 0; fi
esac
exec ${real('pg_restore')} "$@"
`,
    { mode: 0o755 },
  );
  const env = environmentOf(shop.folder, {
    ...shop.env,
    PETSTORE_DATABASE: url,
    PETSTORE_POSTGRES_TOOLS: tools,
  });
  const child = spawn(process.execPath, [MAIN, 'restore', file, '--replace'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(() => {
    child.kill('SIGKILL');
    const pid = existsSync(waiting) ? Number(readFileSync(waiting, 'utf8')) : 0;
    if (pid > 0) endProcess(pid);
  });
  const fillsTables = `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE mode = 'AccessExclusiveLock' AND granted
AND locktype = 'relation' AND application_name = 'petstore-server backup' AND datname = '${databaseOf(url)}'`;
  await until(
    async () => existsSync(waiting) && (await shop.server.query(fillsTables)).length > 0,
    'the restore waits before its commit',
  );
  return child;
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}

test('a failure after the commit of a restore is no failed restore', { skip }, async (t) => {
  const shop = await newShop(t);
  const file = await backUp(shop);
  const before = await json(shop.cli, 'verify');
  const tools = join(shop.folder, 'tools');
  mkdirSync(tools);
  const real = (name: string) => join(debian?.tools ?? '', name);
  symlinkSync(real('pg_restore'), join(tools, 'pg_restore'));
  const restoreWith = async (afterwards: (database: string) => string) => {
    const url = await shop.server.createDatabase();
    // The verification fills another database with the same program.
    writeFileSync(
      join(tools, 'psql'),
      `#!/bin/sh\n${real('psql')} "$@" || exit\ncase "$*" in *${databaseOf(url)}*) ${afterwards(databaseOf(url))};; esac\n`,
      { mode: 0o755 },
    );
    const env = { ...shop.env, PETSTORE_DATABASE: url, PETSTORE_POSTGRES_TOOLS: tools };
    const cli = commandLine(shop.folder, { env });
    const { code, stderr } = await cli('restore', file);
    assert.equal(code, 1);
    await shop.server.query(`ALTER DATABASE "${databaseOf(url)}" ALLOW_CONNECTIONS true`);
    assert.deepEqual(await json(cli, 'verify'), before);
    return stderr;
  };
  const closed = await restoreWith(
    (database) =>
      `echo 'ALTER DATABASE "${database}" ALLOW_CONNECTIONS false' | ${real('psql')} --quiet '${shop.server.url()}'`,
  );
  assert.match(closed, /is restored from .*, but then this failed: .*not currently accepting connections/);
  assert.match(closed, /Run petstore-server migrate, and do not restore again/);
  const lost = await restoreWith(() => 'echo "connection to server was lost" >&2; exit 2');
  assert.match(lost, /psql failed: connection to server was lost\. This was during the commit/);
});

test(
  'a restore that is killed before its commit changed nothing, and the next check cleans up',
  { skip },
  async (t) => {
    const shop = await newShop(t);
    const file = await backUp(shop);
    await shop.setQuantity(3);
    const before = await json(shop.cli, 'verify');
    const child = await beginRestore(t, shop, file);
    // A service that starts meanwhile waits for the end of the restore.
    const migrated = shop.cli('migrate', '--json');
    const ended = once(child, 'exit');
    assert.equal(await Promise.race([migrated, delay(500, 'waits')]), 'waits');
    child.kill('SIGKILL');
    await ended;
    assert.deepEqual(JSON.parse((await migrated).stdout).migrations, []);
    assert.deepEqual(await json(shop.cli, 'verify'), before);
    assert.equal((await scratchDatabases(shop)).length, 1);
    await json(shop.cli, 'backup', 'check', file);
    assert.deepEqual(await scratchDatabases(shop), []);
  },
);

test(
  'a restore that a signal ends removes its temporary database, and changes nothing',
  { skip },
  async (t) => {
    const shop = await newShop(t);
    const file = await backUp(shop);
    await shop.setQuantity(3);
    const before = await json(shop.cli, 'verify');
    const child = await beginRestore(t, shop, file);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [null, 'SIGTERM']);
    assert.deepEqual(await scratchDatabases(shop), []);
    assert.deepEqual(await json(shop.cli, 'verify'), before);
  },
);

test(
  'a service that starts on an empty database waits for its restore, and finds the shop',
  { skip },
  async (t) => {
    const shop = await newShop(t);
    const file = await backUp(shop);
    const url = await shop.server.createDatabase();
    const cli = commandLine(shop.folder, { env: { ...shop.env, PETSTORE_DATABASE: url } });
    const child = await beginRestore(t, shop, file, url);
    const migrated = json(cli, 'migrate');
    const ended = once(child, 'exit');
    assert.equal(await Promise.race([migrated, delay(500, 'waits')]), 'waits');
    writeFileSync(join(shop.folder, 'tools/waiting-end'), '');
    assert.deepEqual(await ended, [0, null]);
    assert.deepEqual((await migrated).migrations, []);
    assert.equal((await json(cli, 'verify')).movements, 1);
  },
);

test('an instance that connects while tables are filled in stops the restore', { skip }, async (t) => {
  const shop = await newShop(t);
  const file = await backUp(shop);
  const serving = new Client({ connectionString: shop.url, application_name: 'petstore-server' });
  const before = await json(shop.cli, 'verify');
  const child = await beginRestore(t, shop, file);
  await serving.connect();
  const stderr = text(child.stderr as Readable);
  const ended = once(child, 'exit');
  writeFileSync(join(shop.folder, 'tools/waiting-end'), '');
  assert.deepEqual(await ended, [1, null]);
  assert.match(await stderr, /is in use by a petstore-server; stop every instance and command of it\./);
  await serving.end();
  assert.deepEqual(await json(shop.cli, 'verify'), before);
  assert.deepEqual(await scratchDatabases(shop), []);
});

test(
  'a shop in a schema of its own, made by an older release, is restored and brought up to this one',
  { skip },
  async (t) => {
    const server = ofFile as PostgresServer;
    const shop = await newShop(t);
    const database = databaseOf(shop.url);
    await server.query('CREATE EXTENSION pageinspect', database);
    await server.query('CREATE SCHEMA "the shop" AUTHORIZATION petstore', database);
    await server.query(`ALTER DATABASE ${database} SET search_path = 'the shop'`);
    await json(shop.cli, 'migrate');
    await shop.setQuantity(4);
    // What is of others is not in it: its user may neither make an extension nor read the table.
    await server.query('CREATE TABLE public.others (id integer)', database);
    await backUp(shop);
    await server.query(
      `DROP TABLE saved_views, reorders; DROP INDEX movements_received, inventory_alerts; ALTER TABLE imports DROP COLUMN file_hash, DROP COLUMN undoes, DROP COLUMN undone_by, DROP COLUMN applied_after; ALTER TABLE import_rows DROP COLUMN supplier, DROP COLUMN found_supplier; ALTER TABLE bulk_rows DROP COLUMN supplier, DROP COLUMN ordered, DROP COLUMN reorder_tag;
DELETE FROM schema_migrations WHERE version > 11`,
      database,
    );
    const plain = 'older.dump';
    const pgDump = join(debian?.tools ?? '', 'pg_dump');
    await promisify(execFile)(pgDump, [
      '--format=custom',
      '--schema="the shop"',
      `--file=${join(shop.folder, plain)}`,
      server.url(database),
    ]);
    const { migrations, movements } = await json(shop.cli, 'backup', 'check', plain);
    assert.deepEqual(
      [migrations, movements],
      [
        [
          ...['reorders', 'saved-views', 'import-hashes', 'bulk-suppliers', 'bulk-orders'],
          ...['import-suppliers', 'import-undos', 'reorder-reverts', 'supplier-pets', 'reorder-candidates'],
        ],
        1,
      ],
    );

    const url = await server.createDatabase();
    const cli = commandLine(shop.folder, { env: { ...shop.env, PETSTORE_DATABASE: url } });
    const elsewhere = await cli('restore', plain);
    assert.match(
      elsewhere.stderr,
      /are in the schema the shop, and .* has the schema public; set search_path/,
    );
    await server.query('CREATE SCHEMA "the shop" AUTHORIZATION petstore', databaseOf(url));
    await server.query(`ALTER DATABASE ${databaseOf(url)} SET search_path = 'the shop'`);
    await json(cli, 'restore', plain);
    assert.deepEqual((await json(cli, 'migrate')).migrations, []);
    assert.equal((await json(cli, 'verify')).movements, 1);
  },
);

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { commandLine, json, temporaryFolder } from '../../support/command-line.ts';
import { debianPostgres } from '../support/postgres-binaries.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';

/* Real client programs of Debian, of another major version than the server. */

const PEPPER = 'p'.repeat(64);
const debian = await debianPostgres();
const skip = debian
  ? false
  : 'NOT RUN: Debian has no PostgreSQL with pg_dump here (apt-get install postgresql)';

async function newShop(t: TestContext, server: PostgresServer, tools = debian?.tools ?? '') {
  const folder = temporaryFolder(t);
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  const url = await server.createDatabase();
  await server.query('ALTER ROLE petstore CREATEDB');
  const cli = commandLine(folder, {
    env: { PETSTORE_DATABASE: url, PETSTORE_PEPPER: PEPPER, PETSTORE_POSTGRES_TOOLS: tools },
  });
  return { folder, backups, cli };
}

async function withPets(cli: ReturnType<typeof commandLine>, folder: string): Promise<void> {
  await json(cli, 'migrate');
  writeFileSync(join(folder, 'pets.csv'), 'petId,name,quantity\n1,Rex,2\n2,Luna,3\n');
  await json(cli, 'pets', 'import', 'pets.csv');
}

test(
  'programs that are older than the server are refused before anything is written',
  { skip },
  async (t) => {
    const server = await startPostgres(t);
    const [row] = await server.query('SHOW server_version');
    t.diagnostic(`server ${String(row?.server_version)}, programs in ${debian?.tools}`);
    const { backups, cli, folder } = await newShop(t, server);
    await withPets(cli, folder);
    for (const line of [
      ['backup', '--to', backups],
      ['backup', join(backups, 'plain.dump')],
    ] as const) {
      const { code, stderr } = await cli(...line);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /pg_dump is of PostgreSQL 1\d\.\d+.*, older than the server \(\d\d\); install the client programs of \d\d or newer, or set PETSTORE_POSTGRES_TOOLS to their folder\./,
      );
      assert.deepEqual(readdirSync(backups), []);
    }
  },
);

test('a backup of an older server is restored into a newer one, and checked there', { skip }, async (t) => {
  const older = await startPostgres(t, debian);
  const from = await newShop(t, older);
  await withPets(from.cli, from.folder);
  const { file } = await json(from.cli, 'backup', '--to', from.backups);
  const before = await json(from.cli, 'verify');
  const newer = await startPostgres(t);
  const to = await newShop(t, newer);
  assert.equal((await json(to.cli, 'backup', 'check', String(file))).movements, 2);
  await json(to.cli, 'restore', String(file));
  assert.deepEqual((await json(to.cli, 'verify')).head, before.head);
});

test('programs that are newer than the server make and check a backup', { skip }, async (t) => {
  const server = await startPostgres(t, debian);
  // Those of Debian under the version of a later release, because it has one only.
  const tools = join(temporaryFolder(t), 'newer');
  mkdirSync(tools);
  for (const name of ['pg_dump', 'pg_restore', 'psql']) {
    const real = join(debian?.tools ?? '', name);
    const script = `#!/bin/sh\ncase "$1" in --version) echo "${name} (PostgreSQL) 18.1";; *) exec ${real} "$@";; esac\n`;
    writeFileSync(join(tools, name), script, { mode: 0o755 });
  }
  const { backups, cli, folder } = await newShop(t, server, tools);
  await withPets(cli, folder);
  const { file, faults } = await json(cli, 'backup', '--to', backups);
  assert.deepEqual(faults, []);
  assert.equal((await json(cli, 'backup', 'check', String(file))).movements, 2);
});

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { dumpedSchema } from '../../../src/store/postgres/admin/dump.ts';
import { runRestoreScript } from '../../../src/store/postgres/admin/restore-script.ts';
import { toolAddress } from '../../../src/store/postgres/admin/tools.ts';
import { commandLine, json, temporaryFolder } from '../../support/command-line.ts';
import { sharedPostgres } from '../support/shared-postgres.ts';

const PEPPER = 'p'.repeat(64);
const windows = process.platform === 'win32';

/** A shop with programs that only print a version. */
async function newShop(t: TestContext, versions: Readonly<Record<string, string>>) {
  const { server, template } = await sharedPostgres();
  const folder = temporaryFolder(t);
  const [backups, tools] = [join(folder, 'backups'), join(folder, 'tools')];
  for (const made of [backups, tools]) mkdirSync(made);
  for (const [name, text] of Object.entries(versions)) {
    writeFileSync(join(tools, name), `#!/bin/sh\necho '${text}'\n`, { mode: 0o755 });
  }
  const env = {
    PETSTORE_DATABASE: await server.createDatabase(template),
    PETSTORE_CHECK_DATABASE: server.url(),
    PETSTORE_PEPPER: PEPPER,
    PETSTORE_POSTGRES_TOOLS: tools,
  };
  const cli = commandLine(folder, { env });
  await json(cli, 'migrate');
  return { backups, folder, env, cli, server };
}

const NEW = { pg_restore: 'pg_restore (PostgreSQL) 18.0', psql: 'psql (PostgreSQL) 18.0' };

test(
  'a missing, older or broken pg_dump is named before anything is written',
  { skip: windows },
  async (t) => {
    const cases: readonly [Readonly<Record<string, string>>, RegExp][] = [
      [{}, /There is no .*pg_restore; install PostgreSQL's client programs/],
      [NEW, /There is no .*pg_dump; install .*, or set PETSTORE_POSTGRES_TOOLS to their folder\./],
      [
        { ...NEW, pg_dump: 'pg_dump (PostgreSQL) 13.1' },
        /pg_dump is of PostgreSQL 13\.1, older than the server \(18\); install the client programs of 18 or newer/,
      ],
      [{ ...NEW, pg_dump: 'hello' }, /pg_dump does not tell its version \(hello\)/],
    ];
    for (const [versions, message] of cases) {
      const { cli, backups, server } = await newShop(t, versions);
      const { code, stderr } = await cli('backup', '--to', backups);
      assert.equal(code, 1);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, new RegExp(server.password));
      assert.deepEqual(readdirSync(backups), []);
    }
  },
);

test('a user who may not make databases is told before the backup', { skip: windows }, async (t) => {
  const { env, folder, backups } = await newShop(t, {
    ...NEW,
    pg_dump: 'pg_dump (PostgreSQL) 18.0',
  });
  const cli = commandLine(folder, { env: { ...env, PETSTORE_CHECK_DATABASE: '' } });
  const { code, stderr } = await cli('backup', '--to', backups);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /petstore may not make databases on the server of .*; run ALTER ROLE "petstore" CREATEDB/,
  );
});

test('restore and check name the engine of a backup that is not the configured one', async (t) => {
  const { cli, folder } = await newShop(t, {});
  writeFileSync(join(folder, 'shop.dump'), 'PGDMP and more');
  writeFileSync(join(folder, 'shop.db'), 'SQLite format 3\0');
  const onFile = commandLine(folder);
  const mistakes: readonly [string, RegExp][] = [
    [(await onFile('restore', 'shop.dump')).stderr, /shop\.dump is a backup of a PostgreSQL database/],
    [
      (await onFile('backup', 'check', 'shop.dump')).stderr,
      /set PETSTORE_CHECK_DATABASE, or PETSTORE_DATABASE/,
    ],
    [
      (await cli('restore', 'shop.db', '--replace')).stderr,
      /shop\.db is not a backup of petstore-server on PostgreSQL/,
    ],
    [(await cli('restore', 'none.dump', '--replace')).stderr, /There is no file .*none\.dump/],
    [(await cli('restore', 'shop.dump')).stderr, /has tables already\. Add --replace/],
    [(await cli('backup', 'check', 'shop.dump')).stderr, /There is no .*pg_restore; install/],
  ];
  for (const [stderr, message] of mistakes) assert.match(stderr, message);
});

test('a restore refuses the place of a shop that went back to its file', async (t) => {
  const { cli, folder, env, server } = await newShop(t, {});
  writeFileSync(join(folder, 'shop.dump'), 'PGDMP and more');
  const name = new URL(env.PETSTORE_DATABASE).pathname.slice(1);
  const mark = `INSERT INTO metadata (name, value) VALUES ('move_id', 'move'), ('moved_to', 'sqlite:petstore.db')`;
  await server.query(mark, name);
  const { code, stderr } = await cli('restore', 'shop.dump', '--replace');
  assert.equal(code, 1);
  assert.match(
    stderr,
    /moved to sqlite:petstore\.db, and a backup .* restore into an empty database\. Nothing/,
  );
});

test(
  'a backup of tables whose owner or schema has spaces in its name is one',
  { skip: windows },
  async (t) => {
    const tools = temporaryFolder(t);
    const contents = (line: string) =>
      writeFileSync(
        join(tools, 'pg_restore'),
        `#!/bin/sh\ncase $1 in --version) echo '${NEW.pg_restore}';; *) echo "${line}";; esac\n`,
        { mode: 0o755 },
      );
    for (const [schema, owner] of [
      ['public', 'petstore'],
      ['public', 'pet store'],
      ['the shop', 'Zoë’s pet store'],
    ] as const) {
      contents(`3718; 0 16693 TABLE DATA ${schema} schema_migrations ${owner}`);
      assert.equal(await dumpedSchema('backup.dump', tools), schema);
    }
    contents('3718; 0 16693 TABLE DATA public migrations petstore');
    await assert.rejects(dumpedSchema('backup.dump', tools), {
      message: /is not a backup of petstore-server/,
    });
  },
);

test('PostgreSQL programs get an address that they can read, and the password apart from it', () => {
  const { address, environment } = toolAddress(
    'postgres://shop:p%40ss@db:5433/pets?sslmode=no-verify&application_name=petstore-server&options=-c%20a%3Db&query_timeout=5',
  );
  assert.equal(address, 'postgres://shop@db:5433/pets?sslmode=require&options=-c%20a%3Db');
  assert.deepEqual([environment.PGPASSWORD, environment.PGAPPNAME], ['p@ss', 'petstore-server backup']);
  assert.equal(
    toolAddress('postgres://shop@db/pets?ssl=true').address,
    'postgres://shop@db/pets?sslmode=require',
  );
  assert.equal(
    toolAddress('postgres://shop@db/pets?ssl=0').address,
    'postgres://shop@db/pets?sslmode=disable',
  );
  // The programs check the host as the service does, where they know the authority, and never fall back to clear text.
  const modeWith = (parameters: string) =>
    new URL(toolAddress(`postgres://shop@db/pets?${parameters}`).address).searchParams.get('sslmode');
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    assert.equal(modeWith(`sslmode=${mode}&sslrootcert=/ca.crt`), 'verify-full', mode);
  for (const ssl of ['', 'ssl=true&', 'ssl=0&'])
    assert.equal(modeWith(`${ssl}sslrootcert=/ca.crt`), 'verify-full', ssl);
  assert.equal(modeWith('sslcert=/own.crt&sslkey=/own.key'), 'require');
  assert.equal(modeWith('connect_timeout=5'), null);
  assert.equal(modeWith('sslmode=prefer'), 'require');
  assert.equal(modeWith('sslmode=require'), 'require');
  assert.equal(modeWith('sslmode=verify-ca'), 'verify-ca');
});

test(
  'a psql that is slower than pg_restore gets every statement before the commit',
  { skip: windows },
  async (t) => {
    const folder = temporaryFolder(t);
    const program = <Name extends 'pg_restore' | 'psql'>(name: Name, source: string) => {
      const path = join(folder, name);
      writeFileSync(
        path,
        `#!${process.execPath}\nconst fs = process.getBuiltinModule('node:fs');\n${source}`,
        {
          mode: 0o755,
        },
      );
      return { name, path, version: '18.0', major: 18 };
    };
    const statements = Array.from({ length: 40_000 }, (_, i) => `SELECT ${i};\n`).join('');
    writeFileSync(join(folder, 'statements'), statements);
    const restore = program('pg_restore', `process.stdout.write(fs.readFileSync('${folder}/statements'));\n`);
    const psql = program(
      'psql',
      `const piece = Buffer.alloc(4096);
let text = '';
let isTold = false;
for (let size = 1; size > 0; ) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  try {
    size = fs.readSync(0, piece);
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error;
    continue;
  }
  text += piece.toString('latin1', 0, size);
  const [, line] = isTold ? [] : (/\\\\echo (.*)\\n/.exec(text.slice(-2 * piece.length)) ?? []);
  if (line) fs.writeSync(1, line + '\\n');
  isTold ||= line !== undefined;
}
fs.writeFileSync('${folder}/read', text);
`,
    );
    const target = { address: 'postgres://none', environment: process.env };
    await runRestoreScript({ psql, restore, target, file: 'none', schema: 'public' });
    const read = readFileSync(join(folder, 'read'), 'utf8');
    const from = read.indexOf('SELECT 0;');
    assert.ok(read.includes('\nBEGIN;\n') && from > 0);
    assert.ok(read.slice(from).startsWith(statements), 'something is between the statements');
    assert.match(read.slice(from + statements.length), /^\\echo .*\nCOMMIT;\n$/);
  },
);

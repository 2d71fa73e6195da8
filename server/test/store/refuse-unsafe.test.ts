import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { startService } from '../blackbox/service.ts';
import { MAIN } from '../support/bundle/service-program.ts';
import { commandLine, environmentOf, json, temporaryFolder } from '../support/command-line.ts';
import type { Ended } from '../support/command-process.ts';
import { runShared } from '../support/shared-commands.ts';

const REFUSED_TIMEOUT_MS = 10_000;
/** A command that serves although it must not does not end. */
const CASE_TIMEOUT_MS = 30_000;

type Variables = Readonly<Record<string, string>>;

interface Refusal {
  readonly title: string;
  /** The pattern of the refusal. */
  readonly message: RegExp;
  /** The command that is refused; without it `serve`. */
  readonly words?: readonly string[];
  /** Refused when the database is open already: the process must end by itself. */
  readonly isLate?: true;
  /** Damages a folder with a database, an account and a key, and returns extra variables. */
  readonly spoil: (folder: string, t: TestContext) => Variables | Promise<Variables>;
}

const NOTHING: Variables = {};

function inDatabase(folder: string, sql: string): Variables {
  const database = new DatabaseSync(join(folder, 'petstore.db'));
  database.exec(sql);
  database.close();
  return NOTHING;
}

function variables(title: string, message: RegExp, env: Variables): Refusal {
  return { title, message, spoil: () => env };
}

/** A database whose end is missing, as after a copy that did not end. */
function cutTo(what: string, rest: (bytes: number) => number, message: RegExp): Refusal {
  return {
    title: `a database that was cut to ${what}`,
    message,
    spoil: (folder) => {
      const file = join(folder, 'petstore.db');
      truncateSync(file, rest(statSync(file).size));
      return NOTHING;
    },
  };
}

/** A variable that every command checks, so that no process needs to start for it. */
function wrongVariable(title: string, message: RegExp, env: Variables): Refusal {
  return { title, message, words: ['migrate'], spoil: () => env };
}

const REFUSALS: readonly Refusal[] = [
  {
    title: 'a port that is taken',
    isLate: true,
    message: /^Port \d+ is taken; stop what listens there, or set PORT/,
    spoil: async (_folder, t) => {
      const server = createServer().listen(0, '127.0.0.1');
      t.after(() => server.close());
      await once(server, 'listening');
      const address = server.address();
      return { PORT: String(typeof address === 'object' ? address?.port : '') };
    },
  },
  {
    title: 'a host that is not of this machine',
    message: /^Cannot listen on 192\.0\.2\.1 .*PETSTORE_HOST/,
    isLate: true,
    spoil: () => ({ PETSTORE_HOST: '192.0.2.1' }),
  },
  {
    title: 'a folder below a file',
    message: /cannot be written \(.*\); set PETSTORE_DATABASE/,
    spoil: (folder) => ({ PETSTORE_DATABASE: `sqlite:${folder}/petstore.db/below/petstore.db` }),
  },
  variables('a folder that cannot be made', /cannot be written \(.*\); set PETSTORE_DATABASE/, {
    PETSTORE_DATABASE: 'sqlite:/proc/petstore/petstore.db',
  }),
  {
    title: 'a database that is a folder',
    message: /is a folder; set PETSTORE_DATABASE to a file in it, such as sqlite:.*\/petstore\.db\.$/,
    spoil: (folder) => ({ PETSTORE_DATABASE: `sqlite:${folder}` }),
  },
  {
    title: 'a file that is not a database',
    message: /text\.db is not a SQLite database; restore a backup with .*set PETSTORE_DATABASE/,
    spoil: (folder) => {
      const file = join(folder, 'text.db');
      writeFileSync(file, 'Pets and their owners.\n'.repeat(1_000));
      return { PETSTORE_DATABASE: `sqlite:${file}` };
    },
  },
  cutTo(
    'half',
    (bytes) => bytes / 2,
    /has \d+ of the \d+ bytes that its header names, so its end is missing; restore a backup with petstore-server restore <backup> --replace, /,
  ),
  cutTo('its header', () => 100, /has 100 of the \d+ bytes that its header names, so its end is missing/),
  cutTo('less than its header', () => 60, /has only 60 bytes, too few for a database; restore a backup/),
  cutTo(
    'nothing',
    () => 0,
    /petstore\.db is empty, but \S+\.pepper shows that it was a database; .* restore a backup with .* move \S+\.pepper away\.$/,
  ),
  {
    title: 'a log whose database is missing',
    message: /petstore\.db is missing, but \S+-wal shows that it was a database; put it back, or restore/,
    spoil: (folder) => {
      renameSync(join(folder, 'petstore.db'), join(folder, 'petstore.db-wal'));
      return NOTHING;
    },
  },
  {
    title: 'a database of another program',
    message: /petstore/,
    spoil: (folder) => {
      const file = join(folder, 'other.db');
      const other = new DatabaseSync(file);
      other.exec('CREATE TABLE accounts (number INTEGER, owner TEXT); INSERT INTO accounts VALUES (1, NULL)');
      other.close();
      return { PETSTORE_DATABASE: `sqlite:${file}` };
    },
  },
  ...['version varchar', 'version bigint, dirty boolean', 'id integer, checksum blob'].map((columns) => ({
    title: `somebody else's database with a table of migrations (${columns})`,
    message: /is the database of another program, not of petstore-server; set PETSTORE_DATABASE/,
    spoil: (folder: string) => {
      const file = join(folder, 'other.db');
      const other = new DatabaseSync(file);
      other.exec(`CREATE TABLE schema_migrations (${columns}); INSERT INTO schema_migrations DEFAULT VALUES`);
      other.close();
      return { PETSTORE_DATABASE: `sqlite:${file}` };
    },
  })),
  {
    title: 'a schema from the future',
    message: /has schema version 999, newer than this release knows; run the newer petstore-server\.$/,
    spoil: (folder) => inDatabase(folder, "INSERT INTO schema_migrations VALUES (999, 'later', 'x', 0)"),
  },
  {
    title: 'a schema that was made by altered steps',
    message: /schema version 1 is not the one this release ships; restore a backup/,
    spoil: (folder) => inDatabase(folder, "UPDATE schema_migrations SET checksum = 'altered'"),
  },
  {
    title: 'a database without our schema, used by the command line',
    message: /is empty; run petstore-server migrate first\.$/,
    words: ['accounts', 'list'],
    spoil: (folder) => {
      const file = join(folder, 'empty.db');
      new DatabaseSync(file).close();
      writeFileSync(file, '');
      return { PETSTORE_DATABASE: `sqlite:${file}` };
    },
  },
  {
    title: 'a missing database, used by the command line',
    message: /^There is no database at \/.*; run this where .*petstore-server migrate\.$/,
    words: ['verify'],
    spoil: (folder) => ({ PETSTORE_DATABASE: `sqlite:${join(folder, 'elsewhere.db')}` }),
  },
  {
    title: 'a pepper that is missing',
    message: /petstore\.db\.pepper is missing.*restore it, or set PETSTORE_PEPPER/,
    spoil: (folder) => {
      rmSync(join(folder, 'petstore.db.pepper'));
      return NOTHING;
    },
  },
  variables('another pepper', /^PETSTORE_PEPPER is not the pepper .*restore the right one\.$/, {
    PETSTORE_PEPPER: 'another pepper, long enough to be one',
  }),
  {
    title: 'a pepper that others may read',
    message: /can be read by others than its owner; run chmod 600/,
    spoil: (folder) => {
      chmodSync(join(folder, 'petstore.db.pepper'), 0o644);
      return NOTHING;
    },
  },
  {
    title: 'a pepper that is damaged',
    message: /holds no pepper.*restore it\.$/,
    spoil: (folder) => {
      writeFileSync(join(folder, 'petstore.db.pepper'), 'salt');
      return NOTHING;
    },
  },
  {
    title: 'a lock that cannot be taken because it is not a file',
    isLate: true,
    message: /petstore\.db-serving.*(?:cannot|remove|set PETSTORE_DATABASE)/,
    spoil: (folder) => {
      rmSync(join(folder, 'petstore.db-serving'), { force: true });
      mkdirSync(join(folder, 'petstore.db-serving'));
      return NOTHING;
    },
  },
  variables(
    'the database of another environment',
    /holds the keys of production, and PETSTORE_ENVIRONMENT is staging/,
    {
      PETSTORE_ENVIRONMENT: 'staging',
    },
  ),
  variables('an invalid port', /^PORT must be a whole number from 0 to 65535; it is "65536"\.$/, {
    PORT: '65536',
  }),
  wrongVariable('a port that is a word', /^PORT must be a whole number from 0 to 65535; it is "http"\.$/, {
    PORT: 'http',
  }),
  wrongVariable('an engine that is unknown', /^PETSTORE_DATABASE must be sqlite:/, {
    PETSTORE_DATABASE: 'oracle:x',
  }),
  wrongVariable('a pepper that is too short', /^PETSTORE_PEPPER must be at least 32 characters/, {
    PETSTORE_PEPPER: 'x',
  }),
  wrongVariable('a database with the CR of a line', /^PETSTORE_DATABASE must be without white space at/, {
    PETSTORE_DATABASE: 'sqlite:petstore.db\r',
  }),
  wrongVariable('a database in quotes', /^PETSTORE_DATABASE must be without quotes around it/, {
    PETSTORE_DATABASE: '"sqlite:petstore.db"',
  }),
  wrongVariable('a pepper with a control character', /^PETSTORE_PEPPER must be without control characters/, {
    PETSTORE_PEPPER: `${'x'.repeat(32)}\n${'x'.repeat(32)}`,
  }),
  wrongVariable(
    'a token that no header can hold',
    /^PETSTORE_METRICS_TOKEN must be visible ASCII characters/,
    {
      PETSTORE_METRICS_TOKEN: 'töken',
    },
  ),
  wrongVariable('a host that is empty', /^PETSTORE_HOST must be an address or a name/, { PETSTORE_HOST: '' }),
  wrongVariable(
    'a status policy that is unknown',
    /^PETSTORE_STATUS_POLICY must be one of unchanged, sold-at-zero/,
    {
      PETSTORE_STATUS_POLICY: 'never',
    },
  ),
  wrongVariable('a base address that no header can hold', /^PETSTORE_BASE_URL must be .* in ASCII/, {
    PETSTORE_BASE_URL: 'https://店.example/v1',
  }),
  wrongVariable('a base address without its version', /^PETSTORE_BASE_URL must be .* ends in \/v1/, {
    PETSTORE_BASE_URL: 'https://petstore.example',
  }),
  wrongVariable('a sunset before the deprecation', /^PETSTORE_GET_PET_SUNSET_AT must not be before/, {
    PETSTORE_GET_PET_SUNSET_AT: '2020-01-01T00:00:00Z',
  }),
  wrongVariable(
    'less time for a request than for its headers',
    /^PETSTORE_REQUEST_TIMEOUT must not be less than/,
    {
      PETSTORE_REQUEST_TIMEOUT: '4',
    },
  ),
  variables('a proxy that is not an address', /^PETSTORE_TRUSTED_PROXIES: "300\.0\.0\.1" is not an address/, {
    PETSTORE_TRUSTED_PROXIES: '300.0.0.1',
  }),
  wrongVariable('an unknown variable', /^PETSTORE_PROT is not a variable of petstore-server/, {
    PETSTORE_PROT: '8080',
  }),
];

/** Starts a process of `serve` that should not stay; one that does is killed. */
async function start(folder: string, env: Variables): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    cwd: folder,
    env: environmentOf(folder, env),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: REFUSED_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
    // It serves although it must not: do not wait for its end.
    if (text.includes('"msg":"listening"')) child.kill('SIGKILL');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** One sentence, exit code 1, no stack trace, nothing served. */
function assertRefused({ code, stdout, stderr }: Ended, message: RegExp): void {
  assert.equal(code, 1, `${stdout}${stderr}`);
  assert.equal(stdout, '');
  const sentence = /^error: (.+[.?])\n$/.exec(stderr)?.[1];
  assert.ok(sentence, `one line: ${stderr}`);
  assert.match(sentence, message);
  assert.doesNotMatch(sentence, /Something went wrong/, 'the message is specific');
}

/** A folder with a database that has an account and a key, to be copied. */
async function soundFolder(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  await json(cli, 'migrate');
  await json(cli, 'accounts', 'create', 'shop', '--plan', 'free');
  await json(cli, 'keys', 'create', '--account', 'shop');
  return folder;
}

test('a start that would be unsafe is refused with one sentence', async (t) => {
  const sound = await soundFolder(t);
  for (const { title, message, words = ['serve'], isLate, spoil } of REFUSALS) {
    await t.test(title, { timeout: CASE_TIMEOUT_MS }, async (t) => {
      const folder = temporaryFolder(t);
      for (const name of readdirSync(sound)) copyFileSync(join(sound, name), join(folder, name));
      const env = await spoil(folder, t);
      const refused = isLate
        ? start(folder, env)
        : runShared({ words, folder, env: environmentOf(folder, env) });
      assertRefused(await refused, message);
    });
  }
});

test('a second process does not serve a database that another process serves', async (t) => {
  const service = await startService(t);
  const message = /^Another petstore-server is serving .*petstore\.db; stop it, or set PETSTORE_DATABASE/;
  assertRefused(await start(service.databaseDir, NOTHING), message);
  assert.ok(service.isAlive());
  await service.kill9();
  const again = await startService(t, { databaseDir: service.databaseDir, key: service.key });
  assert.ok(again.isAlive(), 'a process that was killed leaves no lock behind');
  await again.kill9();
});

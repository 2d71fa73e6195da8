import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { prepareDatabase } from '../../../src/cli/prepare-database.ts';
import { readConfig } from '../../../src/config.ts';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { openStore } from '../../../src/store/open.ts';
import { DEFAULT_RULES, openAdmin } from '../../../src/store/open-admin.ts';
import { prepareShop } from '../../blackbox/operator.ts';
import { launchService, serviceEnvironment } from '../../blackbox/service-process.ts';
import { commandLine, petRow, temporaryFolder } from '../../support/command-line.ts';
import { until } from '../../support/until.ts';
import { Certificates } from '../support/certificates.ts';
import { freePort } from '../support/free-port.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

const APPLIED_TIMEOUT_MS = 30_000;
const UNSAFE_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

type Variables = Readonly<Record<string, string>>;

/** What the whole file shares ends with the file. */
const whole = { after: after as TestContext['after'] };
const postgres = await startPostgres(whole);
const folder = temporaryFolder(whole);

/** A database that was prepared, and how it is reached. */
interface Shop {
  readonly url: string;
  readonly name: string;
  readonly pepper: string;
  readonly env: Variables;
}

async function makeShop({ isEmpty = false } = {}): Promise<Shop> {
  const url = await postgres.createDatabase();
  const pepper = randomBytes(24).toString('hex');
  const env = { PETSTORE_DATABASE: url, PETSTORE_PEPPER: pepper };
  if (!isEmpty) await prepareShop({ env }, {});
  return { url, name: new URL(url).pathname.slice(1), pepper, env };
}

/** The output of the command, checked for the format of refusals and for secrets. */
async function refusalOf(shop: Shop, env: Variables, words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await commandLine(folder, { env })(...words);
  const what = `${words.join(' ')}: ${stdout}${stderr}`;
  assert.equal(code, 1, what);
  assert.equal(stdout, '', what);
  assertNoSecret(shop, env, stderr);
  if (words.includes('--json')) return String((JSON.parse(stderr) as { error: unknown }).error);
  return /^error: ([^\n]+)\n$/.exec(stderr)?.[1] ?? assert.fail(what);
}

function assertNoSecret(shop: Shop, env: Variables, text: string): void {
  for (const secret of [shop.pepper, new URL(shop.url).password, env.PETSTORE_PEPPER, passwordOf(env)]) {
    if (secret) assert.ok(!text.includes(secret), `${text} holds a secret`);
  }
}

function passwordOf({ PETSTORE_DATABASE: url = '' }: Variables): string {
  return URL.canParse(url) ? new URL(url).password : '';
}

/** Asserts the common refusal of `serve` and `migrate`, and the output of both. */
async function assertRefused(shop: Shop, expected: RegExp, variables: Variables = {}): Promise<void> {
  await assertUnprepared(shop, expected, variables);
  const env = { ...shop.env, ...variables };
  for (const words of [['serve'], ['migrate', '--json']]) {
    assert.match(await refusalOf(shop, env, words), expected);
  }
}

/** Asserts the common refusal of `serve` and `migrate`, in this process. */
async function assertUnprepared(shop: Shop, expected: RegExp, variables: Variables = {}): Promise<void> {
  const env = { ...shop.env, ...variables };
  await assert.rejects(
    async () => prepareDatabase(readConfig(env)),
    ({ name, message }: Error) => {
      assert.equal(name, 'OperatorError', message);
      assert.match(message, expected);
      assertNoSecret(shop, env, message);
      return true;
    },
  );
}

async function assertServes(shop: Shop, variables: Variables): Promise<void> {
  const instance = await launchService(serviceEnvironment('node', folder, { ...shop.env, ...variables }));
  assert.equal(await instance.stop(), 0);
  assert.ok(!instance.logs().includes(new URL(shop.url).password));
}

/** Changes a setting of a whole server while it runs; without a value, resets it. */
async function configure(server: PostgresServer, name: string, value?: string): Promise<void> {
  await server.query(
    value === undefined ? `ALTER SYSTEM RESET ${name}` : `ALTER SYSTEM SET ${name} = ${value}`,
  );
  await server.query('SELECT pg_reload_conf()');
  const deadline = Date.now() + APPLIED_TIMEOUT_MS;
  while ((await server.query(`SHOW ${name}`))[0]?.[name] !== (value ?? 'on')) {
    assert.ok(Date.now() < deadline, `${name} is set`);
    await delay(10);
  }
}

/** The store of an instance, and a change of its only pet. */
async function servedStore(t: TestContext, url: string) {
  const admin = await openAdmin(url);
  t.after(() => admin.close());
  await admin.importPets([petRow(1)], 'cli', 1);
  const ignore = () => undefined;
  const options = {
    environment: 'production',
    onCommit: ignore,
    onListRebuild: ignore,
    onError: ignore,
  } as const;
  const store = await openStore({ database: url, rules: DEFAULT_RULES, ...options });
  t.after(() => store.close());
  let quantity = 0;
  const write = () => {
    quantity += 1;
    return store.write({
      command: { kind: 'change', change: { kind: 'set', petId: 1n, quantity } },
      author: { ...CLI_AUTHOR, actorName: 'cli', atMs: 1 },
    });
  };
  return { store, write };
}

function isRefused(work: () => Promise<unknown>): Promise<boolean> {
  return work().then(
    () => false,
    () => true,
  );
}

test('a reload that makes commits unsafe refuses changes and readiness until the next one, and no reads', async (t) => {
  if (isSkippedDaily(t)) return;
  const { url } = await makeShop();
  const { store, write } = await servedStore(t, url);
  for (const name of ['fsync', 'full_page_writes']) {
    await write();
    await store.checkHealth();
    t.after(() => configure(postgres, name));
    await configure(postgres, name, 'off');
    // A session reads the configuration a moment later.
    await until(() => isRefused(write), 'no change is acknowledged');
    await until(() => isRefused(() => store.checkHealth()), 'it is not ready');
    await assert.rejects(store.checkHealth(), { reason: `The database server has ${name} = off.` });
    await assert.rejects(write(), { code: 'service_unavailable', message: /nothing was changed/ });
    assert.equal((await store.listInventory()).itemCount, 1);
    await configure(postgres, name);
    await until(async () => !(await isRefused(write)), 'changes are acknowledged again');
    await until(async () => !(await isRefused(() => store.checkHealth())), 'it is ready again');
  }
});

test('settings that make promises false are refused, each unless it is accepted by its name', async (t) => {
  const shop = await makeShop();
  for (const name of UNSAFE_SETTINGS) {
    await t.test(name, async (inner) => {
      inner.after(() => configure(postgres, name));
      await configure(postgres, name, 'off');
      const expected = new RegExp(
        `has ${name} = off, .*turn it on, or accept that with PETSTORE_ACCEPT_UNSAFE=${name}\\.$`,
      );
      await assertUnprepared(shop, expected);
      const others = UNSAFE_SETTINGS.filter((other) => other !== name).join(', ');
      await assertUnprepared(shop, expected, { PETSTORE_ACCEPT_UNSAFE: others });
      await assertServes(shop, { PETSTORE_ACCEPT_UNSAFE: name });
    });
  }
  await t.test('all of them', async (inner) => {
    inner.after(async () => {
      for (const name of UNSAFE_SETTINGS) await configure(postgres, name);
    });
    for (const name of UNSAFE_SETTINGS) await configure(postgres, name, 'off');
    await assertRefused(shop, /has full_page_writes = off/, { PETSTORE_ACCEPT_UNSAFE: 'fsync' });
    await assertServes(shop, { PETSTORE_ACCEPT_UNSAFE: UNSAFE_SETTINGS.join(',') });
  });
});

test('synchronous_commit that is off for one database or one role is refused', async (t) => {
  const shop = await makeShop();
  const expected = /has synchronous_commit = off/;
  await postgres.query(`ALTER DATABASE ${shop.name} SET synchronous_commit = off`);
  await assertUnprepared(shop, expected);
  await postgres.query(`ALTER DATABASE ${shop.name} RESET synchronous_commit`);
  t.after(() => postgres.query('ALTER ROLE petstore RESET synchronous_commit'));
  await postgres.query('ALTER ROLE petstore SET synchronous_commit = off');
  await assertUnprepared(shop, expected);
});

test('a role without triggers is refused at the start, by commands and later, whatever is accepted', async (t) => {
  const shop = await makeShop();
  const { store, write } = await servedStore(t, shop.url);
  await write();
  t.after(() => postgres.query('ALTER ROLE petstore RESET session_replication_role'));
  await postgres.query('ALTER ROLE petstore SET session_replication_role = replica');
  const expected =
    /has session_replication_role = replica, so the triggers that protect the ledger are off; reset it for/;
  await assertUnprepared(shop, expected, { PETSTORE_ACCEPT_UNSAFE: UNSAFE_SETTINGS.join(',') });
  const { host } = new URL(shop.url);
  for (const hosts of [host, `127.0.0.1:${await freePort()},${host}`]) {
    const url = shop.url.replace(host, hosts);
    await assert.rejects(openAdmin(url), { name: 'OperatorError', message: expected }, hosts);
  }
  await postgres.terminateBackends(shop.name);
  const reason = 'The database server has session_replication_role = replica.';
  const refusal = () =>
    store.checkHealth().then(
      () => undefined,
      ({ reason: found }: { reason?: string }) => found,
    );
  await until(async () => (await refusal()) === reason, 'it is not ready');
  await until(() => isRefused(write), 'no change is acknowledged');
  await postgres.query('ALTER ROLE petstore RESET session_replication_role');
  await postgres.terminateBackends(shop.name);
  await until(async () => !(await isRefused(write)), 'changes are acknowledged again');
});

test('an instance warns of a setting of which the one before it had another value', async () => {
  const shop = await makeShop();
  const warnings: (string | undefined)[] = [];
  for (const variables of [{}, { PETSTORE_MAX_QUANTITY: '10' }] satisfies Variables[]) {
    const instance = await launchService(serviceEnvironment('node', folder, { ...shop.env, ...variables }));
    assert.equal(await instance.stop(), 0);
    warnings.push(/the instance that started before has another \w+/.exec(instance.logs())?.[0]);
  }
  assert.deepEqual(warnings, [
    undefined,
    'the instance that started before has another PETSTORE_MAX_QUANTITY',
  ]);
});

test('an unknown name of an unsafe setting is refused', async () => {
  const shop = await makeShop({ isEmpty: true });
  for (const name of ['fsnyc', 'fsync,all', 'on', 'fsync,']) {
    await assertUnprepared(
      shop,
      /^PETSTORE_ACCEPT_UNSAFE must be empty, or some of fsync, full_page_writes, sync/,
      {
        PETSTORE_ACCEPT_UNSAFE: name,
      },
    );
  }
});

test('a read-only database is refused', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await makeShop();
  await postgres.query(`ALTER DATABASE ${shop.name} SET default_transaction_read_only = on`);
  await assertRefused(
    shop,
    /has default_transaction_read_only = on; turn it off for the server, the database and its user\.$/,
  );

  const replica = await startPostgres(t);
  const database = await replica.createDatabase();
  await replica.stop();
  await replica.startAsReplica();
  await assertUnprepared(
    { ...shop, url: database },
    /is a replica; set PETSTORE_DATABASE to the primary server/,
    {
      PETSTORE_DATABASE: database,
    },
  );
});

test('a database of another encoding is refused', async () => {
  const shop = await makeShop({ isEmpty: true });
  for (const encoding of ['LATIN1', 'SQL_ASCII']) {
    const name = `in_${encoding.toLowerCase()}`;
    await postgres.query(`CREATE DATABASE ${name} OWNER petstore ENCODING '${encoding}' TEMPLATE template0`);
    const url = new URL(shop.url);
    url.pathname = name;
    const expected = new RegExp(`has the encoding ${encoding}; make a database with ENCODING 'UTF8'\\.$`);
    await assertUnprepared(shop, expected, { PETSTORE_DATABASE: url.href });
  }
});

test('an unknown schema is refused, and not changed', async (t) => {
  if (isSkippedDaily(t)) return;
  const future = await makeShop();
  await postgres.query("INSERT INTO schema_migrations VALUES (999, 'later', 'x', 0)", future.name);
  await assertRefused(
    future,
    /has schema version 999, newer than this release knows; run the newer petstore-server\.$/,
  );

  const altered = await makeShop();
  await postgres.query("UPDATE schema_migrations SET checksum = 'altered'", altered.name);
  await assertUnprepared(altered, /schema version 1 is not the one this release ships; restore a backup/);

  const migrated = await makeShop({ isEmpty: true });
  await postgres.query(
    `CREATE TABLE schema_migrations AS SELECT 5 AS version, true AS dirty;
ALTER TABLE schema_migrations OWNER TO petstore`,
    migrated.name,
  );
  await assertRefused(migrated, /is the database of another program, not of petstore-server/);

  const foreign = await makeShop({ isEmpty: true });
  await postgres.query('CREATE TABLE accounts (number integer, owner text)', foreign.name);
  await assertRefused(
    foreign,
    /is the database of another program, not of petstore-server; set PETSTORE_DATABASE/,
  );
  const tables = await postgres.query(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
    foreign.name,
  );
  assert.deepEqual(tables, [{ tablename: 'accounts' }]);
});

test('a pepper that is missing or another one is refused', async () => {
  const unset =
    /^PETSTORE_PEPPER must be set with a PostgreSQL database, .*openssl rand -hex 32 makes one\.$/;
  const shop = await makeShop();
  await assertRefused(shop, unset, { PETSTORE_PEPPER: '' });
  await assertUnprepared(await makeShop({ isEmpty: true }), unset, { PETSTORE_PEPPER: '' });
  await assertUnprepared(shop, /^PETSTORE_PEPPER is not the pepper .*restore the right one\.$/, {
    PETSTORE_PEPPER: 'another pepper, long enough to be one',
  });
  await assertUnprepared(shop, /^PETSTORE_PEPPER must be at least 32 characters/, {
    PETSTORE_PEPPER: 'too short',
  });
});

test('a database that cannot be reached is refused without its password', async () => {
  const shop = await makeShop({ isEmpty: true });
  const at = (change: (url: URL) => void) => {
    const url = new URL(shop.url);
    change(url);
    return { PETSTORE_DATABASE: url.href };
  };
  const hint =
    /cannot be reached \(.+\); is the server running, and are the host, the name and the password right\?$/;
  const unusedPort = await freePort();
  const proxies = [
    at((url) => {
      url.password = 'wrong-password';
    }),
    at((url) => {
      url.pathname = '/nowhere';
    }),
    at((url) => {
      url.username = 'nobody';
    }),
    at((url) => {
      url.port = String(unusedPort);
    }),
    at((url) => {
      url.hostname = 'no-such-host.invalid';
    }),
  ];
  for (const settings of proxies) await assertUnprepared(shop, hint, settings);
  await assertRefused(shop, hint, proxies[0]);
});

test('an invalid address is refused without being printed', async () => {
  const shop = await makeShop({ isEmpty: true });
  for (const rest of ['pass@word@[::1/x', 'secret-word@127.0.0.1', 'secret-word@127.0.0.1:port/x']) {
    const url = `postgres://petstore:${rest}`;
    const message = await refusalOf(shop, { ...shop.env, PETSTORE_DATABASE: url }, ['migrate']);
    assert.match(
      message,
      /^PETSTORE_DATABASE must be sqlite: followed by a file, .*; it is another value\.$/,
    );
  }
  const percent = { ...shop.env, PETSTORE_DATABASE: 'postgres://petstore:100%secret-word@127.0.0.1/x' };
  assert.doesNotMatch(await refusalOf(shop, percent, ['serve']), /secret-word|should not have/);
});

test('a certificate or a file that is not accepted is named, with what to do', async (t) => {
  const certificates = await Certificates.make(t, postgres);
  if (!certificates) return t.skip('NOT RUN: there is no openssl');
  const shop = await makeShop();
  for (const authority of ['known', 'unknown']) certificates.makeAuthority(authority);
  certificates.make('valid', 'known');
  certificates.make('expired', 'known', { days: -1 });
  certificates.make('foreign', 'unknown');
  certificates.make('misnamed', 'known', { address: '127.0.0.9' });
  t.after(() => certificates.end());
  const root = `sslrootcert=${certificates.path('known.pem')}`;
  const refusal = (parameters = root) => {
    const PETSTORE_DATABASE = `${shop.url}?sslmode=verify-full&${parameters}`;
    return refusalOf(shop, { ...shop.env, PETSTORE_DATABASE }, ['accounts', 'list', '--json']);
  };
  await certificates.serve('expired');
  assert.match(await refusal(), /\(certificate has expired\); renew the certificate of the server/);
  await certificates.serve('foreign');
  assert.match(
    await refusal(),
    /\(unable to verify the first certificate\); does sslrootcert in the address/,
  );
  await certificates.serve('misnamed');
  assert.match(await refusal(), /127\.0\.0\.9\); is the host in the address one that the certificate/);
  await certificates.serve('valid');
  for (const mode of ['require', 'verify-ca', 'verify-full']) {
    const PETSTORE_DATABASE = `${shop.url}?${root}&sslmode=${mode}`;
    const listed = await commandLine(folder, { env: { ...shop.env, PETSTORE_DATABASE } })('accounts', 'list');
    assert.deepEqual([listed.code, listed.stderr], [0, ''], mode);
  }
  for (const parameters of [`sslrootcert=${certificates.path('none.pem')}`, `${root}&sslkey=/none.key`]) {
    assert.match(await refusal(parameters), /ENOENT.*; do sslrootcert, sslcert and sslkey .* files/);
  }
  const noPem = `${root}&sslcert=${certificates.path('valid.pem')}&sslkey=${certificates.path('valid.csr')}`;
  assert.match(await refusal(noPem), /; do sslrootcert, sslcert and sslkey .* in PEM/);
  await certificates.end();
  assert.match(await refusal(), /support SSL connections\); set ssl = on there/);
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from '../../server/test/blackbox/api-request.ts';
import { launchService, type ServiceProcess } from '../../server/test/blackbox/service-process.ts';
import { hasServed, PETS, SteadyLoad } from '../../server/test/postgres/faults/rolling-restart.ts';
import { freePort } from '../../server/test/postgres/support/free-port.ts';
import type { DatabaseServer } from '../../server/test/postgres/support/postgres-server.ts';
import { startReverseProxy } from '../../server/test/postgres/support/reverse-proxy.ts';
import { sharedPostgres } from '../../server/test/postgres/support/shared-postgres.ts';
import { run, temporaryFolder } from '../../server/test/support/command-line.ts';
import { machineEnvironment } from '../../server/test/support/machine-environment.ts';
import { until } from '../../server/test/support/until.ts';
import { type Receiver, startReceiver } from '../../server/test/webhooks/receiver.ts';
import { LATER_NAMES, type InstalledRelease, installReleases, type Releases } from './release-trees.ts';

/* The steps of docs/upgrading.md, with two installed releases. */

const NEWER = /has schema version \d+, newer than this release knows; run the newer petstore-server\./;
const IN_USE =
  /has an older schema and is in use by a petstore-server; stop the service, every instance and command of it, then start again\./;
const OLDER = /has an older schema; run petstore-server migrate first\./;
const ROWS = 'petId,quantity,name\n9007199254740993,50,Rex\n2,70,Ada\n';
const WITH_JSON = { 'Content-Type': 'application/json' };
/** What clients read, which no upgrade may change. */
const READ = ['/v1/inventory', '/v1/movements', '/v1/store/orders', '/v1/webhook-endpoints'];

/** A shop on a database, in the folder where its commands run. */
interface Shop {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Returns the address of a copy from the backup, which a dry run can use. */
  backUp(): Promise<string>;
  /** Puts the backup in place of the database. */
  restore(): Promise<void>;
}

type Cli = ReturnType<typeof cliOf>;

function cliOf({ words }: InstalledRelease, { folder, env }: Shop) {
  const end = (...command: readonly string[]) => run(process.execPath, [...words, ...command], folder, env);
  return {
    end,
    json: async (...command: readonly string[]) => {
      const { code, stdout, stderr } = await end(...command, '--json');
      assert.equal(code, 0, `${command.join(' ')}: ${stdout}${stderr}`);
      return JSON.parse(stdout);
    },
    refused: async (reason: RegExp, ...command: readonly string[]) => {
      const { code, stdout, stderr } = await end(...command);
      assert.equal(code, 1, `${command.join(' ')}: ${stdout}`);
      assert.match(stderr, reason, command.join(' '));
    },
  };
}

async function serve(
  t: TestContext,
  { words }: InstalledRelease,
  { folder, env }: Shop,
  variables: NodeJS.ProcessEnv = {},
): Promise<ServiceProcess> {
  const service = await launchService({
    binary: process.execPath,
    words,
    env: { ...env, ...variables },
    folder,
  });
  t.after(() => service.kill9());
  return service;
}

/** Credentials and writes of a shop, with all responses, and the paths of work that is half done. */
interface Used {
  readonly key: string;
  readonly cookie: string;
  readonly adminKey: string;
  readonly stocktake: string;
  readonly plans: readonly string[];
  readonly repeatable: readonly { readonly write: Write; readonly body: string }[];
}

interface Write {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends all kinds of writes to a new shop. */
async function use(cli: Cli, service: ServiceProcess, receiver: Receiver): Promise<Used> {
  const { key } = await cli.json('keys', 'create', '--account', 'shop');
  const admin = await cli.json('admin-keys', 'create', '--role', 'administrator');
  await cli.json('webhooks', 'create', '--account', 'shop', receiver.url);
  const session = await fetch(`${service.url}/admin/v1/session`, {
    method: 'POST',
    headers: WITH_JSON,
    body: JSON.stringify({ key: admin.key }),
  });
  assert.equal(session.status, 200);
  const [cookie = ''] = (session.headers.get('Set-Cookie') ?? '').split(';', 1);
  const repeatable = [];
  for (const [number, [method, path, body]] of [
    ['PATCH', '/v1/inventory/9007199254740993', '{"quantity":49}'],
    ['POST', '/v1/store/orders', '{"lines":[{"petId":2,"quantity":3}],"referenceId":"web-1"}'],
    ['POST', '/v1/inventory/2/adjustments', '{"delta":-1,"reason":"sold"}'],
  ].entries() as Iterable<[number, [string, string, string]]>) {
    const write = { method, path, headers: { ...WITH_JSON, 'Idempotency-Key': `drill-${number}` }, body };
    const answer = await request(service, { ...write, key });
    assert.ok(answer.status === 200 || answer.status === 201, answer.body.toString());
    repeatable.push({ write, body: answer.body.toString() });
  }
  return { key, cookie, repeatable, adminKey: admin.key, ...(await begin(service, admin.key)) };
}

/** Begins what people finish days later: a stock-take, an import and a change of many pets that are planned. */
async function begin(service: ServiceProcess, adminKey: string): Promise<Pick<Used, 'stocktake' | 'plans'>> {
  const started = await manage(service, adminKey, 'POST /stocktakes', {
    name: 'Autumn',
    posting: 'at_close',
  });
  const stocktake = `/stocktakes/${started.id}`;
  await manage(service, adminKey, `POST ${stocktake}/counts`, { petId: 2, counted: 60 });
  const imported = await manage(service, adminKey, 'POST /imports', [{ petId: 3, quantity: 7, name: 'Kit' }]);
  const change = await manage(service, adminKey, 'POST /bulk-changes', {
    petIds: [2],
    set: { category: 'Cats' },
  });
  const plans = [`/imports/${imported.id}`, `/bulk-changes/${change.id}`];
  for (const plan of plans) await reached(service, adminKey, plan, 'planned');
  return { stocktake, plans };
}

/** Finishes it, with another release. */
async function finish(service: ServiceProcess, { adminKey, stocktake, plans }: Used): Promise<void> {
  for (const plan of plans) {
    await manage(service, adminKey, `POST ${plan}/apply`);
    await reached(service, adminKey, plan, 'applied');
  }
  await manage(service, adminKey, `POST ${stocktake}/counts`, { petId: 3, counted: 6 });
  const closed = await manage(service, adminKey, `POST ${stocktake}/close`);
  assert.equal(closed.state, 'closed');
  const totals = await manage(service, adminKey, `GET ${stocktake}/totals`);
  assert.deepEqual([totals.counted, totals.differences, totals.unposted], [2, 2, 0]);
}

function reached(service: ServiceProcess, adminKey: string, path: string, state: string): Promise<void> {
  return until(
    async () => (await manage(service, adminKey, `GET ${path}`)).state === state,
    `${path} ${state}`,
  );
}

async function manage(service: ServiceProcess, adminKey: string, operation: string, body?: unknown) {
  const [method = '', path = ''] = operation.split(' ');
  const response = await fetch(`${service.url}/admin/v1${path}`, {
    method,
    headers: { ...WITH_JSON, Authorization: `Bearer ${adminKey}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, `${operation}: ${text}`);
  return JSON.parse(text);
}

/** All that clients read. */
function stateOf(service: ServiceProcess, key: string): Promise<readonly string[]> {
  return Promise.all(
    READ.map(async (path) => {
      const { status, body } = await request(service, { path, key });
      assert.equal(status, 200, path);
      // Deliveries go on meanwhile.
      return body.toString().replaceAll(/"lastEventId":"[\d.]+"/g, '');
    }),
  );
}

/** A release serves a shop as another one left it: data, hashes, keys, idempotency records and sessions. */
async function assertTakenOver(
  { version }: InstalledRelease,
  { cli, service }: { readonly cli: Cli; readonly service: ServiceProcess },
  { key, cookie, repeatable }: Used,
  { state, head }: { readonly state: readonly string[]; readonly head: string },
): Promise<void> {
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  assert.equal((await cli.end('--version')).stdout.trim(), version);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  assert.match(
    metrics,
    new RegExp(`^petstore_build_info\\{version="${version.replaceAll('.', '\\.')}"`, 'm'),
  );
  assert.equal((await cli.json('doctor')).faults, 0);
  assert.deepEqual((await cli.json('verify', '--expect', head)).faults, []);

  assert.deepEqual(await stateOf(service, key), state);
  for (const { write, body } of repeatable) {
    const repeated = await request(service, { ...write, key });
    assert.equal(repeated.headers.get('idempotency-replayed'), 'true', write.path);
    assert.equal(repeated.body.toString(), body);
  }
  const session = await fetch(`${service.url}/admin/v1/session`, { headers: { Cookie: cookie } });
  assert.equal(session.status, 200, await session.text());
  assert.deepEqual(await stateOf(service, key), state, 'a repeated write changes nothing');
}

async function drill(t: TestContext, { first, next }: Releases, shop: Shop): Promise<void> {
  const [old, later] = [cliOf(first, shop), cliOf(next, shop)];
  writeFileSync(join(shop.folder, 'pets.csv'), ROWS);
  await old.json('migrate');
  await old.json('accounts', 'create', 'shop', '--plan', 'business');
  await old.json('pets', 'import', 'pets.csv');
  const receiver = await startReceiver(t);
  const before = await serve(t, first, shop);
  const used = await use(old, before, receiver);
  await until(() => receiver.messages().some(({ body }) => body.includes('web-1')), 'webhooks of the first');
  const state = await stateOf(before, used.key);

  // Before.
  assert.equal((await old.json('doctor')).faults, 0);
  const { head, faults } = await old.json('verify');
  assert.deepEqual(faults, []);
  const taken = { state, head: `${head.sequence}:${head.hash}` };
  await later.refused(IN_USE, 'migrate');
  await later.refused(IN_USE, 'serve');
  await later.refused(OLDER, 'accounts', 'list');
  assert.deepEqual(await stateOf(before, used.key), state, 'a refused migration changes nothing');

  assert.equal(await before.stop(), 0);
  const copy = { ...shop, env: { ...shop.env, PETSTORE_DATABASE: await shop.backUp() } };
  assert.deepEqual((await cliOf(next, copy).json('migrate', '--dry-run')).migrations, LATER_NAMES);
  assert.deepEqual((await later.json('migrate', '--dry-run')).migrations, LATER_NAMES);
  const after = await serve(t, next, shop);
  assert.deepEqual((await later.json('migrate')).migrations, [], 'the start has migrated');
  await assertTakenOver(next, { cli: later, service: after }, used, taken);
  const sold = { method: 'POST', path: '/v1/inventory/2/adjustments', headers: WITH_JSON };
  const change = { ...sold, body: '{"delta":-5,"reason":"sold","referenceId":"after"}', key: used.key };
  assert.equal((await request(after, change)).status, 201);
  await until(() => receiver.messages().some(({ body }) => body.includes('"after"')), 'webhooks of the next');
  await finish(after, used);
  assert.equal(await after.stop(), 0);

  // Going back.
  for (const command of ['serve', 'migrate', 'verify', 'doctor --no-verify', 'accounts list']) {
    if (command.startsWith('doctor')) {
      const { code, stdout, stderr } = await old.end(...command.split(' '));
      assert.equal(code, 1);
      assert.match(stdout + stderr, NEWER);
    } else await old.refused(NEWER, ...command.split(' '));
  }
  await shop.restore();
  const again = await serve(t, first, shop);
  await assertTakenOver(first, { cli: old, service: again }, used, taken);
  await finish(again, used);
  assert.equal(await again.stop(), 0);
  for (const { logs } of [before, after, again])
    assert.doesNotMatch(logs(), /"level":"(?:warn|error|fatal)"/);
}

function environmentOf(database: string): NodeJS.ProcessEnv {
  return {
    ...machineEnvironment(),
    PORT: '0',
    PETSTORE_HOST: '127.0.0.1',
    PETSTORE_DATABASE: database,
    PETSTORE_WEBHOOK_NETWORKS: '127.0.0.1',
  };
}

function sqliteShop(t: TestContext, { first }: Releases): Shop {
  const folder = temporaryFolder(t);
  const file = join(folder, 'petstore.db');
  const shop: Shop = {
    folder,
    env: environmentOf('sqlite:./petstore.db'),
    backUp: async () => {
      await cliOf(first, shop).json('backup', 'before.db');
      copyFileSync(`${file}.pepper`, join(folder, 'before.db.pepper'));
      return 'sqlite:./before.db';
    },
    restore: async () => {
      for (const end of ['', '-wal', '-shm', '.pepper']) rmSync(file + end, { force: true });
      for (const end of ['', '.pepper']) copyFileSync(join(folder, `before.db${end}`), file + end);
    },
  };
  return shop;
}

async function postgresShop(t: TestContext, server: DatabaseServer): Promise<Shop> {
  const folder = temporaryFolder(t);
  const url = await server.createDatabase();
  const [{ version } = {}] = await server.query("SELECT current_setting('server_version_num') AS version");
  const hasTools = hasDump(Math.floor(Number(version) / 10_000));
  if (!hasTools)
    t.diagnostic('NOT RUN: pg_dump and pg_restore, because none is as new as the server; copied instead.');
  const pg = (program: string, ...words: readonly string[]) =>
    execFileSync(program, words, { cwd: folder, stdio: 'pipe' });
  const restoreInto = (target: string) =>
    pg('pg_restore', '--exit-on-error', `--dbname=${target}`, 'before.dump');
  const name = nameOf(url);
  let copy = '';
  return {
    folder,
    env: { ...environmentOf(url), PETSTORE_PEPPER: randomBytes(32).toString('hex') },
    backUp: async () => {
      if (!hasTools) return (copy = await server.createDatabase(name));
      pg('pg_dump', '--format=custom', '--file=before.dump', url);
      copy = await server.createDatabase();
      restoreInto(copy);
      return copy;
    },
    restore: async () => {
      await server.query(`ALTER DATABASE ${name} RENAME TO ${name}_newer`);
      const template = hasTools ? 'template0' : nameOf(copy);
      await server.query(`CREATE DATABASE ${name} OWNER petstore TEMPLATE ${template}`);
      if (hasTools) restoreInto(url);
    },
  };
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

function hasDump(major: number): boolean {
  try {
    const text = execFileSync('pg_dump', ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    return Number(/\d+/.exec(text)?.[0]) >= major;
  } catch {
    return false;
  }
}

/** Replaces two instances of a release by those of another one, under load. */
async function roll(
  t: TestContext,
  [first, other]: readonly [InstalledRelease, InstalledRelease],
  server: DatabaseServer,
): Promise<void> {
  const shop = await postgresShop(t, server);
  const cli = cliOf(first, shop);
  const rows = Array.from({ length: PETS }, (_, i) => `${i + 1},0`);
  writeFileSync(join(shop.folder, 'pets.csv'), ['petId,quantity', ...rows, ''].join('\n'));
  await cli.json('migrate');
  const limits = ['--plan', 'enterprise', '--per-minute', '1000000', '--per-day', '1000000'];
  await cli.json('accounts', 'create', 'shop', ...limits);
  await cli.json('pets', 'import', 'pets.csv');
  const { key } = await cli.json('keys', 'create', '--account', 'shop');

  const ports = [await freePort(), await freePort()];
  const start = (release: InstalledRelease, port: number) =>
    serve(t, release, shop, { PORT: String(port), PETSTORE_DRAIN_DELAY: '2' });
  const instances = await Promise.all(ports.map((port) => start(first, port)));
  const balancer = await startReverseProxy(t, ports);
  const load = new SteadyLoad(balancer.port, key);
  t.after(() => load.stop());
  // There and back.
  for (const release of [other, first]) {
    for (const [index, port] of ports.entries()) {
      assert.equal(await instances[index]?.stop(), 0);
      const instance = await start(release, port);
      instances[index] = instance;
      await until(() => hasServed(instance), 'requests reach the new instance');
    }
  }
  await load.stop();
  t.diagnostic(`${load.sent} requests during four replacements`);
  assert.deepEqual(load.failures, []);
  const { movements, faults } = await cliOf(other, shop).json('verify');
  assert.deepEqual({ movements, faults }, { movements: PETS + load.changes, faults: [] });
}

test('a shop goes from one release to the next, and back', async (t) => {
  const folder = join(temporaryFolder(t), 'releases');
  mkdirSync(folder);
  const releases = installReleases(t, folder);
  const { server } = await sharedPostgres();
  await t.test('on SQLite', (t) => drill(t, releases, sqliteShop(t, releases)));
  await t.test('on PostgreSQL', async (t) => drill(t, releases, await postgresShop(t, server)));
  await t.test('two instances, one by one, without a failed request', async (t) => {
    const { first, patch, isSchemaSame } = releases;
    if (isSchemaSame) await roll(t, [first, patch], server);
    else t.diagnostic('NOT RUN: the schema of the checkout is another one than that of the tag.');
  });
});

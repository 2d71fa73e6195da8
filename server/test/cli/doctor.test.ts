import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { HOUR_MS } from '@petstore-inventory/shared/durations';
import { examineDatabase } from '../../src/cli/doctor.ts';
import { readConfig } from '../../src/config.ts';
import { openAdmin } from '../../src/store/open-admin.ts';
import { commandLine, json, newCliShop, TEST_PEPPER, temporaryFolder } from '../support/command-line.ts';
import { testEngine } from '../support/test-database.ts';
import { startService } from '../blackbox/service.ts';
import { isSkippedDaily } from '../support/long-test.ts';

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly message: string;
  readonly fix: string | null;
}

/** What doctor finds, in its order, with its exit code. */
async function findingsOf(folder: string, env: Readonly<Record<string, string>> = {}, ...words: string[]) {
  const { code, stdout } = await commandLine(folder, { env })('doctor', '--json', ...words);
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  return { code, findings, of: (name: string) => findings.filter(({ check }) => check === name) };
}

async function newShop(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  await json(cli, 'migrate');
  await json(cli, 'pets', 'create', '1', '--quantity', '5');
  return folder;
}

test('doctor names what is missing and what to type, until nothing is', async (t) => {
  if (isSkippedDaily(t)) return;
  const folder = temporaryFolder(t);
  const empty = await findingsOf(folder);
  assert.equal(empty.code, 1);
  assert.equal(empty.of('database')[0]?.fix, 'petstore-server migrate');
  const cli = commandLine(folder);
  await json(cli, 'migrate');
  const made = await findingsOf(folder);
  assert.equal(made.code, 0, 'warnings are no faults');
  assert.match(String(made.of('ledger')[0]?.fix), /^petstore-server pets import /);
  const create = String(made.of('keys')[0]?.fix).split(' ').slice(1);
  await json(cli, ...create);
  await json(cli, 'pets', 'create', '1', '--quantity', '5');
  assert.equal(made.of('backup')[0]?.fix, 'petstore-server backup --to <folder>');
  await json(cli, 'backup', '--to', temporaryFolder(t));
  const service = await startService(t, { databaseDir: folder, key: 'none' });
  const running = await findingsOf(folder);
  assert.deepEqual(
    running.findings.map(({ check, state }) => [check, state]),
    'versions configuration versions database ledger disk backup clock proxy keys service'
      .split(' ')
      .map((check) => [check, 'ok']),
  );
  await service.kill9();
  const { state, fix } = (await findingsOf(folder)).of('service')[0] as Finding;
  assert.deepEqual([state, fix], ['warning', 'petstore-server serve']);
});

test('doctor reports each fault of the configuration, and other commands an array of them', async (t) => {
  const folder = await newShop(t);
  const env = { PORT: 'x', PETSTORE_NOPE: '1' };
  const { code, of } = await findingsOf(folder, env);
  assert.equal(code, 1);
  assert.deepEqual(
    of('configuration').map(({ message }) => message.slice(0, 25)),
    ['PETSTORE_NOPE is not a va', 'PORT must be a whole numb'],
  );
  const { stderr } = await commandLine(folder, { env })('keys', 'list', '--json');
  const { errors } = JSON.parse(stderr) as { readonly errors: readonly { readonly message: string }[] };
  assert.deepEqual(
    errors.map(({ message }) => message.split(' ')[0]),
    ['PETSTORE_NOPE', 'PORT'],
  );
});

test('doctor notices a proxy that is not trusted, a full disk, and a clock behind the ledger', async (t) => {
  const folder = await newShop(t);
  const https = { PETSTORE_BASE_URL: 'https://shop.example/v1' };
  assert.equal((await findingsOf(folder, https)).of('proxy')[0]?.state, 'fault');
  const trusting = { ...https, PETSTORE_TRUSTED_PROXIES: '10.0.0.1' };
  assert.equal((await findingsOf(folder, trusting)).of('proxy')[0]?.state, 'ok');
  const full = await findingsOf(folder, { PETSTORE_DISK_RESERVE: '1000000000000000' });
  assert.deepEqual([full.of('disk')[0]?.state, full.of('disk')[0]?.fix], ['fault', 'df -h']);
  const database = new DatabaseSync(join(folder, 'petstore.db'));
  const triggers = database.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'movements'",
  );
  for (const { name } of triggers.all()) database.exec(`DROP TRIGGER ${String(name)}`);
  database.exec('UPDATE movements SET recorded_at = recorded_at + 864000000');
  database.close();
  const ahead = await findingsOf(folder);
  assert.equal(ahead.of('clock')[0]?.state, 'fault');
  assert.match(String(ahead.of('clock')[0]?.message), /If the clock is wrong now, set it right/);
  assert.deepEqual(
    [ahead.of('ledger')[0]?.state, ahead.of('ledger')[0]?.fix],
    ['fault', 'petstore-server verify'],
  );
  assert.deepEqual((await findingsOf(folder, {}, '--no-verify')).of('ledger'), []);
});

test('doctor examines either engine', async (t) => {
  const { database, folder } = await newCliShop(t);
  const env = {
    ...testEngine().variables,
    PETSTORE_DATABASE: database.url,
    PETSTORE_PEPPER: TEST_PEPPER.toString(),
  };
  const { stdout } = await commandLine(folder, { env })('doctor');
  assert.match(stdout, /^ok {7}versions {7}(?:SQLite|PostgreSQL) \d+\./m);
  assert.match(stdout, /^ok {7}clock /m);
  assert.match(stdout, /\n0 faults, \d warnings?\.\n$/);
});

test('doctor warns without a backup, and of one that is older than a day', async (t) => {
  const { store } = await newCliShop(t);
  const config = readConfig({ PORT: '1', PETSTORE_HOST: '127.0.0.1' });
  const found = async () => {
    const findings = await examineDatabase(store, config, config, false);
    const { state, message } = findings.find(({ check }) => check === 'backup') as Finding;
    return `${state}: ${message}`;
  };
  assert.match(await found(), /^warning: No verified backup is recorded/);
  const nowMs = await store.now();
  const record = (ageHours: number) =>
    store.recordBackup({ madeAtMs: nowMs - ageHours * HOUR_MS, sequence: 0, bytes: 1 });
  await record(27);
  assert.match(await found(), /^warning: The newest verified backup is of \S+Z: 27 hours ago\.$/);
  await record(25);
  assert.match(await found(), /^ok: The newest verified backup is of \S+Z\.$/);
});

test('a verification that takes minutes is no difference of clocks', async (t) => {
  const { store } = await newCliShop(t);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const slow = new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        if (name === 'verify') t.mock.timers.tick(120_000);
        return member.apply(target, given);
      };
    },
  });
  const config = readConfig({ PORT: '1', PETSTORE_HOST: '127.0.0.1' });
  const findings = await examineDatabase(slow, config, config, true);
  assert.ok(findings.some(({ check }) => check === 'ledger'));
  const { state, message } = findings.find(({ check }) => check === 'clock') as Finding;
  assert.equal(state, 'ok', message);
});

test('doctor leaves a copy with a log as it is, and reads what is in the log', async (t) => {
  const folder = await newShop(t);
  const service = await startService(t, { databaseDir: folder, key: 'none' });
  await json(commandLine(folder), 'pets', 'set', '1', '9');
  await service.kill9();
  const copy = temporaryFolder(t);
  for (const name of ['petstore.db', 'petstore.db-wal', 'petstore.db.pepper']) {
    copyFileSync(join(folder, name), join(copy, name));
  }
  for (const place of [copy, folder]) {
    const contents = () =>
      ['petstore.db', 'petstore.db-wal'].map((name) => hash('sha256', readFileSync(join(place, name))));
    const before = contents();
    assert.ok(statSync(join(place, 'petstore.db-wal')).size > 0);
    const { of } = await findingsOf(place);
    assert.match(String(of('ledger')[0]?.message), /The ledger ends at movement 2,/);
    assert.deepEqual(contents(), before);
  }
  // Without a log nothing is left beside the file.
  const clean = await newShop(t);
  await findingsOf(clean);
  assert.deepEqual(readdirSync(clean).toSorted(), ['petstore.db', 'petstore.db.pepper']);
});

test('doctor asks the service at the address on which it listens', async (t) => {
  const folder = await newShop(t);
  let answer = { status: 200, body: '{}' };
  const server = createHttpServer((_, response) => response.writeHead(answer.status).end(answer.body));
  server.listen(0, '127.0.0.2');
  t.after(() => server.close());
  await once(server, 'listening');
  const PORT = String((server.address() as AddressInfo).port);
  const admin = await openAdmin(`sqlite:${join(folder, 'petstore.db')}`);
  await admin.recordSettings({ PORT });
  await admin.close();
  const { of } = await findingsOf(folder, { PETSTORE_HOST: '127.0.0.2' });
  const url = `http://127.0.0.2:${PORT}/readyz`;
  assert.equal(of('service')[0]?.message, `${url} is ready.`);
  const full = 'The disk of the database is full: changes are refused until it has room.';
  for (const [body, reason] of [
    [`{"code":"service_unavailable","message":"${full}","status":503}\n`, full],
    ['<html>Bad gateway</html>\n', '<html>Bad gateway</html>'],
  ] as const) {
    answer = { status: 503, body };
    const refused = await findingsOf(folder, { PETSTORE_HOST: '127.0.0.2' });
    assert.equal(refused.of('service')[0]?.message, `${url} returned 503: ${reason}`);
  }
});

test('doctor asks the service through its proxy whether it sees TLS', async (t) => {
  const folder = await newShop(t);
  const service = await startService(t, {
    databaseDir: folder,
    key: 'none',
    env: { PETSTORE_TRUSTED_PROXIES: '127.0.0.1' },
  });
  const file = fileURLToPath(new URL('../fixtures/hooks.example.pem', import.meta.url));
  const PEM = readFileSync(file);
  let forwarded: Readonly<Record<string, string>> = {};
  const proxy = createServer({ key: PEM, cert: PEM }, (incoming, outgoing) => {
    const headers = { ...incoming.headers, host: 'shop.example', ...forwarded };
    const sent = request(
      `${service.url}${incoming.url}`,
      { method: incoming.method ?? 'GET', headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(sent);
  }).listen(0, '127.0.0.1');
  t.after(() => proxy.close().closeAllConnections());
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const address = { PETSTORE_BASE_URL: `https://localhost:${port}/v1` };
  const unchecked = { ...address, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  const proxyFinding = async (env: Readonly<Record<string, string>> = unchecked) => {
    const { stdout } = await commandLine(folder, { env, runtime: 'node' })('doctor', '--json');
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
    return findings.find(({ check }) => check === 'proxy');
  };
  const missing = await proxyFinding();
  assert.equal(missing?.state, 'fault');
  assert.match(missing.message, /sees no TLS: the proxy must send X-Forwarded-Proto/);
  forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' };
  const sent = await proxyFinding();
  assert.deepEqual(
    [sent?.state, sent?.message],
    ['ok', `Through https://localhost:${port} the service sees TLS: the headers of its proxy are trusted.`],
  );
  // Its authority is known, and it names another host.
  const wrong = await proxyFinding({ ...address, NODE_EXTRA_CA_CERTS: file });
  assert.equal(wrong?.state, 'fault');
  assert.match(
    wrong.message,
    /^The certificate of https:\/\/localhost:\d+ is refused: it names another host\. /,
  );
});

test('doctor finds what the service refuses to start with: another pepper, and a proxy that is no address', async (t) => {
  const folder = await newShop(t);
  const other = await findingsOf(folder, { PETSTORE_PEPPER: 'another pepper of at least 32 characters' });
  assert.equal(other.code, 1);
  assert.match(String(other.of('keys')[0]?.message), /^PETSTORE_PEPPER is not the pepper /);
  const proxy = await findingsOf(folder, { PETSTORE_TRUSTED_PROXIES: '10.0.0.1/33' });
  assert.equal(proxy.code, 1);
  assert.match(String(proxy.of('proxy')[0]?.message), /"10\.0\.0\.1\/33" is not an address/);
});

test('doctor writes nothing into an empty file, and says when another program locks the database', async (t) => {
  const folder = await newShop(t);
  const locker = new DatabaseSync(join(folder, 'petstore.db'));
  locker.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  const locked = await findingsOf(folder);
  locker.close();
  assert.match(String(locked.of('database')[0]?.message), /petstore\.db is locked by another program/);
  const empty = join(folder, 'empty.db');
  writeFileSync(empty, '');
  const env = { PETSTORE_DATABASE: `sqlite:${empty}` };
  const { of } = await findingsOf(folder, env);
  assert.equal(of('database')[0]?.fix, 'petstore-server migrate');
  await commandLine(folder, { env })('migrate', '--dry-run');
  assert.equal(statSync(empty).size, 0);
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { request } from '../../server/test/blackbox/api-request.ts';
import {
  launchService,
  type ServiceEnvironment,
  type ServiceProcess,
} from '../../server/test/blackbox/service-process.ts';
import { machineEnvironment } from '../../server/test/support/machine-environment.ts';
import { until } from '../../server/test/support/until.ts';
import { type Receiver, startReceiver } from '../../server/test/webhooks/receiver.ts';

const COMMAND_TIMEOUT_MS = 60_000;
/** Longer than a service waits for quiet seconds before it collects its garbage. */
const SETTLE_MS = 6_000;
/** Its petId is no exact number in JavaScript. */
const PETS = 'petId,quantity,name\n9007199254740993,5,Rex\n2,7,Ada\n';
const MORE_PETS = 'petId,quantity,name\n3,9,Kit\n';

/** A release of the server: its program with its words, and the empty folder in which it runs. */
export interface Released {
  readonly binary: string;
  readonly words: readonly string[];
  readonly folder: string;
  /** Its URL; without it, a SQLite file in the folder. */
  readonly database?: string;
}

type Cli = (...words: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;

/** A released service in use. */
export interface ReleasedService extends ServiceProcess {
  readonly key: string;
}

/**
 * Uses all that needs a file besides the code, or a thread: commands, pages, the interface, management, imports, webhooks
 * and a backup. Then stops the service.
 * @param whileServing More to try before it stops.
 */
export async function assertReleaseWorks(
  t: TestContext,
  released: Released,
  whileServing: (service: ReleasedService) => Promise<void> = async () => {},
): Promise<void> {
  const environment = environmentOf(released);
  const cli = commandsOf(environment);
  writeFileSync(join(released.folder, 'pets.csv'), PETS);
  await cli('migrate');
  await cli('accounts', 'create', 'shop', '--plan', 'business');
  await cli('pets', 'import', 'pets.csv');
  const { key } = (await cli('keys', 'create', '--account', 'shop')) as { key: string };
  const admin = (await cli('admin-keys', 'create', '--role', 'administrator')) as { key: string };
  const receiver = await startReceiver(t);
  await cli('webhooks', 'create', '--account', 'shop', receiver.url);

  const service = await launchService(environment);
  t.after(() => service.kill9());
  await assertPages(service);
  await assertStock({ ...service, key });
  await assertImports(service, admin.key);
  await assertDelivered(receiver);
  // On PostgreSQL it prints a command.
  if (released.database === undefined) await cli('backup', 'copy.db');
  assert.deepEqual((await cli('verify')).faults, []);
  await whileServing({ ...service, key });
  assert.equal(await service.stop(), 0, 'SIGTERM stops it in order');
  assert.doesNotMatch(service.logs(), /"level":"(?:warn|error|fatal)"/);
}

/**
 * Megabytes of memory of the service with an empty shop before its first request, when they change no more; `undefined`
 * outside of Linux.
 */
export async function idleMegabytes(t: TestContext, released: Released): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const environment = environmentOf({ ...released, database: 'sqlite:./idle.db' });
  // Users have none, and a process that fills it takes more.
  delete environment.env.NODE_COMPILE_CACHE;
  await commandsOf(environment)('migrate');
  const service = await launchService(environment);
  t.after(() => service.kill9());
  const megabytes = () => {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / 1_024);
  };
  let last = megabytes();
  await until(async () => {
    const before = last;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    last = megabytes();
    return last === before;
  }, 'its memory changes no more');
  await service.stop();
  return last;
}

/**
 * A service whose files another release has replaced starts no thread of it, says why, and goes on when they are back.
 * @param entry The first file of its code, which names the others by their contents.
 */
export async function assertKeepsToItsRelease(
  t: TestContext,
  released: Released,
  entry: string,
): Promise<void> {
  const environment = environmentOf(released);
  const { key } = (await commandsOf(environment)('keys', 'create', '--account', 'shop')) as { key: string };
  const service = await launchService(environment);
  t.after(() => service.kill9());
  const audit = () => request(service, { path: '/v1/ledger/audit', key });
  const text = readFileSync(entry, 'utf8');
  writeFileSync(entry, `${text}// of another release\n`);
  const refused = await audit();
  assert.equal(refused.status, 503);
  assert.match(refused.body.toString(), /replaced by another release; restart it/);
  assert.equal((await request(service, { path: '/v1/inventory', key })).status, 200);
  writeFileSync(entry, text);
  assert.equal((await audit()).status, 200);
  assert.equal(await service.stop(), 0);
}

function environmentOf({ binary, words, folder, database }: Released): ServiceEnvironment {
  const env = {
    ...machineEnvironment(),
    PORT: '0',
    PETSTORE_HOST: '127.0.0.1',
    PETSTORE_DATABASE: database ?? 'sqlite:./petstore.db',
    ...(database !== undefined && { PETSTORE_PEPPER: randomBytes(32).toString('hex') }),
    PETSTORE_WEBHOOK_NETWORKS: '127.0.0.1',
  };
  return { binary, words, env, folder };
}

function commandsOf({ binary, words = [], env, folder }: ServiceEnvironment): Cli {
  return async (...command) => {
    const options = { cwd: folder, env, timeout: COMMAND_TIMEOUT_MS };
    const { stdout } = await promisify(execFile)(binary, [...words, ...command, '--json'], options);
    return JSON.parse(stdout);
  };
}

async function assertPages(service: ServiceProcess): Promise<void> {
  const get = async (path: string) => {
    const response = await fetch(service.url + path);
    assert.equal(response.status, 200, path);
    return { type: response.headers.get('Content-Type') ?? '', text: await response.text() };
  };
  const { text: page } = await get('/');
  assert.match(page, /<div id="root">/);
  const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  assert.ok(assets.length > 1);
  for (const asset of assets)
    assert.match((await get(asset)).type, /^(?:text\/(?:javascript|css)|font\/woff2)/);
  assert.match((await get('/docs')).type, /^text\/html/);
  const licenses = (await get('/licenses.txt')).text;
  for (const name of [
    'react',
    '@mantine/core',
    '@scalar/fastify-api-reference',
    '@fontsource-variable/inter',
  ]) {
    assert.ok(licenses.includes(`## ${name} - `), name);
  }
  assert.match((await get('/openapi.json')).text, /"listInventory"/);
  assert.match((await get('/metrics')).text, /^petstore_pets 2$/m);
}

async function assertStock(service: ReleasedService): Promise<void> {
  const { key } = service;
  const list = await request(service, { path: '/v1/inventory', key });
  assert.match(list.body.toString(), /"petId":9007199254740993,"quantity":5/);
  const path = '/v1/inventory/9007199254740993';
  const headers = { 'Content-Type': 'application/json' };
  const changed = await request(service, { method: 'PATCH', path, key, headers, body: '{"quantity":6}' });
  assert.equal(changed.status, 200);
}

async function assertImports(service: ServiceProcess, key: string): Promise<void> {
  const send = async (path: string, body?: string) => {
    const type = body === undefined ? {} : { 'Content-Type': 'text/csv' };
    const response = await fetch(`${service.url}/admin/v1/imports${path}`, {
      headers: { Authorization: `Bearer ${key}`, ...type },
      ...(body !== undefined && { method: 'POST', body }),
    });
    return (await response.json()) as { readonly id: string; readonly state: string };
  };
  const { id } = await send('', MORE_PETS);
  const isIn = (state: string) => async () => (await send(`/${id}`)).state === state;
  await until(isIn('planned'), 'the plan of the import');
  await send(`/${id}/apply`, '');
  await until(isIn('applied'), 'the end of the import');
}

async function assertDelivered(receiver: Receiver): Promise<void> {
  const hasMessage = () => receiver.messages().some(({ body }) => body.includes('9007199254740993'));
  await until(hasMessage, 'the webhook about the change');
}

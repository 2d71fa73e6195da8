import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { findAccount } from '../../src/cli/accounts.ts';
import { createKey } from '../../src/cli/keys/new-key.ts';
import { createId } from '../../src/domain/access/api-key.ts';
import type { Limits } from '../../src/domain/access/plans.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { errorOf, request } from '../blackbox/api-request.ts';
import type { RawResponse } from '../blackbox/raw-socket.ts';
import { type Service, startService } from '../blackbox/service.ts';
import { temporaryFolder } from '../support/command-line.ts';

const DEADLINE_MS = 90_000;

/** A key of the service. */
type Client = Pick<Service, 'port' | 'key'>;

interface Window {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
}

interface RateLimit {
  readonly minute: Window;
  readonly day: Window;
  readonly ban: { readonly endsAt: unknown } | null;
}

async function serviceWithLimits(t: TestContext, perMinute: number, perDay: number): Promise<Service> {
  const service = await startService(t, { databaseDir: temporaryFolder(t) });
  await service.withAdmin(async (admin) => {
    const { id } = findAccount(await admin.accounts.list(), service.account);
    await admin.accounts.update(id, { plan: 'enterprise', perMinute, perDay }, CLI_AUTHOR);
  });
  return service;
}

/** Another key of the same service, of an account with its own limits. */
function keyWithLimits({ port, withAdmin }: Service, limits: Limits): Promise<Client> {
  return withAdmin(async (admin, config) => {
    const account = { id: createId('acc'), name: 'hammering', plan: 'enterprise' } as const;
    await admin.accounts.create({ ...account, limits, createdAtMs: Date.now() }, CLI_AUTHOR);
    const fields = { accountId: account.id, name: 'hammering', scopes: null, expiresAtMs: null };
    return { port, key: (await createKey(config, admin, fields)).secret };
  });
}

/** Starts the service on the database that another one left. */
function startAgain(t: TestContext, { databaseDir, key }: Service): Promise<Service> {
  return startService(t, { databaseDir, key });
}

function list(service: Client): Promise<RawResponse> {
  return request(service, { path: '/v1/inventory', key: service.key });
}

async function listTimes(service: Client, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) assert.equal((await list(service)).status, 200);
}

async function rateLimit(service: Client): Promise<RateLimit> {
  const { status, body } = await request(service, { path: '/v1/rate-limit', key: service.key });
  assert.equal(status, 200);
  return JSON.parse(body.toString()) as RateLimit;
}

const used = ({ limit, remaining }: Window): number => limit - remaining;

/** Continues after a 429 without waiting until the key is banned; returns the first answer with the ban. */
async function hammerUntilBanned(service: Client): Promise<RawResponse> {
  const deadline = Date.now() + DEADLINE_MS;
  while (Date.now() < deadline) {
    const answer = await list(service);
    if (answer.status === 429 && errorOf(answer).code === 'api_key_banned') return answer;
  }
  throw new Error('The key was not banned in time.');
}

async function assertStillBanned(service: Client, banned: RawResponse): Promise<void> {
  const again = await list(service);
  assert.equal(errorOf(again).code, 'api_key_banned');
  assert.equal(again.headers.get('x-ratelimit-reset'), banned.headers.get('x-ratelimit-reset'));
  assert.ok((await rateLimit(service)).ban);
}

function savedCount(service: Service): number {
  const database = new DatabaseSync(join(service.databaseDir, 'petstore.db'), { readOnly: true });
  try {
    const row = database.prepare("SELECT max(used) AS used FROM usage WHERE window = 'day'").get();
    return Number(row?.used ?? 0);
  } finally {
    database.close();
  }
}

test('counts and bans are exact across a graceful restart', async (t) => {
  const first = await serviceWithLimits(t, 1_000, 100_000);
  const hammered = await keyWithLimits(first, { perMinute: 1, perDay: 100_000 });
  await listTimes(first, 137);
  const banned = await hammerUntilBanned(hammered);
  const before = await rateLimit(first);
  assert.equal(used(before.day), 137);
  assert.equal(await first.stop(), 0);
  const second = await startAgain(t, first);
  const after = await rateLimit(second);
  assert.deepEqual(after.day, before.day);
  // The count is unchanged, unless the minute has ended.
  if (after.minute.reset === before.minute.reset) assert.deepEqual(after.minute, before.minute);
  else assert.equal(used(after.minute), 0);
  await listTimes(second, 5);
  assert.equal(used((await rateLimit(second)).day), 142);
  await assertStillBanned({ port: second.port, key: hammered.key }, banned);
});

test('kill -9 forgets only counts that were not saved yet, and no ban that a client received', async (t) => {
  const first = await serviceWithLimits(t, 1_000, 100_000);
  const hammered = await keyWithLimits(first, { perMinute: 1, perDay: 100_000 });
  await listTimes(first, 60);
  const startedAt = Date.now();
  while (savedCount(first) < 60) {
    assert.ok(Date.now() - startedAt < DEADLINE_MS, 'counts are saved every second');
    await delay(20);
  }
  t.diagnostic(`counts were saved ${Date.now() - startedAt} ms after the last request`);
  await listTimes(first, 7);
  const banned = await hammerUntilBanned(hammered);
  await first.kill9();
  const second = await startAgain(t, first);
  await assertStillBanned({ port: second.port, key: hammered.key }, banned);
  const after = used((await rateLimit(second)).day);
  assert.ok(after >= 60 && after <= 67, `${after} of 67`);
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { findAccount } from '../../src/cli/accounts.ts';
import { errorOf, request } from '../blackbox/api-request.ts';
import type { RawResponse } from '../blackbox/raw-socket.ts';
import { type Service, startService } from '../blackbox/service.ts';
import { temporaryFolder } from '../support/command-line.ts';

const DEADLINE_MS = 30_000;

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
    const { id } = findAccount(await admin.listAccounts(), service.account);
    await admin.setPlan(id, 'enterprise', { perMinute, perDay });
  });
  return service;
}

/** Starts the service on the database that another one left. */
function startAgain(t: TestContext, { databaseDir, key }: Service): Promise<Service> {
  return startService(t, { databaseDir, key });
}

function list(service: Service): Promise<RawResponse> {
  return request(service, { path: '/v1/inventory', key: service.key });
}

async function listTimes(service: Service, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) assert.equal((await list(service)).status, 200);
}

async function rateLimit(service: Service): Promise<RateLimit> {
  const { status, body } = await request(service, { path: '/v1/rate-limit', key: service.key });
  assert.equal(status, 200);
  return JSON.parse(body.toString()) as RateLimit;
}

const used = ({ limit, remaining }: Window): number => limit - remaining;

/** Continues after a 429 without waiting until the key is banned; returns the first answer with the ban. */
async function hammerUntilBanned(service: Service): Promise<RawResponse> {
  const deadline = Date.now() + DEADLINE_MS;
  while (Date.now() < deadline) {
    const answer = await list(service);
    if (answer.status === 429 && errorOf(answer).code === 'api_key_banned') return answer;
  }
  throw new Error('The key was not banned in time.');
}

function writtenDown(service: Service): number {
  const database = new DatabaseSync(join(service.databaseDir, 'petstore.db'), { readOnly: true });
  try {
    const row = database.prepare("SELECT max(used) AS used FROM usage WHERE window = 'day'").get();
    return Number(row?.used ?? 0);
  } finally {
    database.close();
  }
}

test('counts are exact across a graceful restart', async (t) => {
  const first = await serviceWithLimits(t, 1_000, 100_000);
  await listTimes(first, 137);
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
});

test('kill -9 forgets only counts that were not written down yet', async (t) => {
  const first = await serviceWithLimits(t, 1_000, 100_000);
  await listTimes(first, 60);
  const startedAt = Date.now();
  while (writtenDown(first) < 60) {
    assert.ok(Date.now() - startedAt < DEADLINE_MS, 'counts are written down every second');
    await delay(20);
  }
  t.diagnostic(`counts were written down ${Date.now() - startedAt} ms after the last request`);
  await listTimes(first, 7);
  await first.kill9();
  const second = await startAgain(t, first);
  const after = used((await rateLimit(second)).day);
  assert.ok(after >= 60 && after <= 67, `${after} of 67`);
});

test('a ban holds across a graceful restart, until its reported end', async (t) => {
  const first = await serviceWithLimits(t, 1, 100_000);
  const banned = await hammerUntilBanned(first);
  assert.equal(await first.stop(), 0);
  const second = await startAgain(t, first);
  const again = await list(second);
  assert.equal(errorOf(again).code, 'api_key_banned');
  assert.equal(again.headers.get('x-ratelimit-reset'), banned.headers.get('x-ratelimit-reset'));
  assert.ok((await rateLimit(second)).ban);
});

test('a reported ban survives an immediate kill -9', async (t) => {
  const first = await serviceWithLimits(t, 1, 100_000);
  const banned = await hammerUntilBanned(first);
  await first.kill9();
  const second = await startAgain(t, first);
  const again = await list(second);
  assert.equal(errorOf(again).code, 'api_key_banned');
  assert.equal(again.headers.get('x-ratelimit-reset'), banned.headers.get('x-ratelimit-reset'));
});

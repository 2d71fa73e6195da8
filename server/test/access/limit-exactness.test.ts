import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { rotateKey } from '../../src/cli/keys/new-key.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { listenOnNode } from '../../src/listen/node.ts';
import { errorOf } from '../blackbox/api-request.ts';
import { type RawResponse, RawSocket } from '../blackbox/raw-socket.ts';
import { startApp as startHarness, type TestApp } from '../support/harness.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const REQUESTS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NOON = Date.UTC(2026, 6, 1, 12);
const UNREACHED = 1_000_000_000;
const LISTENING = { PORT: '0', PETSTORE_HOST: '127.0.0.1', PETSTORE_LOG_LEVEL: 'silent' };
const PETS: readonly PetRow[] = [1n, 2n, 3n].map((petId) => ({
  petId,
  name: null,
  category: null,
  quantity: 0,
  status: 'available',
}));

function startApp(t: TestContext): Promise<TestApp> {
  return startHarness(t, { nowMs: NOON, pets: PETS, config: LISTENING });
}

async function listen(t: TestContext, { app, config }: TestApp): Promise<number> {
  const listener = await listenOnNode(app, config);
  t.after(() => listener.close(0));
  return listener.port;
}

/** The request with this number: every other one lists, the rest set quantities. */
function mixedRequest(number: number, keys: readonly string[]): string {
  const key = keys[number % keys.length];
  const head = `Host: localhost\r\nAuthorization: Bearer ${key}\r\n`;
  if (number % 2 === 0) return `GET /v1/inventory HTTP/1.1\r\n${head}\r\n`;
  const body = `{"quantity":${number}}`;
  const contentHead = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `PATCH /v1/inventory/${1 + (number % 3)} HTTP/1.1\r\n${head}${contentHead}\r\n${body}`;
}

/** Sends all requests concurrently over so many connections, and returns all answers. */
async function burst(port: number, keys: readonly string[], connections: number): Promise<RawResponse[]> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => RawSocket.open(port)));
  const perSocket = REQUESTS / connections;
  try {
    for (const [s, socket] of sockets.entries()) {
      const numbers = Array.from({ length: perSocket }, (_, i) => s * perSocket + i);
      socket.send(numbers.map((number) => mixedRequest(number, keys)).join(''));
    }
    const answers = await Promise.all(
      sockets.map(async (socket) => {
        const responses: RawResponse[] = [];
        for (let i = 0; i < perSocket; i += 1) {
          const response = await socket.next({ deadlineMs: 60_000 });
          assert.ok(response, 'every request is answered');
          responses.push(response);
        }
        return responses;
      }),
    );
    return answers.flat();
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Exactly `limit` are admitted; each of those takes another one of the remaining, and the others are refused. */
function assertExact(answers: readonly RawResponse[], limit: number, code: string, resetAtMs: number): void {
  assert.equal(answers.length, REQUESTS);
  const admitted = answers.filter(({ status }) => status === 200);
  const remaining = admitted.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
  assert.deepEqual(
    remaining.toSorted((a, b) => a - b),
    Array.from({ length: limit }, (_, i) => i),
  );
  for (const answer of answers) {
    assert.equal(answer.headers.get('x-ratelimit-limit'), String(limit));
    assert.equal(answer.headers.get('x-ratelimit-reset'), String(resetAtMs / 1_000));
    if (answer.status === 200) continue;
    assert.equal(answer.status, 429);
    assert.equal(errorOf(answer).code, code);
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '0');
  }
}

test(`of ${REQUESTS} concurrent requests each minute admits exactly its limit`, async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t);
  const port = await listen(t, app);
  const accountId = await app.makeAccount({ perMinute: 350, perDay: UNREACHED });
  const keys = (await Promise.all([1, 2, 3].map(() => app.makeKey({ accountId })))).map(({ key }) => key);
  for (const [minute, connections] of [REQUESTS, 10, 1, 100].entries()) {
    app.clock.nowMs = NOON + minute * MINUTE_MS + (minute % 2) * (MINUTE_MS - 1);
    const answers = await burst(port, keys, connections);
    assertExact(answers, 350, 'rate_limit_exceeded', NOON + (minute + 1) * MINUTE_MS);
  }
});

test(`of ${REQUESTS} concurrent requests each day admits exactly its limit`, async (t) => {
  const app = await startApp(t);
  const port = await listen(t, app);
  const accountId = await app.makeAccount({ perMinute: UNREACHED, perDay: 617 });
  const { key } = await app.makeKey({ accountId });
  for (const [day, connections] of [100, 40].entries()) {
    app.clock.nowMs = NOON + day * DAY_MS;
    const answers = await burst(port, [key], connections);
    assertExact(answers, 617, 'daily_quota_exceeded', NOON + DAY_MS / 2 + day * DAY_MS);
  }
});

test('accounts do not share their quota, for any mix of their requests', async (t) => {
  const app = await startApp(t);
  const port = await listen(t, app);
  const keys: string[] = [];
  for (const perMinute of [50, 200]) {
    const accountId = await app.makeAccount({ perMinute, perDay: UNREACHED });
    keys.push((await app.makeKey({ accountId })).key);
  }
  const answers = await burst(port, keys, 100);
  for (const limit of [50, 200]) {
    const ofAccount = answers.filter(({ headers }) => headers.get('x-ratelimit-limit') === String(limit));
    const codes = ofAccount.map((answer) => (answer.status === 200 ? 'ok' : errorOf(answer).code));
    const counts = Object.groupBy(codes, (code) => code);
    const numbers = Object.entries(counts).map(([code, all]) => [code, all?.length]);
    assert.deepEqual(Object.fromEntries(numbers), {
      ok: limit,
      rate_limit_exceeded: REQUESTS / 2 - limit,
    });
  }
});

test('rotating a key neither resets nor doubles the quota', async (t) => {
  const app = await startApp(t);
  const accountId = await app.makeAccount({ perMinute: 10, perDay: UNREACHED });
  const old = await app.makeKey({ accountId });
  const use = async (key: string) => {
    const { status, headers } = await app.request('GET', '/v1/inventory', { key });
    return [status, Number(headers.get('X-RateLimit-Remaining'))];
  };
  for (const remaining of [9, 8, 7, 6]) assert.deepEqual(await use(old.key), [200, remaining]);
  const overlap = { overlapSeconds: 3_600, expiresAtMs: undefined };
  const rotated = await rotateKey(
    app.config,
    app.admin,
    { keyId: old.principal.key.id, kind: 'client' },
    overlap,
  );
  for (const remaining of [5, 4, 3]) assert.deepEqual(await use(rotated.secret), [200, remaining]);
  for (const remaining of [2, 1, 0]) assert.deepEqual(await use(old.key), [200, remaining]);
  assert.deepEqual(await use(old.key), [429, 0]);
  assert.deepEqual(await use(rotated.secret), [429, 0]);
  app.clock.nowMs = Number(rotated.oldExpiresAtMs);
  assert.equal((await use(old.key))[0], 401);
  assert.deepEqual(await use(rotated.secret), [200, 9]);
});

test('a change of plan applies to the next request, and keeps the used requests', async (t) => {
  const { admin, request, makeAccount, makeKey } = await startApp(t);
  const accountId = await makeAccount({ perMinute: 10, perDay: 1_000 });
  const { key } = await makeKey({ accountId });
  const use = async () => {
    const { status, headers } = await request('GET', '/v1/inventory', { key });
    return `${status} ${headers.get('RateLimit')?.replaceAll(/;t=\d+/g, '')}`;
  };
  const setLimits = (perMinute: number, perDay: number) =>
    admin.accounts.update(accountId, { plan: 'enterprise', perMinute, perDay }, CLI_AUTHOR);
  assert.equal(await use(), '200 "minute";r=9, "day";r=999');
  assert.equal(await use(), '200 "minute";r=8, "day";r=998');
  await setLimits(100, 50);
  assert.equal(await use(), '200 "minute";r=97, "day";r=47');
  await setLimits(2, 50);
  assert.equal(await use(), '429 "minute";r=0, "day";r=47');
  await setLimits(2, 2);
  assert.equal(await use(), '429 "minute";r=0, "day";r=0');
  await setLimits(4, 1_000);
  assert.equal(await use(), '200 "minute";r=0, "day";r=996');
});

import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type ClientOptions, PetstoreClient, type PetstoreError } from '../src/index.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

const KEY = 'psk_test_0000000000000000000000000000000000000000';
const ITEM = '{"petId":9007199254740993,"quantity":4,"status":"available"}';
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Time passes as it does, but without jitter and at a thousandth of each wait. */
const QUICK_CLOCK = {
  now: () => performance.now() * 1_000,
  after: (ms: number, callback: () => void) => {
    const timer = setTimeout(callback, ms / 1_000);
    return () => clearTimeout(timer);
  },
  random: () => 0.5,
};

/** A server that answers each request, but not those for the state of the limits, with the next of these. */
async function serverOf(t: TestContext, answers: readonly RequestListener[]) {
  const requests: { url: string; key: string | undefined; method: string | undefined }[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/v1/rate-limit') {
      response.writeHead(404).end();
      return;
    }
    const { method, url = '', headers } = request;
    requests.push({ method, url, key: headers['idempotency-key'] as string | undefined });
    request.resume();
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    void answer?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const client = (options: Partial<ClientOptions> = {}) =>
    new PetstoreClient({
      baseUrl: `http://127.0.0.1:${port}/v1/`,
      apiKey: KEY,
      clock: QUICK_CLOCK,
      timeoutMs: 100_000_000,
      maxWaitMs: 10_000_000,
      ...options,
    });
  return { requests, client, port };
}

const good: RequestListener = (_request, response) => response.writeHead(200, JSON_TYPE).end(ITEM);
const reset: RequestListener = (request) => request.socket.resetAndDestroy();
const silent: RequestListener = () => {};
const half: RequestListener = (request, response) => {
  response.writeHead(200, { ...JSON_TYPE, 'Content-Length': String(ITEM.length) });
  response.write(ITEM.slice(0, 20), () => request.socket.destroy());
};
const halfInChunks: RequestListener = (request, response) => {
  response.writeHead(200, JSON_TYPE);
  response.write(ITEM.slice(0, 20), () => request.socket.destroy());
};
const slow: RequestListener = (_request, response) => {
  response.writeHead(200, JSON_TYPE);
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};
const page: RequestListener = (_request, response) =>
  response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>');
const garbage: RequestListener = (request) => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n');

/** A second and a half, which a good answer takes less than on a busy machine too. */
const ENDLESS = { timeoutMs: 1_500_000 };

const refusal =
  (status: number, retryAfter?: string): RequestListener =>
  (_request, response) => {
    const body = JSON.stringify({ code: 'rate_limit_exceeded', message: 'Wait.', status });
    response.writeHead(status, { ...JSON_TYPE, ...(retryAfter && { 'Retry-After': retryAfter }) }).end(body);
  };

for (const [name, fault] of Object.entries({ reset, silent, half, halfInChunks, slow, page, garbage })) {
  test(`a write survives: ${name}`, async (t) => {
    const { client, requests } = await serverOf(t, [fault, fault, good]);
    const options = fault === silent || fault === slow ? ENDLESS : {};
    const item = await client(options).updateInventory(9007199254740993n, { quantity: 4 });
    assert.equal(item.petId, 9007199254740993n);
    assert.deepEqual([requests.length, new Set(requests.map(({ key }) => key)).size], [3, 1]);
  });
}

test('an operation without a key is not repeated, except after a refusal', async (t) => {
  const url = 'https://hooks.example.com';
  const broken = await serverOf(t, [reset, good]);
  await assert.rejects(broken.client().createWebhookEndpoint({ url }), {
    code: 'connection_failed',
    mayHaveChanged: true,
  });
  assert.equal(broken.requests.length, 1);
  const refused = await serverOf(t, [refusal(429, '1'), good]);
  await refused.client().createWebhookEndpoint({ url });
  assert.equal(refused.requests.length, 2);
});

test('waits for Retry-After, whatever it is', async (t) => {
  if (isSkippedDaily(t)) return;
  for (const [given, atLeastMs] of [
    ['2', 2_000],
    // Made for its own request: its time would come closer while the others run.
    [() => new Date(Date.now() + 40_000).toUTCString(), 35_000],
    [undefined, 1_000],
    ['-1', 1_000],
    ['0', 1_000],
    ['Fri, 31 Dec 1999 23:59:59 GMT', 1_000],
    ['soon', 1_000],
    ['1e9', 1_000],
  ] as const) {
    const retryAfter = typeof given === 'function' ? given() : given;
    const { client, requests } = await serverOf(t, [refusal(429, retryAfter), good]);
    const startMs = QUICK_CLOCK.now();
    await client().getInventoryItem(7);
    const waitedMs = QUICK_CLOCK.now() - startMs;
    assert.ok(waitedMs >= atLeastMs, `${retryAfter}: waited ${waitedMs} ms`);
    assert.equal(requests.length, 2);
  }
});

test('an absurd Retry-After fails immediately, and later calls send nothing', async (t) => {
  const { client, requests } = await serverOf(t, [refusal(429, '99999999999999999999'), good]);
  const one = client();
  await assert.rejects(one.listInventory(), { code: 'rate_limit_exceeded', retryAfterSeconds: 86_400 });
  await assert.rejects(one.listInventory(), { status: 429 });
  await assert.rejects(client().getStoreInventory(), { status: 429 }, 'another client with the key');
  assert.equal(requests.length, 1);
  assert.ok(one.rateLimits.blockedSeconds > 86_000);
});

test('a storm of refusals gets few requests, and ends with an error', async (t) => {
  const { client, requests } = await serverOf(t, [refusal(429, '0')]);
  const one = client({ maxWaitMs: 60_000 });
  const calls = Array.from({ length: 50 }, () => one.listInventory());
  const results = await Promise.allSettled(calls);
  assert.ok(results.every(({ status }) => status === 'rejected'));
  assert.ok(requests.length <= 60, `${requests.length} requests`);
});

test('JSON of another service is no result', async (t) => {
  const answer =
    (body: string): RequestListener =>
    (_request, response) =>
      response.writeHead(200, JSON_TYPE).end(body);
  const options = { maxRetries: 0 };
  for (const body of ['null', '{}', '"ok"']) {
    const { client } = await serverOf(t, [answer(body)]);
    await assert.rejects(client(options).listInventory(), { code: 'invalid_response', status: 200 }, body);
  }
  const { client } = await serverOf(t, [answer('null')]);
  await assert.rejects(client(options).getInventoryItem(7), { code: 'invalid_response' });
});

test('the error about an address does not repeat its password', () => {
  assert.throws(
    () => new PetstoreClient({ baseUrl: 'http://shop:secret@127.0.0.1', apiKey: KEY }),
    ({ code, message }: PetstoreError) => code === 'invalid_argument' && !message.includes('secret'),
  );
});

test('a redirect is not followed: the key stays here', async (t) => {
  const other = await serverOf(t, [good]);
  const redirect: RequestListener = (_request, response) =>
    response.writeHead(307, { Location: `http://127.0.0.1:${other.port}/v1/inventory` }).end();
  const { client, requests } = await serverOf(t, [redirect]);
  await assert.rejects(client().listInventory(), { code: 'invalid_response', status: 307 });
  assert.deepEqual([requests.length, other.requests.length], [1, 0]);
});

test('a page that leads to itself or to another host', async (t) => {
  const link =
    (target: string): RequestListener =>
    (_request, response) =>
      response.writeHead(200, { ...JSON_TYPE, Link: `<${target}>; rel="next"` }).end(`[${ITEM}]`);
  const end: RequestListener = (_request, response) => response.writeHead(200, JSON_TYPE).end('[]');
  const elsewhere = await serverOf(t, [link('http://evil.example/steal?cursor=x'), end]);
  for await (const { petId } of elsewhere.client().listInventory({ limit: 1 }))
    assert.equal(petId, 9007199254740993n);
  assert.equal(elsewhere.requests[1]?.url, '/v1/inventory?cursor=x');
  const loop = await serverOf(t, [link('/v1/inventory?cursor=x')]);
  await assert.rejects(Array.fromAsync(loop.client().listInventory()), { code: 'invalid_response' });
  assert.equal(loop.requests.length, 2);
});

test('aborting ends a call in each of its phases', async (t) => {
  const reason = new Error('enough');
  const never = await serverOf(t, [silent]);
  const aborted = { signal: AbortSignal.abort(reason) };
  await assert.rejects(never.client().listInventory({}, aborted), reason);
  assert.equal(never.requests.length, 0);
  for (const answers of [[silent], [slow], [refusal(429, '100')], [page]]) {
    const { client, requests } = await serverOf(t, answers);
    const controller = new AbortController();
    const call = client({ maxWaitMs: Number.POSITIVE_INFINITY, maxRetries: 1e9 }).listInventory(
      {},
      controller,
    );
    while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(reason);
    await assert.rejects(call, (error: PetstoreError) => error === (reason as unknown));
  }
});

test('a body without an end is given up before it fills the memory', async (t) => {
  if (isSkippedDaily(t)) return;
  const endless: RequestListener = (_request, response) => {
    response.writeHead(200, JSON_TYPE);
    const piece = Buffer.alloc(1_000_000, ' ');
    const fill = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', fill);
    fill();
  };
  const { client, requests } = await serverOf(t, [endless]);
  const call = client({ timeoutMs: 60_000_000, maxWaitMs: 1e9 }).listInventory();
  await assert.rejects(call, { code: 'invalid_response', message: /more than \d+ bytes/ });
  assert.equal(requests.length, 1);
});

test('an address with https of a service without TLS is named', async (t) => {
  const { client, port } = await serverOf(t, [good]);
  const secure = client({ baseUrl: `https://127.0.0.1:${port}/v1/`, maxRetries: 0 });
  await assert.rejects(secure.listInventory(), {
    code: 'connection_failed',
    message: process.versions.bun ? /TLS handshake failed/ : /: TLS: [\w ]+; try http:\.$/,
  });
});

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { parseNetworks } from '../../../src/webhooks/delivery/addresses.ts';
import { failureOf } from '../../../src/webhooks/delivery/delivery-error.ts';
import { Destinations, type Resolve } from '../../../src/webhooks/delivery/destination.ts';
import { parseEndpointUrl } from '../../../src/webhooks/delivery/endpoint-url.ts';
import { type DeliveryOutcome, HttpDelivery } from '../../../src/webhooks/delivery/http-delivery.ts';
import { startReceiver } from '../receiver.ts';
import { HOSTILE, startHostile } from './hostile-receiver.ts';

const NETWORKS = parseNetworks(['127.0.0.0/8']);
/** Ends an attempt to a receiver that never responds. */
const SHORT_MS = 500;
/** Longer than any other attempt takes, also where the machine is busy. */
const LONG_MS = 60_000;
const NEVER = new AbortController().signal;
const nowhere: Resolve = () => Promise.reject(new Error('not resolved'));

interface Options {
  readonly resolve?: Resolve;
  readonly ca?: string;
  readonly timeoutMs?: number;
}

function newDelivery(t: TestContext, options: Options = {}): HttpDelivery {
  const { resolve = nowhere, ca, timeoutMs = LONG_MS } = options;
  const destinations = new Destinations(NETWORKS, resolve, () => performance.now());
  const delivery = new HttpDelivery({ destinations, timeoutMs, ...(ca !== undefined && { ca }) });
  t.after(() => delivery.close());
  return delivery;
}

function deliver(delivery: HttpDelivery, text: string, signal = NEVER): Promise<DeliveryOutcome> {
  const url = parseEndpointUrl(text, NETWORKS);
  assert.ok(typeof url === 'object', String(url));
  return delivery.deliver({
    url,
    headers: ['webhook-id', '1.0'],
    body: '{}',
    failures: 0,
    signals: [signal],
  });
}

for (const [name, behaviour] of Object.entries(HOSTILE)) {
  test(`a receiver that ${name} is a failure, with little memory`, async (t) => {
    const url = await startHostile(t, behaviour);
    const delivery = newDelivery(t, { timeoutMs: SHORT_MS });
    const beforeBytes = process.memoryUsage().rss;
    // The receiver itself never ends.
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => deliver(delivery, url)));
    assert.ok(process.memoryUsage().rss - beforeBytes < 64 * 1_024 * 1_024, 'little memory');
    for (const { result, error } of outcomes) {
      assert.notEqual(result, 'delivered');
      assert.match(error ?? '', /^(?:There was|The) .{10,120}\.$/);
    }
  });
}

test('a response is read up to a limit, and its beginning is kept', async (t) => {
  const { url } = await startReceiver(t, (response) =>
    response.end(`${'ä'.repeat(499)}\u{1F600}\0${'x'.repeat(1e6)}`),
  );
  const { result, statusCode, response } = await deliver(newDelivery(t), url);
  assert.deepEqual([result, statusCode], ['delivered', 200]);
  assert.equal(response, `${'ä'.repeat(499)}\u{FFFD}`);
});

test('a response with U+0000 has another character there, because no text of PostgreSQL has it', async (t) => {
  const { url } = await startReceiver(t, (response) => response.end('a\0b'));
  assert.equal((await deliver(newDelivery(t), url)).response, 'a\u{FFFD}b');
});

test('only a status from 200 to 299 is a success', async (t) => {
  const { url } = await startReceiver(t, (response, { path }) =>
    response.writeHead(Number(path.slice(1))).end(),
  );
  const delivery = newDelivery(t);
  for (const status of [200, 201, 202, 204, 299]) {
    assert.equal((await deliver(delivery, `${url}/${status}`)).result, 'delivered', String(status));
  }
  for (const status of [300, 301, 304, 400, 401, 404, 410, 429, 500, 503, 599]) {
    const { result, error, errorCode, statusCode } = await deliver(delivery, `${url}/${status}`);
    assert.deepEqual([result, errorCode, statusCode], ['status', 'error_status', status]);
    assert.match(error ?? '', new RegExp(`status ${status}\\b`));
  }
});

test('a kept connection that the receiver closes costs no attempt', async (t) => {
  const receiver = await startReceiver(t, (response) => {
    response.writeHead(204).end();
    setTimeout(() => response.socket?.destroy(), 1);
  });
  const delivery = newDelivery(t);
  for (let i = 0; i < 50; i += 1) assert.equal((await deliver(delivery, receiver.url)).result, 'delivered');
});

test('an attempt whose new connection breaks is made once, because the receiver may have the message', async (t) => {
  let connections = 0;
  const url = await startHostile(t, (socket) => {
    connections += 1;
    socket.resetAndDestroy();
  });
  const { errorCode } = await deliver(newDelivery(t), url);
  assert.deepEqual([errorCode, connections], ['connection_failed', 1]);
});

test('where all kept connections are closed, the attempt uses a new one', async (t) => {
  const used = new Set<Socket | null>();
  const both = Promise.withResolvers<void>();
  const { url } = await startReceiver(t, (response) => {
    if (used.has(response.socket)) {
      response.socket?.destroy();
      return;
    }
    used.add(response.socket);
    if (used.size === 2) both.resolve();
    void both.promise.then(() => response.writeHead(204).end());
  });
  const delivery = newDelivery(t);
  const results = await Promise.all([deliver(delivery, url), deliver(delivery, url)]);
  results.push(await deliver(delivery, url));
  assert.deepEqual(
    results.map(({ result }) => result),
    ['delivered', 'delivered', 'delivered'],
  );
  assert.equal(used.size, 3);
});

test('a stop interrupts an attempt, and closes its connection', { timeout: 30_000 }, async (t) => {
  const connected = Promise.withResolvers<Socket>();
  const url = await startHostile(t, connected.resolve);
  const stopping = new AbortController();
  const attempt = deliver(newDelivery(t), url, stopping.signal);
  const socket = await connected.promise;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  stopping.abort();
  assert.equal((await attempt).result, 'network');
  await closed;
});

test('an attempt after a stop sends nothing, and does not wait for a name', async (t) => {
  const { url, messages } = await startReceiver(t, (response) => response.end());
  const stopped = AbortSignal.abort();
  assert.equal((await deliver(newDelivery(t), url, stopped)).errorCode, 'aborted');
  assert.deepEqual(messages(), []);
  const delivery = newDelivery(t, { resolve: () => new Promise(() => {}) });
  assert.equal((await deliver(delivery, 'https://slow.example/', stopped)).errorCode, 'aborted');
});

test('the signal of a stop, which lasts as long as its endpoint, keeps nothing of an attempt', async (t) => {
  const { url } = await startReceiver(t, (response) => response.end());
  const { signal } = new AbortController();
  await deliver(newDelivery(t), url, signal);
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
});

test('a name server that does not respond is a failure within the time of an attempt', async (t) => {
  const resolve: Resolve = () => new Promise(() => {});
  const delivery = newDelivery(t, { resolve, timeoutMs: SHORT_MS });
  const { result, error, errorCode } = await deliver(delivery, 'https://slow.example/');
  assert.deepEqual([result, errorCode], ['timeout', 'timeout']);
  assert.equal(error, 'There was no complete response within 0.5 s.');
});

test('an attempt without a response has the code of its reason, and a detail', async (t) => {
  const outcome = async (url: string, resolve: Resolve = nowhere) => {
    const delivery = newDelivery(t, { resolve });
    const { result, statusCode, errorCode, errorDetail } = await deliver(delivery, url);
    return [result, statusCode, errorCode, errorDetail];
  };
  assert.deepEqual(await outcome('http://127.0.0.1:1/'), [
    'network',
    null,
    'connection_refused',
    'ECONNREFUSED',
  ]);
  assert.deepEqual(await outcome('https://none.example/'), [
    'network',
    null,
    'name_not_resolved',
    'none.example',
  ]);
  const empty = await outcome('https://none.example/', () => Promise.resolve([]));
  assert.deepEqual(empty, ['network', null, 'name_not_resolved', 'none.example']);
  const internal = await outcome('https://inner.example/', () => Promise.resolve(['10.0.0.1']));
  assert.deepEqual(internal, ['refused', null, 'address_not_allowed', null]);
  const { url } = await startReceiver(t, (response) => response.end());
  const [, , code] = await outcome(url.replace('http:', 'https:'));
  assert.equal(code, 'tls_failed');
  for (const [system, expected] of Object.entries({
    CERT_HAS_EXPIRED: 'tls_failed',
    HPE_HEADER_OVERFLOW: 'invalid_response',
    HPE_INVALID_CONSTANT: 'invalid_response',
    ECONNRESET: 'connection_failed',
  })) {
    const { code, detail } = failureOf(Object.assign(new Error('…'), { code: system }));
    assert.deepEqual([code, detail], [expected, system]);
  }
});

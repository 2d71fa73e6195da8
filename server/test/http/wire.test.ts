import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiRequest, errorOf, request } from '../blackbox/api-request.ts';
import { RawSocket } from '../blackbox/raw-socket.ts';
import { startService } from '../blackbox/service.ts';
import { RUNTIMES, type Runtime } from '../blackbox/service-process.ts';
import { until } from '../support/until.ts';

/** Behaviour that is only visible on a socket, on each runtime. */

const PETS = Array.from({ length: 200 }, (_, i) => ({ petId: BigInt(i + 1), quantity: i }));

/** Paths that some programs resolve, and others pass on. */
const AMBIGUOUS = [
  '/v1/../metrics',
  '/./metrics',
  '/%2e/metrics',
  '/%2E%2e/metrics',
  '/v1/%2e%2e/metrics',
  '/metrics/./',
  '/v1/./inventory/',
  '/v1/.%2e/metrics',
  '/v1/..\\metrics',
  '/x\\..\\metrics',
  '/\\metrics',
  '/v1\\inventory',
  '/v1/x%5c..%5cmetrics',
  '/v1/../../../v1/inventory',
  '/a/b/c/d/e/f/g/h/i/../../../../../../../../../metrics',
  '/v1//../metrics',
  '/v1/inventory/.',
  '/v1/inventory/..',
  '/..',
  '/.',
  'http://localhost/v1/../metrics',
  '/v1/../metrics?x=/y',
];
/** Paths that are only unknown: they are read as they are. */
const UNKNOWN = [
  '//metrics',
  '/v1/..;/metrics',
  '/METRICS',
  '/metrics/',
  '/metrics%20',
  '/%2fmetrics',
  '/v1/...',
  '/a/b/c/d/e/f/g/h/i/j',
  'http://localhost//metrics',
];
/** One and the same list (RFC 3986 section 6.2.2.2), and queries of nothing. */
const LISTS = [
  '/v1/%69nventory',
  '/v%31/%69%6E%76entory',
  '/v1/inventory?',
  '/v1/inventory?&',
  '/v1/inventory?&&',
];

for (const runtime of RUNTIMES) {
  test(`requests on ${runtime}`, async (t) => {
    const env = { PETSTORE_TRUSTED_PROXIES: '127.0.0.1', PETSTORE_ADDRESS_LIMIT: '50' };
    const service = await startService(t, { runtime, pets: PETS, env });
    const { key } = service;
    const sendAuthorized = (options: ApiRequest) => request(service, { key, ...options });

    await t.test('a path with a dot segment or a backslash is 400, with or without a key', async () => {
      for (const path of AMBIGUOUS) {
        for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
          const answer = await sendAuthorized({ method, path });
          assert.equal(answer.status, 400, `${method} ${path}`);
          if (method !== 'HEAD') assert.equal(errorOf(answer).code, 'malformed_request', path);
        }
      }
    });

    await t.test('an unknown path stays unknown after its dot segments are resolved', async () => {
      // `Bun.serve` normalizes a path with an empty segment.
      const expected = runtime === 'bun' ? 404 : 400;
      for (const path of ['/.//metrics', '/v1/..//metrics']) {
        assert.equal((await sendAuthorized({ path })).status, expected, path);
      }
    });

    await t.test('a path that is only unknown is 404', async () => {
      for (const path of UNKNOWN) {
        const answer = await sendAuthorized({ path });
        assert.equal(answer.status, 404, path);
      }
      const inQuery = await sendAuthorized({ path: '/v1/inventory?x=\\..\\&y=/../' });
      assert.equal(errorOf(inQuery).code, 'invalid_parameter', 'a query may hold anything');
    });

    await t.test('an escape is decoded once', async () => {
      assert.equal(
        errorOf(await sendAuthorized({ path: '/v1/inventory/%%33%31' })).code,
        'malformed_request',
      );
    });

    await t.test('an escape that is not needed, and a query of nothing, change no path', async () => {
      const { body } = await sendAuthorized({ path: '/v1/inventory' });
      for (const path of LISTS) {
        const answer = await sendAuthorized({ path });
        assert.deepEqual([answer.status, answer.body.equals(body)], [200, true], path);
      }
      assert.equal((await request(service, { path: '/%6d%65trics' })).status, 200);
    });

    await t.test('a method in small letters, as fetch sends patch, is refused as that', async () => {
      const socket = await RawSocket.open(service.port);
      socket.send('patch /v1/inventory/7 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
      const [answer] = await socket.untilClosed();
      if (runtime === 'bun') return assert.equal(answer, undefined, 'Bun closes the connection');
      const { code, message } = JSON.parse(String(answer?.body)) as Record<string, string>;
      assert.equal(code, 'malformed_request');
      assert.equal(message, 'The request does not begin with a method in capital letters, such as PATCH.');
    });

    await t.test('HEAD has the length of GET, or none', async () => {
      const paths = [
        ...['/v1/inventory', '/v1/inventory/7', '/v1/inventory?limit=3', '/v1/inventory?status=available'],
        ...['/v1/movements', '/v1/movements/3', '/v1/store/inventory', '/v1/pets/7'],
        ...['/v1/ledger/audit', '/v1/movements/stream', '/v1/nothing', '/v1/inventory/999'],
        ...['/healthz', '/readyz', '/docs', '/openapi.json', '/'],
      ];
      for (const path of paths) {
        const head = await sendAuthorized({ method: 'HEAD', path });
        const length = head.headers.get('content-length');
        if (length === undefined || path.endsWith('/stream')) {
          assert.match(path, /audit|stream/);
          assert.equal(length, undefined, path);
          continue;
        }
        const get = await sendAuthorized({ path });
        assert.equal(head.status, get.status, path);
        assert.equal(length, String(get.body.length), path);
      }
      // What is left of the limit may have another number of digits in the next request.
      await until(async () => {
        const head = await sendAuthorized({ method: 'HEAD', path: '/v1/rate-limit' });
        const get = await sendAuthorized({ path: '/v1/rate-limit' });
        return head.headers.get('content-length') === String(get.body.length);
      }, 'two equal lengths');
      const { headers } = await sendAuthorized({ path: '/v1/inventory/7' });
      const unchanged = await sendAuthorized({
        method: 'HEAD',
        path: '/v1/inventory/7',
        headers: { 'If-None-Match': headers.get('etag') as string },
      });
      assert.deepEqual([unchanged.status, unchanged.headers.get('content-length')], [304, undefined]);
    });

    await t.test(
      'the response to a client that asks to close the connection says that it closes',
      async () => {
        for (const method of ['GET', 'HEAD', 'DELETE']) {
          const { headers } = await sendAuthorized({ method, path: '/v1/inventory' });
          assert.equal(headers.get('connection'), 'close', method);
        }
      },
    );

    await t.test('an empty Accept accepts nothing', async () => {
      for (const accept of ['', ' ', ',', ', ,']) {
        assert.equal(
          (await sendAuthorized({ path: '/v1/inventory', headers: { Accept: accept } })).status,
          200,
          accept,
        );
      }
      assert.equal(
        (await sendAuthorized({ path: '/v1/inventory', headers: { Accept: 'text/html' } })).status,
        406,
      );
    });

    await t.test('a transfer coding besides chunked is refused', async () => {
      for (const coding of ['gzip, chunked', 'gzip,chunked', 'deflate, chunked', 'chunked, gzip', 'gzip']) {
        const socket = await RawSocket.open(service.port);
        const head = `PATCH /v1/inventory/7 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
        socket.send(`${head}Transfer-Encoding: ${coding}\r\n\r\nf\r\n{"quantity":99}\r\n0\r\n\r\n`);
        const answers = await socket.untilClosed();
        assert.deepEqual(
          answers.map(({ status }) => status),
          [400],
          coding,
        );
        socket.destroy();
      }
    });

    await t.test('OPTIONS * is about the server', () => optionsOfServer(service, runtime));

    await t.test('the port of a forwarded address is passed over', async () => {
      const hops = (port: number) => [
        ['5.5.5.5', `5.5.5.5:${port}`],
        ['[2001:db8::1]:443', `2001:db8::2`, `[2001:db8::3]:${port}`, '[2001:db8::4]'],
      ];
      const readAll = async (addresses: readonly string[]) => {
        const read: { readonly remaining: number; readonly reset: string | undefined }[] = [];
        for (const address of addresses) {
          const headers = { 'X-Forwarded-For': `9.9.9.9, ${address}` };
          const { status, headers: received } = await request(service, { path: '/v1/inventory', headers });
          assert.equal(status, 401);
          const remaining = Number(received.get('x-ratelimit-remaining'));
          read.push({ remaining, reset: received.get('x-ratelimit-reset') });
        }
        return read;
      };
      for (const [group, addresses] of hops(1111).entries()) {
        let read = await readAll(addresses);
        // The minute of the limit may end between two of them, and the next one counts from its beginning.
        while (read.some(({ reset }) => reset !== read[0]?.reset)) read = await readAll(addresses);
        const [{ remaining: first } = { remaining: 0 }] = read;
        assert.ok(first < 50);
        assert.deepEqual(
          read.map(({ remaining }) => remaining),
          addresses.map((_, i) => first - i),
          `group ${group}`,
        );
      }
      for (const address of ['5.5.5.5:', '5.5.5.5:x', '[5.5.5.5', '5.5.5.5]:1', '5.5.5.5:123456']) {
        const headers = { 'X-Forwarded-For': address };
        const { headers: received } = await request(service, { path: '/healthz', headers });
        assert.equal(received.get('x-ratelimit-remaining'), '50', `${address} is the proxy's own count`);
      }
    });
  });
}

async function optionsOfServer(service: { port: number }, runtime: Runtime): Promise<void> {
  const socket = await RawSocket.open(service.port);
  try {
    const bytes = 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n';
    socket.send(`${bytes}\r\n`);
    const first = await socket.next();
    // `Bun.serve` refuses the target itself, before the service sees it.
    if (runtime === 'bun') return assert.equal(first?.status, 400);
    assert.deepEqual(
      [first?.status, first?.headers.get('allow'), first?.headers.has('x-ratelimit-limit')],
      [204, 'HEAD, GET, PATCH, POST, PUT, DELETE, OPTIONS', true],
    );
    socket.send(`${bytes}Connection: close\r\n\r\n`);
    assert.deepEqual(
      (await socket.untilClosed()).map(({ status }) => status),
      [204],
      'the connection continues',
    );
  } finally {
    socket.destroy();
  }
}

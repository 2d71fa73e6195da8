import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKey } from '../../src/cli/keys/new-key.ts';
import { RawSocket } from '../blackbox/raw-socket.ts';
import { type Service, startService } from '../blackbox/service.ts';
import { RUNTIMES } from '../blackbox/service-process.ts';
import { findProgram } from '../postgres/faults/load-balancer.ts';
import { SHIPPED_PROXIES, startShippedProxy } from './shipped-proxy.ts';

/** Ways to write the path of the metrics, for the service, a proxy, or both. */
const SPELLINGS = [
  '/metrics',
  '/metrics?x=1',
  '/metrics#x',
  '/metrics;x',
  '/metrics/',
  '/metrics%00',
  '/metrics%20',
  '/METRICS',
  '/%6detrics',
  '/%6D%65%74%72%69%63%73',
  '/%256detrics',
  '//metrics',
  '/%2fmetrics',
  '/./metrics',
  '/.//metrics',
  '/%2e/metrics',
  '/%2E/metrics',
  '/v1/../metrics',
  '/v1/../%6detrics',
  '/v1/%2e%2e/metrics',
  '/v1/.%2E/metrics',
  '/v1//../../metrics',
  '/v1/..;/metrics',
  '/v1/..%2fmetrics',
  '/v1/..\\metrics',
  '/v1/..%5cmetrics',
  '/v1\\..\\metrics',
  '/x\\..\\metrics',
  '/\\metrics',
  '\\metrics',
  '/../metrics',
  '/metrics/.',
  '/metrics/x/..',
  '/a/b/c/d/e/f/g/h/i/../../../../../../../../../metrics',
  'http://localhost/metrics',
  'http://localhost/%6detrics',
  'http://localhost/v1/../metrics',
  'http://localhost/v1/..\\metrics',
  'http://localhost//metrics',
  'http://localhost/v1/../metrics?/v1/',
];
/** Answered through the proxy as by the service itself. */
const SERVED = [
  '/healthz',
  '/docs',
  '/openapi.json',
  '/v1/inventory',
  '/v1/%69nventory',
  'http://localhost/v1/inventory',
  '/v1/inventory?petId=1&%2e%2e/..%5c=\\',
];

async function get(
  port: number,
  target: string,
  key?: string,
  method = 'GET',
): Promise<{ status: number; text: string }> {
  const socket = await RawSocket.open(port);
  try {
    const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
    socket.send(
      `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${authorization}Connection: close\r\n\r\n`,
    );
    const answer = await socket.next();
    return { status: answer?.status ?? 0, text: answer?.body.toString() ?? '' };
  } finally {
    socket.destroy();
  }
}

/** The limits of bodies: of most operations, of those with lists, and of a batch. */
const BODY_BYTES = [16 * 1024, 64 * 1024, 1024 * 1024, 2 * 1024 * 1024];
const MAX_IMPORT_BYTES = 3 * 1024 * 1024;

interface Sent {
  readonly status: number;
  readonly code: string | undefined;
  readonly type: string | null;
}

interface BodyRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

async function send(
  port: number,
  { method, path, key }: BodyRequest,
  body: Buffer,
  type: string,
): Promise<Sent> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': type },
    body: new Uint8Array(body),
  });
  const text = await answer.text();
  const isError = answer.status >= 400;
  const code = isError ? (JSON.parse(text) as { code: string }).code : undefined;
  return { status: answer.status, code, type: answer.headers.get('Content-Type') };
}

/** A request for each operation of a document that takes JSON. */
async function bodyRequests(
  port: number,
  document: string,
  base: string,
  key: string,
): Promise<BodyRequest[]> {
  const { paths } = (await (await fetch(`http://127.0.0.1:${port}${document}`)).json()) as {
    paths: Record<string, Record<string, { requestBody?: { content: object } }>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { requestBody }]) => requestBody !== undefined && 'application/json' in requestBody.content)
      .map(([method]) => ({
        method: method.toUpperCase(),
        path: `${base}${path.replaceAll(/\{\w+\}/g, '999999')}`,
        key,
      })),
  );
}

function spaced(bytes: number): Buffer {
  return Buffer.from(`{${' '.repeat(bytes - 2)}}`);
}

test('shipped proxies let pass the largest body of each operation, and refuse larger ones as the service does', async (t) => {
  const env = { PETSTORE_TRUSTED_PROXIES: '127.0.0.1', PETSTORE_MAX_IMPORT_BYTES: String(MAX_IMPORT_BYTES) };
  const service = await startService(t, { env, pets: [{ petId: 1n, quantity: 2 }] });
  const makeKey = () =>
    service.withAdmin(async (admin, config) => {
      const fields = { role: 'administrator', name: 'a', scopes: null, expiresAtMs: null } as const;
      return (await createKey(config, admin, fields)).secret;
    });
  const file = (bytes: number) => Buffer.from('petId,quantity\n1,2\n'.padEnd(bytes, '\n'));
  for (const proxy of SHIPPED_PROXIES) {
    const path = findProgram(proxy.program);
    const missing = `${proxy.program} is not installed`;
    await t.test(proxy.file, { skip: path === undefined && missing }, async (inner) => {
      const { port } = await startShippedProxy(inner, proxy, path ?? '', service.port);
      // A key has 60 costly requests per minute.
      const adminKey = await makeKey();
      const requests = [
        ...(await bodyRequests(service.port, '/openapi.json', '/v1', service.key)),
        ...(await bodyRequests(service.port, '/admin/openapi.json', '/admin/v1', adminKey)),
      ].filter((request) => request.path !== '/admin/v1/imports');
      assert.ok(requests.length > 20);
      const upload = { method: 'POST', path: '/admin/v1/imports', key: adminKey };
      for (const request of requests) {
        const name = `${request.method} ${request.path}`;
        for (const bytes of BODY_BYTES) {
          const body = spaced(bytes);
          const direct = await send(service.port, request, body, 'application/json');
          assert.deepEqual(
            await send(port, request, body, 'application/json'),
            direct,
            `${name}, ${bytes} bytes`,
          );
        }
      }
      const batch = { method: 'POST', path: '/v1/inventory/batch', key: service.key };
      const tooLarge = { status: 413, code: 'body_too_large', type: 'application/json' };
      assert.deepEqual(await send(port, batch, spaced(2 * 1024 * 1024 + 1), 'application/json'), tooLarge);
      assert.equal((await send(port, upload, file(MAX_IMPORT_BYTES), 'text/csv')).status, 202);
      assert.deepEqual(await send(port, upload, file(MAX_IMPORT_BYTES + 1), 'text/csv'), tooLarge);
    });
  }
});

/** What a proxy refuses itself, and the type of its response. */
const OWN_REFUSALS = {
  haproxy: [
    { request: 'no HTTP\r\n\r\n', status: 400, type: 'text/html' },
    { request: rawGet('Transfer-Encoding: gzip, chunked\r\n'), status: 422, type: 'text/html' },
  ],
  nginx: [
    { request: 'no HTTP\r\n\r\n', status: 400, type: 'application/json' },
    { request: rawGet('Transfer-Encoding: gzip, chunked\r\n'), status: 400, type: 'application/json' },
    {
      request: rawGet('If-None-Match: "a"\r\nIf-None-Match: "b"\r\n'),
      status: 400,
      type: 'application/json',
    },
  ],
} as const;

function rawGet(lines: string): string {
  return `GET /v1/inventory HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n`;
}

/** Lengths of a query from what every proxy passes by default up to nearly the 16 KiB that the service takes. */
const QUERY_CHARACTERS = [3_000, 5_000, 9_000, 15_000];

test('shipped proxies pass queries and headers as long as the service takes, and their own errors have its form', async (t) => {
  const env = { PETSTORE_TRUSTED_PROXIES: '127.0.0.1' };
  const first = 9_000_000_000_000_000n;
  const pets = [0n, 1n].map((i) => ({ petId: first + i, quantity: 2 }));
  const service = await startService(t, { env, pets });
  for (const proxy of SHIPPED_PROXIES) {
    const path = findProgram(proxy.program);
    const missing = `${proxy.program} is not installed`;
    await t.test(proxy.file, { skip: path === undefined && missing }, async (inner) => {
      const { port } = await startShippedProxy(inner, proxy, path ?? '', service.port);
      for (const characters of QUERY_CHARACTERS) {
        const ids = Array.from({ length: Math.floor(characters / 17) }, (_, i) => first + BigInt(i));
        const answer = await get(port, `/v1/inventory?limit=1&petId=${ids.join()}`, service.key);
        assert.equal(answer.status, 200, `${characters} characters: ${answer.text}`);
      }
      for (const characters of [17_000, 28_000]) {
        const answer = await get(port, `/v1/inventory?petId=${'1'.repeat(characters)}`, service.key);
        assert.equal(answer.status, 431);
        const { code, status } = JSON.parse(answer.text) as { code: string; status: number };
        assert.deepEqual({ code, status }, { code: 'headers_too_large', status: 431 });
      }
      const trace = await get(port, '/v1/inventory', service.key, 'TRACE');
      assert.equal(trace.status, 405);
      assert.equal((JSON.parse(trace.text) as { status: number }).status, 405);
      for (const { request, ...expected } of OWN_REFUSALS[proxy.program]) {
        const socket = await RawSocket.open(port);
        socket.send(request);
        const [refusal] = await socket.untilClosed();
        const type = refusal?.headers.get('content-type');
        assert.deepEqual({ status: refusal?.status, type }, expected, request);
      }
    });
  }
});

for (const runtime of RUNTIMES) {
  test(`shipped proxies show no metrics of a service on ${runtime}, for any spelling of the path`, async (t) => {
    const env = { PETSTORE_TRUSTED_PROXIES: '127.0.0.1' };
    const service = await startService(t, { runtime, env, pets: [{ petId: 1n, quantity: 2 }] });
    assert.match((await get(service.port, '/metrics')).text, /petstore_requests_total/);
    for (const proxy of SHIPPED_PROXIES) {
      const { program, file } = proxy;
      const path = findProgram(program);
      const missing = `${program} is not installed: only the text of deploy/${file} is checked`;
      await t.test(file, { skip: path === undefined && missing }, async (inner) => {
        const { port } = await startShippedProxy(inner, proxy, path ?? '', service.port);
        await assertHidden(port, service);
        await assertServed(port, service);
      });
    }
  });
}

async function assertHidden(port: number, service: Service): Promise<void> {
  for (const target of SPELLINGS) {
    for (const key of [undefined, service.key]) {
      const { status, text } = await get(port, target, key);
      assert.ok(status === 0 || (status >= 400 && status < 500), `${target} -> ${status}`);
      assert.doesNotMatch(text, /petstore_/, target);
    }
  }
  const refused = await get(port, '/v1/%2e%2e/metrics');
  assert.deepEqual(JSON.parse(refused.text), {
    code: 'malformed_request',
    message: 'Send a path without dot segments and backslashes.',
    status: 400,
  });
}

async function assertServed(port: number, service: Service): Promise<void> {
  for (const target of SERVED) {
    const direct = await get(service.port, target, service.key);
    assert.deepEqual(await get(port, target, service.key), direct, target);
    assert.equal(direct.status, target.includes('=') ? 400 : 200, target);
  }
}

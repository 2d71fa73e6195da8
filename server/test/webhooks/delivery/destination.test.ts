import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { parseNetworks } from '../../../src/webhooks/delivery/addresses.ts';
import { createResolve, Destinations } from '../../../src/webhooks/delivery/destination.ts';
import { parseEndpointUrl } from '../../../src/webhooks/delivery/endpoint-url.ts';
import { type DeliveryOutcome, HttpDelivery } from '../../../src/webhooks/delivery/http-delivery.ts';
import { startNameServer, type Zone } from './name-server.ts';

const PEM = readFileSync(new URL('../../fixtures/hooks.example.pem', import.meta.url), 'utf8');
/** The only address of this machine that the operator of these tests allows. */
const NETWORKS = parseNetworks(['127.0.0.2']);

interface Tls {
  readonly port: number;
  /** The host names that clients named in their handshakes, and in their requests. */
  readonly seen: string[];
}

/** Starts a receiver for `hooks.example` on an address of this machine. */
async function startTls(t: TestContext, address: string, port = 0): Promise<Tls> {
  const seen: string[] = [];
  const server = createServer({ key: PEM, cert: PEM }, (request, response) => {
    seen.push(`${(request.socket as { servername?: string }).servername} ${request.headers.host}`);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

interface Setting {
  /** Delivers once to a URL. */
  readonly deliver: (text: string) => Promise<DeliveryOutcome>;
  readonly queries: readonly string[];
  readonly clock: { nowMs: number };
}

async function newSetting(
  t: TestContext,
  zone: Zone,
  { ca = PEM, nameTimeoutMs }: { ca?: string; nameTimeoutMs?: number } = {},
): Promise<Setting> {
  const { resolver, queries } = await startNameServer(t, zone, nameTimeoutMs);
  const clock = { nowMs: 0 };
  const destinations = new Destinations(NETWORKS, createResolve(resolver), () => clock.nowMs);
  const delivery = new HttpDelivery({ destinations, ca });
  t.after(() => delivery.close());
  const deliver = (text: string) => {
    const url = parseEndpointUrl(text, NETWORKS);
    assert.ok(typeof url === 'object', String(url));
    return delivery.deliver({ url, headers: [], body: '{}', failures: 0, signals: [] });
  };
  return { deliver, queries, clock };
}

test('TLS names and verifies the host, although the connection is made to its address', async (t) => {
  const { port, seen } = await startTls(t, '127.0.0.2');
  const { deliver } = await newSetting(t, () => ['127.0.0.2']);
  assert.equal((await deliver(`https://hooks.example:${port}/`)).result, 'delivered');
  assert.deepEqual(seen, [`hooks.example hooks.example:${port}`]);
  const other = await deliver(`https://other.example:${port}/`);
  assert.equal(other.error, 'The TLS connection failed (ERR_TLS_CERT_ALTNAME_INVALID).');
  assert.equal((await deliver(`https://127.0.0.2:${port}/`)).result, 'delivered');
});

test('a certificate of an unknown authority is refused, whatever the environment says', async (t) => {
  const { port, seen } = await startTls(t, '127.0.0.2');
  const { deliver } = await newSetting(t, () => ['127.0.0.2'], { ca: '' });
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  t.after(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  });
  const { error } = await deliver(`https://hooks.example:${port}/`);
  assert.match(error ?? '', /^The TLS connection failed \(\w*SELF_SIGNED\w*\)\.$/);
  assert.deepEqual(seen, []);
});

test('a name that turns to a private address after its check is not followed (DNS rebinding)', async (t) => {
  const allowed = await startTls(t, '127.0.0.2');
  const inner = await startTls(t, '127.0.0.3', allowed.port);
  let isTurned = false;
  let count = 0;
  // Each pair of queries (A and AAAA) after the first one finds the private address.
  const { deliver, queries, clock } = await newSetting(t, () => {
    count += 1;
    return [isTurned || count > 2 ? '127.0.0.3' : '127.0.0.2'];
  });
  const url = `https://hooks.example:${allowed.port}/`;
  assert.equal((await deliver(url)).result, 'delivered');
  assert.equal(queries.length, 2, 'one look-up, and the connection needs no other');
  isTurned = true;
  clock.nowMs += 60_000;
  const { result, error } = await deliver(url);
  assert.deepEqual([result, error], ['refused', 'The name hooks.example has an address that is not public.']);
  assert.equal(allowed.seen.length, 1);
  assert.deepEqual(inner.seen, []);
});

test('one private address among many refuses the name', async (t) => {
  const { port, seen } = await startTls(t, '127.0.0.2');
  for (const hidden of [
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '64:ff9b::a00:1',
  ]) {
    const { deliver } = await newSetting(t, () => ['127.0.0.2', hidden]);
    const { result, error } = await deliver(`https://hooks.example:${port}/`);
    assert.equal(result, 'refused', hidden);
    assert.equal(error, 'The name hooks.example has an address that is not public.');
  }
  assert.deepEqual(seen, []);
});

test('an alias of a name without addresses fails with a sentence', async (t) => {
  const { deliver } = await newSetting(t, () => ['localhost']);
  const { result, error } = await deliver('https://alias.example/');
  assert.deepEqual([result, error], ['network', 'The name alias.example has no addresses.']);
});

test('names of the own host are never looked up, and unknown names are failures', async (t) => {
  const { deliver, queries } = await newSetting(t, (name) => (name === 'dead.example' ? undefined : []), {
    nameTimeoutMs: 200,
  });
  assert.match(
    (await deliver('https://missing.example/')).error ?? '',
    /^The name missing\.example does not resolve/,
  );
  assert.match(
    (await deliver('https://dead.example/')).error ?? '',
    /^The name dead\.example does not resolve/,
  );
  assert.ok(typeof parseEndpointUrl('https://localhost/', NETWORKS) === 'string');
  assert.deepEqual([...new Set(queries)].toSorted(), ['dead.example', 'missing.example']);
});

test('http to a public address is refused, also by name', async (t) => {
  const { deliver } = await newSetting(t, () => ['93.184.216.34']);
  const { result, error } = await deliver('http://public.example/');
  assert.deepEqual(
    [result, error],
    ['refused', 'The URL must begin with https, because 93.184.216.34 is public.'],
  );
});

test('each attempt after a failure uses the next address of a name, and each of the own host an allowed one', async () => {
  const find = async (text: string, addresses: readonly string[], networks: readonly string[]) => {
    const allowed = parseNetworks(networks);
    const resolve = async () => (addresses.length > 0 ? addresses : assert.fail('looked up'));
    const destinations = new Destinations(allowed, resolve, () => 0);
    const url = parseEndpointUrl(text, allowed);
    assert.ok(typeof url === 'object', String(url));
    return Promise.all([0, 1, 2].map((failures) => destinations.find(url, failures)));
  };
  const both = ['93.184.216.34', '2606:4700::1111'];
  assert.deepEqual(await find('https://hooks.example/', both, []), [...both, both[0]]);
  assert.deepEqual(await find('http://localhost/', [], ['::1']), ['::1', '::1', '::1']);
  assert.deepEqual(await find('http://shop.localhost/', [], ['127.0.0.1']), Array(3).fill('127.0.0.1'));
});

test('the addresses of a few thousand names are kept at most', async () => {
  let lookups = 0;
  const resolve = async () => {
    lookups += 1;
    return ['93.184.216.34'];
  };
  const destinations = new Destinations([], resolve, () => 0);
  const find = (host: string) => {
    const url = parseEndpointUrl(`https://${host}/`, []);
    assert.ok(typeof url === 'object');
    return destinations.find(url, 0);
  };
  for (let i = 0; i <= 4_096; i += 1) await find(`hooks${i}.example`);
  await find('hooks4096.example');
  assert.equal(lookups, 4_097);
  await find('hooks0.example');
  assert.equal(lookups, 4_098);
});

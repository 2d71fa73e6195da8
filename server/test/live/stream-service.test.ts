import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { request, setQuantity } from '../blackbox/api-request.ts';
import { get, KEY_PLACEHOLDER } from '../blackbox/edge-request.ts';
import { RawSocket } from '../blackbox/raw-socket.ts';
import type { Service } from '../blackbox/service.ts';
import { StreamClient } from '../blackbox/stream-client.ts';
import { INSTANCES_ON_POSTGRES, ON_SQLITE } from '../blackbox/targets.ts';
import { isSkippedDaily } from '../support/long-test.ts';

/** Shorter than a heartbeat takes; a stream must outlive them. */
const SHORT_TIMEOUTS = {
  PETSTORE_HEADERS_TIMEOUT: '1',
  PETSTORE_REQUEST_TIMEOUT: '1',
  PETSTORE_KEEP_ALIVE_TIMEOUT: '1',
  PETSTORE_DRAIN_TIMEOUT: '60',
};
/** More than the buffers of a connection hold. */
const MANY_PETS = 30_000;
const REVOKED_TIMEOUT_MS = 5_000;
/** A bound that a stop which waits for a time-out does not keep. */
const STOPPED_TIMEOUT_MS = 15_000;
const pets = [{ petId: 1n, quantity: 0 }];

/** Connects a reader to each process of a service. */
async function readEverywhere(
  t: Pick<TestContext, 'after'>,
  { ports, key }: Pick<Service, 'ports' | 'key'>,
): Promise<StreamClient[]> {
  const clients = ports.map(() => new StreamClient(key));
  t.after(() => {
    for (const client of clients) client.drop();
  });
  for (const [i, port] of ports.entries()) assert.equal(await clients[i]?.connect(port), 200);
  return clients;
}

async function openReaders(port: number): Promise<number> {
  const { body } = await request({ port }, { path: '/metrics' });
  return Number(/^petstore_live_readers (\d+)$/m.exec(body.toString())?.[1]);
}

/** Changes the stock often enough that the events exceed every socket buffer. */
async function importMany({ cli, databaseDir }: Service): Promise<void> {
  const file = join(databaseDir, 'many.csv');
  const rows = Array.from({ length: MANY_PETS }, (_, i) => `${i + 1_000},5`);
  await writeFile(file, `petId,quantity\n${rows.join('\n')}\n`);
  await cli('pets', 'import', file);
}

async function everyChangeReachesAll(t: TestContext, service: Service): Promise<void> {
  const { ports, key } = service;
  const clients = await readEverywhere(t, service);
  for (const [i, port] of ports.entries()) {
    assert.equal((await setQuantity({ port, key }, 1, i + 1)).status, 200);
  }
  for (const client of clients) {
    await client.until('all changes', () => client.movements.length === ports.length);
    assert.deepEqual(
      client.movements.map(({ data }) => (JSON.parse(data) as { quantityAfter: number }).quantityAfter),
      ports.map((_, i) => i + 1),
    );
    client.drop();
  }
  for (const port of ports) {
    const deadline = Date.now() + 60_000;
    while ((await openReaders(port)) > 0)
      assert.ok(Date.now() < deadline, 'disconnected readers are removed');
  }
}

async function revokedKeyEndsItsStreams(t: TestContext, service: Service): Promise<void> {
  const { id, key } = await service.cli('keys', 'create', '--account', service.account);
  const others = await readEverywhere(t, service);
  const clients = await readEverywhere(t, { ports: service.ports, key: String(key) });
  await service.cli('keys', 'revoke', '--yes', String(id));
  const revokedAtMs = Date.now();
  for (const client of clients) {
    await client.until('the end', () => client.errors.length > 0 && !client.isConnected);
    assert.partialDeepStrictEqual(client.errors, [{ code: 'revoked_api_key', status: 401 }]);
    assert.equal(client.errors.length, 1);
  }
  assert.ok(Date.now() - revokedAtMs < REVOKED_TIMEOUT_MS);
  assert.ok(others.every((client) => client.isConnected));
}

async function streamsOutliveTimeouts(t: TestContext, service: Service): Promise<void> {
  const clients = await readEverywhere(t, service);
  const other = await RawSocket.open(service.ports[0] as number);
  other.send(get('', '/v1/rate-limit').replaceAll(KEY_PLACEHOLDER, service.key));
  assert.equal((await other.next())?.status, 200);
  await other.untilClosed(30_000);
  other.destroy();
  assert.equal((await setQuantity(service, 1, 77)).status, 200);
  for (const client of clients) await client.until('the change', () => client.movements.length === 1);
}

async function stopsWithOpenStreams(t: TestContext, service: Service): Promise<void> {
  const clients = await readEverywhere(t, service);
  const stalled = await readEverywhere(t, service);
  for (const client of stalled) client.pause();
  await importMany(service);
  for (const client of clients) {
    await client.until('all changes', () => client.movements.length === MANY_PETS, 60_000);
  }
  const stoppingAtMs = Date.now();
  const stopped = service.stop();
  for (const client of clients) {
    await client.until('the end', () => !client.isConnected);
    assert.equal(client.errors.at(-1)?.code, 'service_unavailable');
    assert.match(client.errors.at(-1)?.message ?? '', /Last-Event-ID/);
  }
  assert.equal(await stopped, 0);
  t.diagnostic(`stopped within ${Date.now() - stoppingAtMs} ms`);
  assert.ok(Date.now() - stoppingAtMs < STOPPED_TIMEOUT_MS);
  for (const client of stalled) {
    client.resume();
    await client.until('the end', () => !client.isConnected);
    assert.ok(client.movements.length < MANY_PETS, 'it was behind');
  }
}

describe('streams', { concurrency: true }, () => {
  for (const target of [...ON_SQLITE, INSTANCES_ON_POSTGRES]) {
    test(`on ${target.name}, streams keep their promises`, async (t) => {
      if (!target.name.startsWith('node') && isSkippedDaily(t)) return;
      const service = await target.start(t, { env: SHORT_TIMEOUTS, pets });
      await t.test(
        'commits of any process reach the readers of each, and disconnected readers are removed',
        (t) => everyChangeReachesAll(t, service),
      );
      await t.test('a revoked key ends its streams within 5 seconds, and no others', (t) =>
        revokedKeyEndsItsStreams(t, service),
      );
      await t.test('streams outlive the time-outs of other answers', (t) =>
        streamsOutliveTimeouts(t, service),
      );
      await t.test(
        'a stop ends every stream immediately, and does not wait for a client that does not read',
        (t) => stopsWithOpenStreams(t, service),
      );
    });
  }
});

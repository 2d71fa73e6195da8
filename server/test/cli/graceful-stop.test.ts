import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { listedQuantities, request, setQuantity } from '../blackbox/api-request.ts';
import { type RawResponse, RawSocket } from '../blackbox/raw-socket.ts';
import { type Service, startService } from '../blackbox/service.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const DEADLINE_MS = 60_000;
const BODY = '{"quantity":4321}';

function listHead({ key }: Service): string {
  return `GET /v1/inventory HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

/** All of a PATCH but the last bytes of its body. */
function incompletePatch({ key }: Service): { start: string; rest: string } {
  const head = `PATCH /v1/inventory/1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`;
  const start = `${head}Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, 5)}`;
  return { start, rest: BODY.slice(5) };
}

/** Sends the list request and waits for its answer, so that the connection is known to be served. */
async function listOn(socket: RawSocket, service: Service): Promise<RawResponse> {
  socket.send(listHead(service));
  const answer = await socket.next();
  assert.ok(answer);
  assert.equal(answer.status, 200);
  return answer;
}

async function untilLogged(service: Service, message: string): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!service.logs().includes(`"msg":"${message}"`)) {
    assert.ok(Date.now() < deadline, `the service logs ${message}`);
    await delay(10);
  }
}

/** Waits until the service has started to answer a request with an incomplete body. */
async function untilBodyIsAwaited(socket: RawSocket, service: Service): Promise<void> {
  // The connection was accepted before this one, and its bytes were sent before: they are read first.
  const other = await RawSocket.open(service.port);
  await listOn(other, service);
  other.destroy();
  assert.equal(socket.isClosed, false);
}

test('a stop answers running requests, sends Connection: close to new ones, and loses no data', async (t) => {
  const databaseDir = temporaryFolder(t);
  const env = { PETSTORE_DRAIN_DELAY: '1' };
  const pets = [{ petId: 1n, quantity: 1 }];
  const service = await startService(t, { databaseDir, env, pets });
  const idle = await RawSocket.open(service.port);
  assert.notEqual((await listOn(idle, service)).headers.get('connection'), 'close');
  const uploading = await RawSocket.open(service.port);
  const { start, rest } = incompletePatch(service);
  uploading.send(start);
  await untilBodyIsAwaited(uploading, service);
  assert.equal((await request(service, { path: '/readyz' })).status, 200);

  const stopped = service.stop();
  await untilLogged(service, 'stopping');
  const notReady = await request(service, { path: '/readyz' });
  assert.equal(notReady.status, 503);
  assert.equal(notReady.headers.get('connection'), 'close');
  assert.equal((await request(service, { path: '/healthz' })).status, 200);
  const whileDraining = await listOn(idle, service);
  assert.equal(whileDraining.headers.get('connection'), 'close');
  assert.deepEqual(await idle.untilClosed(), [], 'the connection is closed after that answer');

  uploading.send(rest);
  const updated = await uploading.next();
  assert.equal(updated?.status, 200);
  assert.equal(updated?.headers.get('connection'), 'close');
  assert.equal(await stopped, 0);
  await assert.rejects(RawSocket.open(service.port), { code: 'ECONNREFUSED' });

  const again = await startService(t, { databaseDir, key: service.key });
  assert.deepEqual([...(await listedQuantities(again))], [['1', '4321']]);
});

for (const signals of [
  ['SIGTERM', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
  ['SIGINT', 'SIGTERM'],
] as const) {
  test(`a second signal ends the service immediately: ${signals.join(', ')}`, async (t) => {
    const service = await startService(t, { env: { PETSTORE_DRAIN_DELAY: '300' } });
    process.kill(service.pid, signals[0]);
    await untilLogged(service, 'stopping');
    assert.equal(await service.stop(signals[1]), null, 'the signal itself ends it');
  });
}

test('a signal immediately after the service reports its address causes a graceful stop', async (t) => {
  if (isSkippedDaily(t)) return;
  const databaseDir = temporaryFolder(t);
  const first = await startService(t, { databaseDir });
  assert.equal(await first.stop(), 0);
  const second = await startService(t, { databaseDir, key: first.key });
  assert.equal(await second.stop(), 0);
});

/** A connection whose other end reads nothing until the test starts it. */
async function slowReader(service: Service): Promise<{ socket: Socket; readAll: () => Promise<number> }> {
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  socket.pause();
  await once(socket, 'connect');
  socket.write(listHead(service));
  await once(socket, 'readable');
  const readAll = async () => {
    let byteLength = 0;
    for await (const bytes of socket) byteLength += (bytes as Buffer).length;
    return byteLength;
  };
  return { socket, readAll };
}

test('a client that reads a large list slowly gets all of it from a service that stops', async (t) => {
  if (isSkippedDaily(t)) return;
  const pets = Array.from({ length: 60_000 }, (_, i) => ({
    petId: 9_000_000_000_000_000_000n + BigInt(i),
    quantity: Number.MAX_SAFE_INTEGER,
  }));
  const service = await startService(t, { pets });
  const { body, headers } = await request(service, { path: '/v1/inventory', key: service.key });
  // Bun sends a stream of several pieces in chunks.
  if (!process.versions.bun) assert.equal(body.length, Number(headers.get('content-length')));
  const { readAll } = await slowReader(service);
  const stopped = service.stop();
  await untilLogged(service, 'stopping');
  assert.ok(service.isAlive());
  const byteLength = await readAll();
  assert.ok(byteLength > body.length, `${byteLength} bytes with the head, of ${body.length}`);
  assert.equal(await stopped, 0);
});

test('connections that never finish do not keep the process beyond the deadline', async (t) => {
  if (isSkippedDaily(t)) return;
  const env = {
    PETSTORE_DRAIN_TIMEOUT: '1',
    PETSTORE_REQUEST_TIMEOUT: '300',
    PETSTORE_HEADERS_TIMEOUT: '300',
  };
  const service = await startService(t, { env, pets: [{ petId: 1n, quantity: 1 }] });
  const silent = await RawSocket.open(service.port);
  const halfHead = await RawSocket.open(service.port);
  halfHead.send(listHead(service).slice(0, -2));
  const uploading = await RawSocket.open(service.port);
  uploading.send(incompletePatch(service).start);
  await untilBodyIsAwaited(uploading, service);
  const startedAt = Date.now();
  assert.equal(await service.stop(), 0);
  t.diagnostic(`stopped in ${Date.now() - startedAt} ms`);
  for (const socket of [silent, halfHead, uploading]) socket.destroy();
});

test('changes that were accepted before a stop under load are all there afterwards', async (t) => {
  const databaseDir = temporaryFolder(t);
  const petIds = Array.from({ length: 8 }, (_, i) => BigInt(i + 1));
  const service = await startService(t, {
    databaseDir,
    pets: petIds.map((petId) => ({ petId, quantity: 0 })),
  });
  const acknowledged = new Map<string, string>();
  const writing = petIds.map(async (petId) => {
    for (let quantity = 1; ; quantity += 1) {
      const answer = await setQuantity(service, petId, quantity).catch(() => undefined);
      if (!answer) return;
      assert.equal(answer.status, 200);
      acknowledged.set(String(petId), String(quantity));
    }
  });
  const deadline = Date.now() + DEADLINE_MS;
  while (acknowledged.size < petIds.length && Date.now() < deadline) await delay(10);
  assert.equal(await service.stop(), 0);
  await Promise.all(writing);
  const again = await startService(t, { databaseDir, key: service.key });
  assert.deepEqual(await listedQuantities(again), new Map([...acknowledged].toSorted()));
});

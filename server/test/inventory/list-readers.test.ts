import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { InventoryList, Store } from '../../src/domain/store.ts';
import { listInventory } from '../../src/http/inventory/list-inventory.ts';
import { ListReaders } from '../../src/http/inventory/list-readers.ts';
import { bindOperation, perform } from '../../src/http/request/bound-operation.ts';
import { RequestContext } from '../../src/http/request/request-context.ts';
import { ListCache } from '../../src/store/list/list-cache.ts';
import { listen } from '../listen/listening.ts';
import { startApp } from '../support/harness.ts';
import { until } from '../support/until.ts';
import { isSkippedDaily } from '../support/long-test.ts';

/** More than the buffers of two sockets hold. */
const CHUNKS = 2_000;
const CHUNK_BYTES = 10_000;
const LIST_BYTES = CHUNKS * CHUNK_BYTES;

/** A list whose chunks are all new. */
function newList(sequence: number): InventoryList {
  const cache = new ListCache();
  const json = (i: number) => Buffer.alloc(CHUNK_BYTES, `,${sequence}:${i}`);
  cache.replaceAll(
    Array.from({ length: CHUNKS }, (_, i) => ({ json: json(i), itemCount: 1, lastPetId: BigInt(i) })),
  );
  return cache.snapshot(`${sequence.toString(36)}-0`);
}

class Reader {
  isClosed = false;
  readonly #socket: Socket;

  constructor(t: TestContext, port: number) {
    this.#socket = connect({ port, host: '127.0.0.1' });
    t.after(() => this.#socket.destroy());
    this.#socket.pause();
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.isClosed = true;
    });
    this.#socket.write('GET /v1/inventory HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  }

  async begun(): Promise<this> {
    await once(this.#socket, 'readable');
    return this;
  }

  async readAll(): Promise<number> {
    let byteLength = 0;
    this.#socket.on('data', (bytes) => {
      byteLength += bytes.length;
    });
    this.#socket.resume();
    await until(() => this.isClosed, 'the connection ends');
    return byteLength;
  }
}

test('readers of the oldest lists are cut when those keep too much, and none is cut while they keep little', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t);
  const { windows } = await app.store.limitStatus(app.principal, app.clock.nowMs);
  const shown = { list: newList(1) };
  const store = { listInventory: () => shown.list } as unknown as Store;
  assert.ok(listInventory.client);
  const operation = bindOperation(listInventory.client, {
    store,
    baseUrl: 'http://localhost',
    readers: new ListReaders(0, 0),
  });
  const { port } = await listen(t, (request) => {
    const call = new RequestContext(request, app.clock.nowMs, { isDraining: false });
    call.principal = app.principal;
    call.windows = windows;
    return perform(operation, call, () => '');
  });
  const first = [await new Reader(t, port).begun(), await new Reader(t, port).begun()];
  const later: Reader[] = [];
  // Two older lists always have room.
  for (let sequence = 2; sequence <= 3; sequence += 1) {
    shown.list = newList(sequence);
    later.push(await new Reader(t, port).begun());
  }
  const another = await new Reader(t, port).begun();
  assert.ok(![...first, ...later].some(({ isClosed }) => isClosed));

  shown.list = newList(4);
  const newest = await new Reader(t, port).begun();
  for (const reader of first) {
    const byteLength = await reader.readAll();
    assert.ok(byteLength < LIST_BYTES, `${byteLength} bytes of a list that was cut`);
  }
  for (const reader of [...later, another, newest]) assert.ok((await reader.readAll()) > LIST_BYTES);
});

test('lists that differ in few parts share memory, for any number of them', () => {
  const cache = new ListCache();
  const row = (i: number) => ({ json: Buffer.alloc(CHUNK_BYTES), itemCount: 1, lastPetId: BigInt(i) });
  cache.replaceAll(Array.from({ length: 50 }, (_, i) => row(i)));
  const readers = new ListReaders(60 * CHUNK_BYTES, 0);
  const cut: number[] = [];
  // Every list has one new chunk.
  for (let sequence = 1; sequence <= 150; sequence += 1) {
    cache.markChanged(BigInt(sequence % 50));
    cache.replaceStale([[row(sequence % 50)]]);
    const remove = readers.add(cache.snapshot(`${sequence}`), () => {
      cut.push(sequence);
      remove();
    });
  }
  // The newest and a hundred others, each with one separate chunk.
  assert.deepEqual(
    cut,
    Array.from({ length: 49 }, (_, i) => i + 1),
  );
});

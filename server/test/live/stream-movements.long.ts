import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { request, setQuantity } from '../blackbox/api-request.ts';
import { type Service, startService } from '../blackbox/service.ts';
import { RUNTIMES } from '../blackbox/service-process.ts';
import { StreamClient } from '../blackbox/stream-client.ts';

const READERS = 1_000;
const CONNECTING_AT_ONCE = 50;
const SINGLE_CHANGES = 40;
const WRITERS = 8;
const WRITING_MS = 8_000;
const MAX_GROWTH_MB = 100;
const REACHED_TIMEOUT_MS = 1_000;
const MEGABYTE = 1024 * 1024;
const pets = [{ petId: 1n, quantity: 0 }];

/** Readers on separate connections that only record the last event, because they share the machine. */
class Crowd {
  readonly #sockets: Socket[] = [];
  readonly #last: number[] = [];
  #waiting: { sequence: number; missing: number; resolve: () => void } | undefined;

  async connect(port: number, key: string): Promise<void> {
    const head = `GET /v1/movements/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    while (this.#sockets.length < READERS) {
      const some = Array.from({ length: CONNECTING_AT_ONCE }, () => connect({ port, host: '127.0.0.1' }));
      await Promise.all(
        some.map(async (socket) => {
          const i = this.#sockets.push(socket) - 1;
          this.#last.push(-1);
          await once(socket, 'connect');
          socket.write(head);
          await new Promise<void>((resolve) => {
            socket.on('data', (bytes) => {
              this.#note(i, bytes.toString('latin1'));
              if ((this.#last[i] as number) >= 0) resolve();
            });
          });
        }),
      );
    }
  }

  /** Resolves when every reader has the movement of this sequence. */
  all(sequence: number): Promise<void> {
    const missing = this.#last.filter((last) => last < sequence).length;
    if (missing === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting = { sequence, missing, resolve };
    });
  }

  leave(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #note(i: number, text: string): void {
    const at = text.lastIndexOf('\nid: ');
    if (at < 0) return;
    const before = this.#last[i] as number;
    const now = Number.parseInt(text.slice(at + 5, at + 21), 10);
    this.#last[i] = now;
    const waiting = this.#waiting;
    if (!waiting || before >= waiting.sequence || now < waiting.sequence) return;
    waiting.missing -= 1;
    if (waiting.missing === 0) waiting.resolve();
  }
}

async function residentMegabytes({ port }: Service): Promise<number> {
  const { body } = await request({ port }, { path: '/metrics' });
  return Number(/^process_resident_memory_bytes (\d+)$/m.exec(body.toString())?.[1]) / MEGABYTE;
}

async function headOf({ port, key }: Service): Promise<number> {
  const { body } = await request({ port }, { path: '/v1/movements?limit=1&order=desc', key });
  return (JSON.parse(body.toString()) as [{ sequence: number }])[0].sequence;
}

/** Writes from several connections; returns how many changes were acknowledged. */
async function writeMeanwhile(service: Service, forMs: number): Promise<number> {
  const until = Date.now() + forMs;
  let count = 0;
  const write = async (number: number) => {
    for (let i = 0; Date.now() < until; i += 1) {
      assert.equal((await setQuantity(service, 1, number * 1_000_000 + i + 1_000)).status, 200);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, number) => write(number)));
  return count;
}

for (const runtime of RUNTIMES) {
  test(`on ${runtime}, ${READERS} live readers use at most 100 MB, and a change reaches all within a second`, async (t) => {
    const service = await startService(t, { runtime, pets });
    for (let quantity = 1; quantity <= 200; quantity += 1) await setQuantity(service, 1, quantity);
    const before = await residentMegabytes(service);
    const crowd = new Crowd();
    t.after(() => crowd.leave());
    await crowd.connect(service.port, service.key);
    const connected = await residentMegabytes(service);
    const tookMs: number[] = [];
    for (let i = 0; i < SINGLE_CHANGES; i += 1) {
      const sentAtMs = performance.now();
      await setQuantity(service, 1, 500 + i);
      await crowd.all(200 + 2 + i);
      tookMs.push(performance.now() - sentAtMs);
    }
    const single = await residentMegabytes(service);
    const written = await writeMeanwhile(service, WRITING_MS);
    const writtenAtMs = performance.now();
    await crowd.all(await headOf(service));
    const lagMs = performance.now() - writtenAtMs;
    const loaded = await residentMegabytes(service);
    tookMs.sort((a, b) => a - b);
    const [median, worst] = [tookMs[SINGLE_CHANGES / 2] as number, tookMs.at(-1) as number];
    t.diagnostic(
      `RSS ${before.toFixed(0)} MB; with ${READERS} readers ${connected.toFixed(0)}, after ${SINGLE_CHANGES} changes ${single.toFixed(0)}, under load ${loaded.toFixed(0)}; ` +
        `a change is with all after ${median.toFixed(0)} ms (median), ${worst.toFixed(0)} ms (worst); ` +
        `${written} changes in ${WRITING_MS / 1_000} s, the last with all ${lagMs.toFixed(0)} ms later`,
    );
    assert.ok(Math.max(connected, single, loaded) - before <= MAX_GROWTH_MB);
    assert.ok(worst <= REACHED_TIMEOUT_MS && lagMs <= REACHED_TIMEOUT_MS);
  });

  test(`on ${runtime}, a reader that reads nothing for 30 seconds is disconnected, and resumes from its last event`, async (t) => {
    const service = await startService(t, { runtime, pets });
    const slow = new StreamClient(service.key);
    t.after(() => slow.drop());
    await slow.connect(service.port);
    slow.pause();
    // More than the buffers of a connection hold.
    const changes = Array.from({ length: 1_000 }, (_, i) => ({
      petId: 1,
      delta: i % 2 === 0 ? 1 : -1,
      reason: 'correction',
      note: 'x'.repeat(500),
    }));
    for (let i = 0; i < 30; i += 1) await applyBatch(service, changes);
    const head = await headOf(service);
    const deadline = Date.now() + 60_000;
    while ((await openReaders(service)) > 0) assert.ok(Date.now() < deadline, 'it is cut');
    slow.resume();
    await slow.until('the end', () => !slow.isConnected);
    assert.match(slow.errors.at(-1)?.message ?? '', /took nothing for 30 seconds/);
    assert.ok(slow.movements.length > 0 && Number(slow.lastEventId) < head);
    await slow.connect(service.port);
    await slow.until('the rest', () => slow.lastEventId === String(head));
    assert.deepEqual(
      slow.movements.map(({ id }) => Number(id)),
      Array.from({ length: slow.movements.length }, (_, i) => i + 2),
    );
  });
}

async function applyBatch(service: Service, changes: readonly object[]): Promise<void> {
  const { status, body } = await request(service, {
    method: 'POST',
    path: '/v1/inventory/batch',
    key: service.key,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ changes }),
  });
  assert.equal(status, 200, body.toString().slice(0, 300));
}

async function openReaders({ port }: Service): Promise<number> {
  const { body } = await request({ port }, { path: '/metrics' });
  return Number(/^petstore_live_readers (\d+)$/m.exec(body.toString())?.[1]);
}

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { LOCK } from '../../src/store/postgres/statements.ts';
import { type Cluster, startCluster } from '../postgres/support/cluster.ts';
import { openSlowClients } from '../support/slow-clients.ts';
import { request } from './api-request.ts';
import { RawSocket } from './raw-socket.ts';
import { type Service, startService } from './service.ts';

const PETS = Array.from({ length: 20 }, (_, index) => ({ petId: BigInt(index + 1), quantity: 0 }));
/** Longer than a change may be expected to wait, and shorter than accepted changes may take. */
const HELD_MS = 2_300;
const INTERVAL_MS = 8;
/** The service has more threads and more work than the control, so it waits for a processor more often. */
const MACHINE_TIMES = 3;

interface Sent {
  readonly quantity: number;
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly ms: number;
}

async function change(service: Service, quantity: number): Promise<Sent> {
  const sentAtMs = performance.now();
  const { status, headers } = await request(service, {
    method: 'PATCH',
    path: `/v1/inventory/${1 + (quantity % PETS.length)}`,
    key: service.key,
    headers: { 'Content-Type': 'application/json' },
    body: `{"quantity":${quantity}}`,
  });
  const retryAfter = headers.get('retry-after');
  return { quantity, status, retryAfter, ms: performance.now() - sentAtMs };
}

/** Sends changes in an open loop, while they cannot be written. */
async function sendChanges(service: Service): Promise<Promise<Sent>[]> {
  const sent: Promise<Sent>[] = [];
  const startedAtMs = performance.now();
  while (performance.now() < startedAtMs + HELD_MS) {
    sent.push(change(service, sent.length + 1));
    await delay(INTERVAL_MS);
  }
  return sent;
}

/** How long a process without other work needs for a response: what the machine adds to each time. */
async function startControl(t: TestContext): Promise<() => Promise<number>> {
  const program = `require('node:http').createServer((request, response) => response.end())
.listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;
  const control = spawn(process.execPath, ['--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => control.kill('SIGKILL'));
  const [port] = (await once(control.stdout, 'data')) as [Buffer];
  return async () => {
    const sentAtMs = performance.now();
    const socket = await RawSocket.open(Number(port));
    socket.send('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await socket.next();
    socket.destroy();
    return performance.now() - sentAtMs;
  };
}

/** The times of health checks, and those of the control in between. */
async function probe(service: Service, control: () => Promise<number>, isOver: () => boolean) {
  const [health, machine]: [number[], number[]] = [[], []];
  while (!isOver()) {
    const sentAtMs = performance.now();
    assert.equal((await request(service, { path: '/healthz' })).status, 200);
    health.push(performance.now() - sentAtMs);
    machine.push(await control());
    await delay(20);
  }
  return { health, machine };
}

async function recordedQuantities(service: Service): Promise<number[]> {
  const quantities: number[] = [];
  for (let path: string | undefined = '/v1/movements?limit=100'; path !== undefined;) {
    const { body, headers } = await request(service, { path, key: service.key });
    for (const [, after] of body.toString().matchAll(/"quantityAfter":(\d+)/g))
      quantities.push(Number(after));
    path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]?.replace(/^https?:\/\/[^/]+/, '');
  }
  return quantities.filter((quantity) => quantity > 0).sort((a, b) => a - b);
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;
}

/** Changes that cannot be written: some wait, the rest is refused immediately, and nothing is lost or half done. */
async function overload(t: TestContext, service: Service, hold: () => Promise<() => Promise<void>>) {
  const slow = await openSlowClients(service.port);
  t.after(() => slow.forEach((socket) => socket.destroy()));
  assert.equal((await change(service, 1_000_000)).status, 200);
  const control = await startControl(t);
  let isOver = false;
  const release = await hold();
  const probes = probe(service, control, () => isOver);
  const sending = await sendChanges(service);
  await release();
  const sent = await Promise.all(sending);
  isOver = true;
  const { health, machine } = await probes;

  const accepted = sent.filter(({ status }) => status === 200);
  const refused = sent.filter(({ status }) => status === 503);
  const ms = (answers: readonly Sent[]) => answers.map((answer) => answer.ms);
  t.diagnostic(
    `${accepted.length} accepted, p99 ${quantile(ms(accepted), 0.99).toFixed(0)} ms; ${refused.length} refused, ` +
      `p99 ${quantile(ms(refused), 0.99).toFixed(0)} ms; health p99 ${quantile(health, 0.99).toFixed(0)} ms of ${health.length}; ` +
      `control p50 ${quantile(machine, 0.5).toFixed(0)} ms, p99 ${quantile(machine, 0.99).toFixed(0)} ms`,
  );
  assert.equal(accepted.length + refused.length, sent.length);
  assert.ok(accepted.length > 20 && refused.length > 20, `${accepted.length} and ${refused.length}`);
  const most = (share: number, limitMs: number) => limitMs + MACHINE_TIMES * quantile(machine, share);
  assert.ok(quantile(ms(accepted), 0.99) <= most(0.99, 2_500));
  // Each refusal has a connection of its own, and other tests may run: the median is the service.
  assert.ok(quantile(ms(refused), 0.5) <= most(0.5, 50));
  assert.ok(quantile(ms(refused), 0.99) <= most(0.99, 250));
  assert.ok(quantile(health, 0.99) <= most(0.99, 100));
  assert.ok(refused.every(({ retryAfter }) => retryAfter === '1'));
  const expected = [...accepted.map(({ quantity }) => quantity), 1_000_000].sort((a, b) => a - b);
  assert.deepEqual(await recordedQuantities(service), expected);
  // Reads continue, and changes too as soon as they can be written.
  assert.equal((await change(service, 1_000_001)).status, 200);
}

test('changes behind a lock of the SQLite file are refused when they would wait for too long', async (t) => {
  const service = await startService(t, { pets: PETS });
  await overload(t, service, async () => {
    const other = new DatabaseSync(join(service.databaseDir, 'petstore.db'));
    other.exec('BEGIN IMMEDIATE');
    return async () => {
      other.exec('ROLLBACK');
      other.close();
    };
  });
});

test('changes behind the ledger lock of PostgreSQL are refused when they would wait for too long', async (t) => {
  const cluster: Cluster = await startCluster(t, { pets: PETS, instances: 1 });
  await overload(t, cluster, async () => {
    const other = new pg.Client(cluster.databaseUrl);
    await other.connect();
    await other.query('BEGIN');
    await other.query(LOCK.ledger);
    return () => other.end();
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { startApp } from '../../server/test/support/harness.ts';
import { petRow } from '../../server/test/support/pet-rows.ts';
import { type Clock, PetstoreClient } from '../src/index.ts';
import { clientOf, fetchOf } from './support/client-of.ts';

const HOUR_MS = 3_600_000;
const pets = [petRow(7n, 40)];
const sale = { delta: -2, reason: 'sold' } as const;

type Step = (send: () => Promise<Response>) => Promise<Response>;

/** Time passes only in pauses, which are over immediately. */
function quickClock(): Clock & { nowMs: number } {
  const clock = {
    nowMs: 0,
    now: () => clock.nowMs,
    after: (ms: number, callback: () => void) => {
      // That is the limit of an attempt, and no attempt takes time.
      if (ms === 60_000) return () => {};
      const timer = setImmediate(() => {
        clock.nowMs += ms;
        callback();
      });
      return () => clearImmediate(timer);
    },
    random: () => 0.5,
  };
  return clock;
}

const lost: Step = async (send) => {
  await send();
  throw new TypeError('fetch failed', { cause: new Error('ECONNRESET') });
};
const page =
  (status: number, headers = {}): Step =>
  async () =>
    new Response('<h1>proxy</h1>', { status, headers });

/** A client whose writes meet these steps, then the service itself. */
async function clientWith(t: Parameters<typeof startApp>[0], steps: readonly Step[]) {
  const app = await startApp(t, { pets });
  const service = fetchOf(app);
  const seen = { writes: 0 };
  const fetch: typeof globalThis.fetch = (input, init) => {
    const send = () => service(input, init);
    if (init?.method !== 'POST') return send();
    const step = steps[seen.writes++];
    return step ? step(send) : send();
  };
  const clock = quickClock();
  const maxWaitMs = Number.POSITIVE_INFINITY;
  const quantity = async () => (await clientOf(app).getInventoryItem(7)).quantity;
  return { client: clientOf(app, { fetch, clock, maxWaitMs }), clock, seen, quantity };
}

test('a change that was made and then met a proxy may have changed something', async (t) => {
  for (const status of [404, 409, 410, 412]) {
    const { client, quantity } = await clientWith(t, [lost, page(status)]);
    await assert.rejects(client.adjustInventory(7, sale), {
      code: 'invalid_response',
      status,
      mayHaveChanged: true,
      idempotencyKey: /^[0-9a-f]{32}$/,
    });
    assert.equal(await quantity(), 38);
  }
});

test('a refusal that certainly changed nothing leaves only earlier attempts in doubt', async (t) => {
  const message = 'The disk of the database is full; nothing was changed.';
  const full: Step = async () =>
    Response.json({ code: 'service_unavailable', message, status: 503 }, { status: 503 });
  for (const [first, mayHaveChanged, left] of [
    [full, false, 40],
    [lost, true, 38],
  ] as const) {
    const { client, seen, quantity } = await clientWith(t, [first, full, full, full, full]);
    await assert.rejects(client.adjustInventory(7, sale), { message, mayHaveChanged });
    assert.deepEqual([seen.writes, await quantity()], [5, left]);
  }
});

test('a connection that was never made leaves only earlier attempts in doubt', async (t) => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' });
  const refused: Step = async () => {
    throw new TypeError('fetch failed', { cause });
  };
  for (const [first, mayHaveChanged, left] of [
    [refused, false, 40],
    [lost, true, 38],
  ] as const) {
    const { client, seen, quantity } = await clientWith(t, [first, refused, refused, refused, refused]);
    await assert.rejects(client.adjustInventory(7, sale), { code: 'connection_failed', mayHaveChanged });
    assert.deepEqual([seen.writes, await quantity()], [5, left]);
  }
});

test('an error without a cause, as of Bun, or with another code leaves a change in doubt', async (t) => {
  const ownCode = Object.assign(new Error('Unable to connect.'), { code: 'ECONNREFUSED' });
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  for (const error of [ownCode, new TypeError('fetch failed', { cause: reset })]) {
    const broken: Step = async (send) => {
      await send();
      throw error;
    };
    const { client, quantity } = await clientWith(t, [broken, broken, broken, broken, broken]);
    await assert.rejects(client.adjustInventory(7, sale), { mayHaveChanged: true });
    assert.equal(await quantity(), 38);
  }
});

test('a service that does not run has changed nothing, and the message has its address', async (t) => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, 'close');
  const app = await startApp(t, { pets });
  const client = new PetstoreClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: app.key, maxRetries: 0 });
  await assert.rejects(client.adjustInventory(7, sale), {
    code: 'connection_failed',
    message: /ECONNREFUSED/,
    mayHaveChanged: process.versions.bun !== undefined,
  });
});

test('the message names the first address of a name with several', async (t) => {
  const reasons = ['connect ECONNREFUSED ::1:9', 'connect ECONNREFUSED 127.0.0.1:9'].map(
    (text) => new Error(text),
  );
  const cause = Object.assign(new AggregateError(reasons), { code: 'ECONNREFUSED' });
  const { client } = await clientWith(t, [
    async () => {
      throw new TypeError('fetch failed', { cause });
    },
  ]);
  await assert.rejects(client.adjustInventory(7, sale, { maxRetries: 0 }), {
    message: 'The connection to the service failed: connect ECONNREFUSED ::1:9.',
    mayHaveChanged: false,
  });
});

test('a change that was made is not a conflict with itself', async (t) => {
  const { client, quantity } = await clientWith(t, [lost]);
  const { etag } = await client.getInventoryItem(7).withResponse();
  const { data, isReplayed } = await client.adjustInventory(7, sale, { ifMatch: etag }).withResponse();
  assert.deepEqual([data.quantityAfter, isReplayed, await quantity()], [38, true, 38]);
});

test('every 5xx of a proxy is worth another attempt', async (t) => {
  const { client, seen, quantity } = await clientWith(t, [page(520), page(524), page(599)]);
  await client.adjustInventory(7, sale);
  assert.deepEqual([seen.writes, await quantity()], [4, 38]);
});

test('a change is not sent again after the service may have forgotten its key', async (t) => {
  const { client, seen, quantity } = await clientWith(t, [lost, page(429, { 'Retry-After': '86400' })]);
  await assert.rejects(client.adjustInventory(7, sale), {
    code: 'timed_out',
    mayHaveChanged: true,
    idempotencyKey: undefined,
  });
  assert.deepEqual([seen.writes, await quantity()], [2, 38]);
});

test('nor after the computer has slept, while the clock of the program stopped', async (t) => {
  const sleep: Step = async (send) => {
    await send();
    const wakeMs = Date.now() + 25 * HOUR_MS;
    t.mock.method(Date, 'now', () => wakeMs);
    throw new TypeError('fetch failed', { cause: new Error('ECONNRESET') });
  };
  const { client, seen } = await clientWith(t, [sleep]);
  await assert.rejects(client.adjustInventory(7, sale), { code: 'timed_out', mayHaveChanged: true });
  assert.equal(seen.writes, 1);
});

test('a write that another one with its key may be making waits for it, however often', async (t) => {
  const body = { code: 'idempotency_in_progress', message: 'Retry later.', status: 409 };
  const inProgress: Step = async () => Response.json(body, { status: 409, headers: { 'Retry-After': '1' } });
  const patient = await clientWith(
    t,
    Array.from({ length: 9 }, () => inProgress),
  );
  await patient.client.adjustInventory(7, sale);
  assert.deepEqual([patient.seen.writes, await patient.quantity()], [10, 38]);
  const { client } = await clientWith(t, [inProgress]);
  await assert.rejects(client.adjustInventory(7, sale, { maxWaitMs: 0 }), {
    code: 'idempotency_in_progress',
    mayHaveChanged: true,
  });
});

test('a time-out of a proxy is worth another attempt, and leaves a change in doubt', async (t) => {
  const { client, seen, quantity } = await clientWith(t, [page(408)]);
  await client.adjustInventory(7, sale);
  assert.deepEqual([seen.writes, await quantity()], [2, 38]);
  const late = await clientWith(t, [page(408)]);
  await assert.rejects(late.client.adjustInventory(7, sale, { maxRetries: 0 }), {
    status: 408,
    mayHaveChanged: true,
  });
});

test('a change that waited for a day before it was sent is sent again after a failure', async (t) => {
  const { client, seen, quantity } = await clientWith(t, [page(429, { 'Retry-After': '86400' }), lost]);
  await assert.rejects(client.adjustInventory(7, sale, { maxWaitMs: 0 }), { status: 429 });
  await client.adjustInventory(7, sale);
  assert.deepEqual([seen.writes, await quantity()], [3, 38]);
});

test('an attempt that is late is aborted, so that it does not go on', async (t) => {
  const app = await startApp(t, { pets });
  let sent: AbortSignal | null | undefined;
  const fetch: typeof globalThis.fetch = (_input, init) => {
    sent = init?.signal;
    return new Promise(() => {});
  };
  const client = clientOf(app, { fetch, maxRetries: 0, timeoutMs: 1, cache: false });
  await assert.rejects(client.getRateLimit(), { code: 'timed_out' });
  assert.equal(sent?.aborted, true);
});

test('a read that failed has changed nothing', async (t) => {
  const app = await startApp(t, { pets });
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNRESET') }));
  const client = clientOf(app, { fetch, maxRetries: 0 });
  await assert.rejects(client.getInventoryItem(7), { code: 'connection_failed', mayHaveChanged: false });
});

test('a change that was never executed waits for any time', async (t) => {
  const refusal = page(429, { 'Retry-After': '86400' });
  const { client, seen, quantity } = await clientWith(t, [refusal, refusal]);
  await client.adjustInventory(7, sale);
  assert.deepEqual([seen.writes, await quantity()], [3, 38]);
});

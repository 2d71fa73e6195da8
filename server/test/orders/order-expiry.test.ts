import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceUnavailable } from '../../src/domain/errors.ts';
import type { StockStore } from '../../src/domain/ledger-store.ts';
import { OrderExpiry } from '../../src/order-expiry.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { getItem, movements, movementsOf, outcome, wholeLedger } from '../support/stock-requests.ts';
import { testOnceIn } from '../support/test-database.ts';
import { until } from '../support/until.ts';
import { getOrder, linesOf, orderOf, place, take } from './order-requests.ts';

const once = testOnceIn();

const PETS = [petRow(1n, 1_000), petRow(2n, 1_000)];
const HOLD_MS = 1_800_000;
/** No second look within a test. */
const NEVER_MS = 3_600_000;

type Shop = Pick<StockStore, 'write' | 'orders'>;

/** Runs the expiry of a store until the end of the test; returns its messages. */
function startExpiry(
  t: Parameters<typeof startApp>[0],
  store: Shop,
  intervalMs: number,
  wait?: (ms: number, signal: AbortSignal) => Promise<void>,
): [OrderExpiry, string[]] {
  const messages: string[] = [];
  const onError = (message: string, cause: unknown) =>
    messages.push(`${message}: ${(cause as Error).message}`);
  const expiry = new OrderExpiry(store, { onError, intervalMs, ...(wait && { wait }) });
  expiry.start();
  t.after(() => expiry.stop());
  return [expiry, messages];
}

/** A store with another `dueOrders` or `write`. */
function withChanges(
  store: Shop,
  changes: { write?: Shop['write']; dueOrders?: Shop['orders']['dueOrders'] },
): Shop {
  const { write = (request) => store.write(request), dueOrders = (limit) => store.orders.dueOrders(limit) } =
    changes;
  return {
    write,
    orders: {
      findOrder: (orderId) => store.orders.findOrder(orderId),
      listOrders: (query) => store.orders.listOrders(query),
      findApproval: (orderId) => store.orders.findApproval(orderId),
      dueOrders,
    },
  };
}

/** Counts how often a store is asked for due orders. */
function countedLooks(store: Shop): { readonly shop: Shop; readonly looks: () => number } {
  let looks = 0;
  const dueOrders: Shop['orders']['dueOrders'] = (limit) => {
    looks += 1;
    return store.orders.dueOrders(limit);
  };
  return { shop: withChanges(store, { dueOrders }), looks: () => looks };
}

async function reservedOf(app: TestApp): Promise<number> {
  return ((await getItem(app, 1)).json as { reserved: number }).reserved;
}

async function placeMany(app: TestApp, count: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: count }, () => place(app, linesOf([1, 1]))));
  for (const { status, text } of answers) assert.equal(status, 201, text);
}

test('a placed order expires at its time, not before, and the service is the author', async (t) => {
  const app = await startApp(t, { pets: PETS });
  await place(app, linesOf([1, 3], [2, 2]));
  await place(app, { ...linesOf([1, 4]), expiresAt: null });
  await place(app, linesOf([1, 5]));
  await take(app, 'approve', 3);
  app.clock.nowMs += HOLD_MS - 1;
  const { shop, looks } = countedLooks(app.store);
  const [expiry] = startExpiry(t, shop, 5);
  await until(() => looks() > 2, 'two whole looks');
  assert.equal(orderOf(await getOrder(app, 1)).status, 'placed');
  app.clock.nowMs += 1;
  await until(async () => orderOf(await getOrder(app, 1)).status === 'expired', 'the order expires');
  await expiry.stop();
  const { version, lines, updatedAt } = orderOf(await getOrder(app, 1));
  assert.deepEqual([version, updatedAt], [2, new Date(app.clock.nowMs).toISOString()]);
  assert.deepEqual(
    lines.map(({ reserved }) => reserved),
    [0, 0],
  );
  const released = movementsOf(await movements(app, '?actor=service'));
  assert.deepEqual(
    released.map(({ petId, kind, reservedBefore, reservedAfter, orderId, actor, requestId }) => {
      return [petId, kind, reservedAfter - reservedBefore, orderId, actor.keyId, actor.name, requestId];
    }),
    [
      [1, 'release', -3, 1, null, 'service', null],
      [2, 'release', -2, 1, null, 'service', null],
    ],
  );
  assert.deepEqual([orderOf(await getOrder(app, 2)).status, await reservedOf(app)], ['placed', 9]);
  const late = await take(app, 'cancel', 1);
  assert.deepEqual(outcome(late), [409, 'invalid_transition']);
  assert.deepEqual((await app.admin.verify()).faults, []);
});

/** Expires all orders without a second look, and returns how many were in the queue together. */
async function expireAll(t: Parameters<typeof startApp>[0], app: TestApp): Promise<number> {
  app.clock.nowMs += HOLD_MS;
  let [queued, most] = [0, 0];
  const write: Shop['write'] = async (request) => {
    queued += 1;
    most = Math.max(most, queued);
    const answer = await app.store.write(request);
    queued -= 1;
    return answer;
  };
  startExpiry(t, withChanges(app.store, { write }), NEVER_MS);
  await until(async () => (await reservedOf(app)) === 0, 'all orders expire');
  assert.deepEqual((await app.admin.verify()).faults, []);
  return most;
}

once('full pages follow each other before the next look, with at most 50 orders in the queue', async (t) => {
  const app = await startApp(t, { pets: PETS });
  await placeMany(app, 250);
  assert.equal(await expireAll(t, app), 50);
});

once('the queue has fewer orders if they have many lines', async (t) => {
  const petIds = Array.from({ length: 100 }, (_, i) => i + 1);
  const app = await startApp(t, { pets: petIds.map((petId) => petRow(BigInt(petId), 1_000)) });
  for (let i = 0; i < 9; i += 1) {
    const answer = await place(app, linesOf(...petIds.map((petId) => [petId, 1] as const)));
    assert.equal(answer.status, 201, answer.text);
  }
  assert.equal(await expireAll(t, app), 2);
});

test('an order expires exactly once, however often it is seen to be due', async (t) => {
  const app = await startApp(t, { pets: PETS });
  await placeMany(app, 220);
  app.clock.nowMs += HOLD_MS;
  const counted = [5, 6, 7].map((intervalMs) => ({ intervalMs, ...countedLooks(app.store) }));
  const messages = counted.map(({ shop, intervalMs }) => startExpiry(t, shop, intervalMs)[1]);
  await until(async () => (await reservedOf(app)) === 0, 'all orders expire');
  for (const { looks } of counted) {
    const before = looks();
    await until(() => looks() > before + 1, 'the end of a look that may have seen them as due');
  }
  const released = (await wholeLedger(app)).filter(({ kind }) => kind === 'release');
  assert.equal(new Set(released.map(({ orderId }) => orderId)).size, 220);
  assert.equal(released.length, 220);
  // Each look that a busy machine refuses is repeated.
  const failures = messages
    .flat()
    .filter((message) => !message.endsWith('Too much is waiting for the database.'));
  assert.deepEqual(failures, []);
  assert.deepEqual((await app.admin.verify()).faults, []);
});

once('orders that another instance has expired are no reason for another look', async (t) => {
  const app = await startApp(t, { pets: PETS });
  await place(app, linesOf([1, 1]));
  await take(app, 'approve', 1);
  const dueOrders = () => ({ atMs: app.clock.nowMs, orderIds: [1], hasMore: true });
  const pause = Promise.withResolvers<number>();
  startExpiry(t, withChanges(app.store, { dueOrders }), NEVER_MS, (ms, signal) => {
    pause.resolve(ms);
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  });
  // A second look would follow after the time that the first took.
  assert.equal(await pause.promise, NEVER_MS);
});

test('an approval or a cancellation of the same moment and the expiry exclude each other', async (t) => {
  const app = await startApp(t, { pets: PETS });
  await placeMany(app, 40);
  app.clock.nowMs += HOLD_MS;
  startExpiry(t, app.store, NEVER_MS);
  const steps = Array.from({ length: 40 }, (_, i) => take(app, i % 2 === 0 ? 'approve' : 'cancel', i + 1));
  for (const answer of await Promise.all(steps))
    assert.deepEqual(outcome(answer), [409, 'invalid_transition']);
  await until(async () => (await reservedOf(app)) === 0, 'all orders expire');
});

once('a failure is reported once until it works again, and delays no later expiry', async (t) => {
  const app = await startApp(t, { pets: PETS });
  await place(app, linesOf([1, 1]));
  app.clock.nowMs += HOLD_MS;
  let failing: 'read' | 'write' | undefined = 'read';
  let failures = 0;
  const fail = () => {
    failures += 1;
    return Promise.reject(serviceUnavailable(`no ${failing}`));
  };
  let looks = 0;
  const shop = withChanges(app.store, {
    write: (request) => (failing === 'write' ? fail() : app.store.write(request)),
    dueOrders: (limit) => {
      looks += 1;
      return failing === 'read' ? fail() : app.store.orders.dueOrders(limit);
    },
  });
  const [, messages] = startExpiry(t, shop, 2);
  await until(() => failures >= 5, 'reads fail');
  failing = 'write';
  await until(() => failures >= 10, 'writes fail');
  const failed = 'cannot expire orders; the service keeps trying';
  assert.deepEqual(messages, [`${failed}: no read`]);
  failing = undefined;
  await until(async () => (await reservedOf(app)) === 0, 'the order expires');
  const before = looks;
  await until(() => looks > before, 'the end of the look that found nothing wrong');
  failing = 'read';
  await until(() => messages.length > 1, 'the next failure');
  assert.deepEqual(messages, [`${failed}: no read`, `${failed}: no read`]);
});

once('an expiry that cannot be written is reported once', async (t) => {
  const app = await startApp(t, { pets: PETS });
  await place(app, linesOf([1, 1]));
  app.clock.nowMs += HOLD_MS;
  let failures = 0;
  const write: Shop['write'] = () => {
    failures += 1;
    return Promise.reject(serviceUnavailable('no disk'));
  };
  const [, messages] = startExpiry(t, withChanges(app.store, { write }), 2);
  await until(() => failures >= 3, 'writes fail');
  assert.deepEqual(messages, ['cannot expire orders; the service keeps trying: no disk']);
});

once('a stop waits for the writes in progress, and nothing follows it', async (t) => {
  const app = await startApp(t, { pets: PETS });
  await placeMany(app, 150);
  app.clock.nowMs += HOLD_MS;
  let [begun, ended] = [0, 0];
  let stopped: Promise<number> | undefined;
  const write: Shop['write'] = async (request) => {
    begun += 1;
    stopped ??= expiry.stop().then(() => ended);
    const answer = await app.store.write(request);
    ended += 1;
    return answer;
  };
  const [expiry] = startExpiry(t, withChanges(app.store, { write }), 1);
  await until(() => stopped !== undefined, 'the first page is written');
  assert.deepEqual([await stopped, begun], [50, 50]);
  assert.equal(begun, 50);
  assert.equal(await reservedOf(app), 100);
});

test('between two pages of due orders other writes have as much time, and then the next look waits', async (t) => {
  const pages = [[1], []];
  const pauses: number[] = [];
  let elapsedMs = 0;
  const store = {
    orders: {
      dueOrders: async () => ({ atMs: 0, orderIds: pages.shift() ?? [], hasMore: pages.length > 0 }),
    },
    write: async () => {
      elapsedMs += 40;
      return { kind: 'written', result: { code: 'done' } };
    },
  } as unknown as Shop;
  const enough = Promise.withResolvers<void>();
  const wait = async (ms: number, signal: AbortSignal) => {
    pauses.push(ms);
    if (pauses.length < 2) return;
    enough.resolve();
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  };
  const onError = (message: string) => assert.fail(message);
  const expiry = new OrderExpiry(store, { onError, intervalMs: 700, wait, elapsedMs: () => elapsedMs });
  t.after(() => expiry.stop());
  expiry.start();
  await enough.promise;
  assert.deepEqual(pauses, [40, 700]);
});

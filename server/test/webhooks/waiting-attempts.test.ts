import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { LeasedEndpoint } from '../../src/domain/webhooks/webhook-store.ts';
import { openAdminEngine } from '../../src/store/open-engine.ts';
import { EventReader } from '../../src/store/webhooks/event-reader.ts';
import { type AttemptResult, clocksOf, type Dispatch } from '../../src/webhooks/delivery/attempt.ts';
import { signingKey } from '../../src/webhooks/delivery/signature.ts';
import { systemWait, type Wait } from '../../src/webhooks/periodic-task.ts';
import { EndpointQueue } from '../../src/webhooks/queues/endpoint-queue.ts';
import { EventSource, RECORDED_DATA } from '../../src/webhooks/queues/event-source.ts';
import { until } from '../support/until.ts';
import { AUTHOR, everything, newEndpointShop } from '../webhook-endpoints/endpoint-shop.ts';
import { countedLeases, newSendingShop } from './sending-shop.ts';

const [OLD, NEW] = ['old', 'new'].map((text) => `whsec_${Buffer.from(text).toString('base64')}`);

/** The queue of an endpoint with one event, whose attempts wait for a place. */
async function startWaiting(t: TestContext) {
  const shop = await newEndpointShop(t);
  const { endpoint } = await shop.newEndpoint({ types: ['inventory.changed'] });
  const engine = await openAdminEngine(shop.database.url);
  t.after(() => engine.close());
  const source = await EventSource.start(new EventReader(engine), RECORDED_DATA);
  const attempts: {
    begin: () => Dispatch | undefined;
    isSlow: boolean;
    end: (sent?: AttemptResult) => void;
  }[] = [];
  const leased: LeasedEndpoint = {
    endpoint: { ...endpoint, cursor: { sequence: 0, number: 1 } },
    token: 1,
    secrets: [OLD as string],
  };
  const queue = new EndpointQueue(leased, {
    source,
    clocks: clocksOf(Date.now),
    random: () => 0.5,
    wait: systemWait,
    send: (begin, { isSlow }) => new Promise((resolve) => attempts.push({ begin, isSlow, end: resolve })),
    onProgress: () => undefined,
    onError: (_id, error) => assert.fail(String(error)),
  });
  queue.start();
  t.after(() => queue.stop());
  await until(() => attempts.length === 1, 'the attempt');
  return { queue, leased, attempts };
}

test('an attempt that waited for its place is signed with the secrets of its beginning', async (t) => {
  const { queue, attempts } = await startWaiting(t);
  queue.useSecrets([NEW as string]);
  const dispatch = attempts[0]?.begin();
  assert.deepEqual(dispatch?.keys, [signingKey(NEW as string)]);
  assert.match(dispatch?.message.id ?? '', /^1\.0-/);
});

test('an event that a new filter leaves out is not sent although it waited for a place', async (t) => {
  const { queue, leased, attempts } = await startWaiting(t);
  queue.change({ ...leased, endpoint: { ...leased.endpoint, petIds: [99n] } });
  assert.equal(attempts[0]?.begin(), undefined);
  queue.change(leased);
  attempts[0]?.end();
  await until(() => attempts.length === 2, 'the attempt with the filter of before');
  assert.equal(attempts[1]?.isSlow, false, 'the receiver was not slow');
  assert.match(attempts[1]?.begin()?.message.id ?? '', /^1\.0-/);
});

test('an endpoint does not fail for an event that a new filter leaves out', async (t) => {
  const { queue, leased, attempts } = await startWaiting(t);
  attempts[0]?.end(resultOf(attempts[0].begin() ?? assert.fail(), 500));
  await until(() => queue.isFailing, 'the failure');
  assert.ok(queue.oldestAtMs, 'the age of what waits');
  queue.change({ ...leased, endpoint: { ...leased.endpoint, petIds: [99n] } });
  await until(() => !queue.isFailing, 'the end of the failure');
  const { failingSinceMs, failures, retryAtMs } = queue.takeProgress();
  assert.deepEqual([failingSinceMs, failures, retryAtMs], [null, 0, null]);
  assert.equal(queue.oldestAtMs, undefined, 'nothing waits');
  assert.equal(attempts.length, 1);
});

/** Attempts at the same time to receivers that have failed before. */
const MAX_FAILED = 64;
/** Times pass a hundred times as fast. */
const hurried: Wait = (ms, signal) => systemWait(ms / 100, signal);

test('a sender makes no attempt that was left out while it waited for its place', async (t) => {
  const shop = await newSendingShop(t);
  const fields = { ...everything('acc_shop'), types: ['inventory.changed'] as const };
  const ids = new Map<string, string>();
  for (let i = 0; i <= MAX_FAILED; i += 1) {
    const url = `http://127.0.0.1:9/${i}`;
    ids.set(url, (await shop.store.webhooks.create({ ...fields, url }, MAX_FAILED + 1, AUTHOR)).endpoint.id);
  }
  const held = new Map<string, () => void>();
  const leases = countedLeases();
  await shop.startSender({
    wait: hurried,
    wrap: leases.wrap,
    deliverer: {
      attempt: async (dispatch) => {
        if (dispatch.failures === 0) return resultOf(dispatch, 500);
        await new Promise<void>((resolve) => held.set(dispatch.url, resolve));
        return resultOf(dispatch, 204);
      },
    },
  });
  await shop.change(1, 100);
  await until(() => held.size === MAX_FAILED, 'an attempt in each place');
  const [[url, id] = assert.fail()] = [...ids].filter(([one]) => !held.has(one));
  await shop.store.webhooks.update(id, { petIds: [99n] }, AUTHOR);
  const before = leases.count();
  await until(() => leases.count() > before + 2, 'the change');
  for (const end of held.values()) end();
  await until(
    async () => (await shop.store.webhooks.find(id)).cursor.sequence === 2,
    'the place after the event',
  );
  assert.equal(held.has(url), false);
});

function resultOf({ message, failures }: Dispatch, statusCode: number): AttemptResult {
  const error = statusCode === 204 ? null : 'The receiver responded with status 500.';
  return {
    result: error === null ? 'delivered' : 'status',
    retryAfter: undefined,
    traceparent: undefined,
    attempt: {
      eventId: message.id,
      eventType: message.type,
      attempt: failures + 1,
      attemptedAtMs: 0,
      durationMs: 1,
      statusCode,
      error,
      errorCode: error === null ? null : 'error_status',
      errorDetail: null,
      response: '',
    },
  };
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparePositions, type EventPosition } from '../../src/domain/webhooks/events.ts';
import { MAX_LOGGED_ATTEMPTS } from '../../src/domain/webhooks/webhook-endpoint.ts';
import type { LeasedEndpoint } from '../../src/domain/webhooks/webhook-store.ts';
import type { AttemptResult } from '../../src/webhooks/delivery/attempt.ts';
import { EndpointQueue } from '../../src/webhooks/queues/endpoint-queue.ts';
import type { EventSource } from '../../src/webhooks/queues/event-source.ts';

const EVENTS = MAX_LOGGED_ATTEMPTS + 50;
const START: EventPosition = { sequence: 0, number: 0 };
const END: EventPosition = { sequence: EVENTS, number: 0 };

/** A source whose ring has all events. */
function fullSource(): EventSource {
  const entries = Array.from({ length: EVENTS }, (_, index) => {
    const position = { sequence: index + 1, number: 0 };
    const type = 'inventory.changed';
    return {
      facts: { position, type, accountId: null, petIds: ['7'], status: 'available', recorded: undefined },
      message: { position, id: `${index + 1}.0`, type, recordedAtMs: 0, body: '{}' },
    };
  });
  const after = (from: EventPosition) =>
    entries.filter(({ message }) => comparePositions(message.position, from) > 0);
  const ring = { from: START, after };
  return { head: END, position: END, decided: START, ring } as unknown as EventSource;
}

const LEASED = {
  endpoint: {
    ...{ id: 'whk_1', version: 1, url: 'https://shop.example/', accountId: 'acc_shop', cursor: START },
    ...{ types: null, petIds: null, statuses: null, failingSinceMs: null, failures: 0, retryAtMs: null },
  },
  token: 1,
  secrets: [],
} as unknown as LeasedEndpoint;

test('between two reports, a queue keeps as many attempts as the log has, the newest ones', async (t) => {
  const all = Promise.withResolvers<void>();
  let sent = 0;
  let reported = 0;
  const queue = new EndpointQueue(LEASED, {
    source: fullSource(),
    clocks: { wallMs: () => 0, elapsedMs: () => 0 },
    random: () => 0,
    wait: async () => assert.fail('There is nothing to wait for.'),
    send: async (dispatch) => {
      const { message } = dispatch() ?? assert.fail('There is no message.');
      sent += 1;
      const attempt = { eventId: message.id, durationMs: 1 };
      return { result: 'delivered', attempt, retryAfter: undefined } as unknown as AttemptResult;
    },
    onProgress: () => {
      reported += 1;
      if (reported === EVENTS) all.resolve();
    },
    onError: (_id, error) => all.reject(error),
  });
  t.after(() => queue.finish());
  queue.start();
  await all.promise;
  const { attempts, cursor } = queue.takeProgress();
  assert.deepEqual([sent, attempts.length, cursor], [EVENTS, MAX_LOGGED_ATTEMPTS, END]);
  assert.equal(attempts[0]?.eventId, `${EVENTS - MAX_LOGGED_ATTEMPTS + 1}.0`);
  assert.equal(attempts.at(-1)?.eventId, `${EVENTS}.0`);
  assert.deepEqual(queue.takeProgress().attempts, [], 'each attempt is reported once');
});

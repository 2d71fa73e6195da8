import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LeasedEndpoint } from '../../src/domain/webhooks/webhook-store.ts';
import type { EndpointQueue } from '../../src/webhooks/queues/endpoint-queue.ts';
import { type EventFacts, toSubscription } from '../../src/webhooks/queues/event-facts.ts';
import { LeasedQueues } from '../../src/webhooks/queues/leased-queues.ts';
import type { Message } from '../../src/webhooks/queues/message.ts';

interface Settings {
  readonly token?: number;
  readonly version?: number;
  readonly petId?: bigint;
  readonly secrets?: readonly string[];
}

const leased = ({ token = 1, version = 1, petId = 7n, secrets = ['a'] }: Settings = {}): LeasedEndpoint => {
  const filter = { accountId: 'acc_shop', types: null, petIds: [petId], statuses: null };
  const endpoint = { id: 'whk_1', version, ...filter };
  return { endpoint, token, secrets } as unknown as LeasedEndpoint;
};

const eventOf = (petId: string): EventFacts => ({
  position: { sequence: 1, number: 0 },
  type: 'inventory.changed',
  accountId: null,
  petIds: [petId],
  status: 'available',
  recorded: undefined,
});

/** Queues that write what happens to them into a log. */
function openQueues() {
  const log: string[] = [];
  const create = (first: LeasedEndpoint) => {
    let now = first;
    const { token } = first;
    return {
      id: first.endpoint.id,
      token,
      get version() {
        return now.endpoint.version;
      },
      get subscription() {
        return toSubscription(now.endpoint);
      },
      start: () => log.push(`start ${token}`),
      stop: () => log.push(`stop ${token}`),
      useSecrets: (secrets: readonly string[]) => log.push(`secrets ${secrets.join()}`),
      change: (next: LeasedEndpoint) => {
        now = next;
        log.push('change');
      },
      offer: () => log.push(`offer ${token}`),
    } as unknown as EndpointQueue;
  };
  const queues = new LeasedQueues(create, (_id, error) => assert.fail(String(error)));
  const offer = (petId: string) => queues.offer(eventOf(petId), {} as Message);
  return { queues, offer, taken: () => log.splice(0) };
}

test('a queue ends with its lease, and by its own token only', () => {
  const { queues, offer, taken } = openQueues();
  queues.accept([leased()]);
  queues.accept([leased({ token: 2 })]);
  assert.deepEqual(taken(), ['start 1', 'stop 1', 'start 2'], 'another token is another queue');
  queues.drop('whk_1', 1);
  offer('7');
  assert.deepEqual(taken(), ['offer 2'], 'what the queue before has lost');
  queues.keep([leased({ token: 2 })]);
  assert.deepEqual(taken(), []);
  queues.keep([leased({ token: 3 })]);
  offer('7');
  assert.deepEqual(taken(), ['stop 2']);
  assert.equal(queues.isWanted(eventOf('7')), false);
  queues.accept([leased({ token: 3 })]);
  queues.accept([]);
  assert.deepEqual([taken(), [...queues]], [['start 3', 'stop 3'], []]);
});

test('a lease renews secrets without a new version, and a new version changes the filter', () => {
  const { queues, offer, taken } = openQueues();
  queues.accept([leased()]);
  queues.accept([leased({ secrets: ['b'] })]);
  assert.deepEqual(taken(), ['start 1', 'secrets b']);
  queues.accept([leased({ version: 2, petId: 8n })]);
  assert.deepEqual(taken(), ['secrets a', 'change']);
  offer('7');
  offer('8');
  assert.deepEqual(taken(), ['offer 1']);
  assert.deepEqual([queues.isWanted(eventOf('7')), queues.isWanted(eventOf('8'))], [false, true]);
  queues.dropAll();
  offer('8');
  assert.deepEqual(taken(), ['stop 1']);
});

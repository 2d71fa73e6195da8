import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LeasedEndpoint } from '../../src/domain/webhooks/webhook-store.ts';
import type { EventClient } from '../../src/store/webhooks/event-reader.ts';
import { systemWait, type Wait } from '../../src/webhooks/periodic-task.ts';
import type { EndpointQueue } from '../../src/webhooks/queues/endpoint-queue.ts';
import { LeasedQueues } from '../../src/webhooks/queues/leased-queues.ts';
import { until } from '../support/until.ts';
import { AUTHOR } from '../webhook-endpoints/endpoint-shop.ts';
import { startReceiver } from './receiver.ts';
import { newSendingShop } from './sending-shop.ts';

/** Times pass a hundred times as fast. */
const hurried: Wait = (ms, signal) => systemWait(ms / 100, signal);
const changed = { types: ['inventory.changed'] as const };

/** Scans from the beginning of the history fail while a condition holds. */
function failing(isFailing: () => boolean): (client: EventClient) => EventClient {
  return (client) => ({
    all: (sql, values) => client.all(sql, values),
    read: (statement, values) =>
      values[0] === 1 && isFailing()
        ? Promise.reject(new Error('a read failed'))
        : client.read(statement, values),
  });
}

test('events that cannot be read delay only their own endpoint, and then arrive without a gap', async (t) => {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t);
  const { endpoint: behind } = await shop.subscribe(`${receiver.url}/behind`, changed);
  await shop.subscribe(`${receiver.url}/live`, changed);
  await shop.change(1, 100, 101, 102);
  let failures = 0;
  let isBroken = true;
  const isFailing = () => {
    failures += 1;
    return isBroken;
  };
  const placesOf = (path: string) => receiver.messages(path).map(({ place }) => place);
  const first = await shop.startSender({ wait: hurried, wrapReads: failing(() => false) });
  await until(() => receiver.messages().length === 6, 'all events');
  await first.stop();
  await shop.store.webhooks.replay(behind.id, { sequence: 1, number: 1 }, AUTHOR);
  const { errors, fatal, sender } = await shop.startSender({ wait: hurried, wrapReads: failing(isFailing) });
  await until(() => failures > 5, 'repeated attempts');
  assert.equal(sender.numbers().endpoints.failing, 1);
  await shop.change(1, 103);
  await until(() => placesOf('/live').length === 4, 'the event of the other endpoint');
  assert.deepEqual(errors, [[behind.id, 'Error: a read failed']], 'one line, not one per attempt');
  isBroken = false;
  await until(() => placesOf('/behind').length === 7, 'the events that could not be read');
  assert.deepEqual(placesOf('/behind').slice(3), ['2.0', '3.0', '4.0', '5.0']);
  await until(() => sender.numbers().endpoints.failing === 0, 'the end of the failure');
  assert.deepEqual(fatal, []);
});

test('an endpoint with a damaged filter is skipped, and the others get their events', async (t) => {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t);
  await shop.subscribe(receiver.url, changed);
  const { endpoint } = await shop.subscribe(`${receiver.url}/damaged`, { petIds: [1n] });
  await shop.database.run(`UPDATE webhook_endpoints SET pet_ids = '1 x' WHERE id = '${endpoint.id}'`);
  const { unopened, fatal } = await shop.startSender({ wait: hurried });
  await shop.change(1, 100);
  await until(() => receiver.messages().length === 1, 'the event of the other endpoint');
  await until(() => unopened.length > 0, 'its report, which comes after the queues of the others');
  assert.deepEqual([unopened, fatal], [[endpoint.id], []]);
});

test('an endpoint that cannot have a queue is reported once, and the others have theirs', () => {
  const errors: string[] = [];
  let isBroken = true;
  const leased = ['a', 'b', 'c'].map((id) => ({ endpoint: { id }, token: 1 }) as LeasedEndpoint);
  const create = ({ endpoint: { id }, token }: LeasedEndpoint) => {
    if (id === 'b' && isBroken) throw new Error('no queue');
    const subscription = { accountId: 'acc_shop', types: null, petIds: null, statuses: null };
    return { id, token, subscription, start() {}, useSecrets() {}, stop() {} } as unknown as EndpointQueue;
  };
  const queues = new LeasedQueues(create, (id, error) => errors.push(`${id}: ${error}`));
  queues.accept(leased);
  queues.accept(leased);
  const ids = () => [...queues].map(({ id }) => id);
  assert.deepEqual(ids(), ['a', 'c']);
  assert.deepEqual(errors, ['b: Error: no queue']);
  isBroken = false;
  queues.accept(leased);
  assert.deepEqual(ids().toSorted(), ['a', 'b', 'c']);
});

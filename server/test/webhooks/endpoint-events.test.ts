import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAdminEngine } from '../../src/store/open-engine.ts';
import { EventReader } from '../../src/store/webhooks/event-reader.ts';
import { EndpointEvents } from '../../src/webhooks/queues/endpoint-events.ts';
import { toSubscription } from '../../src/webhooks/queues/event-facts.ts';
import { EventSource, RECORDED_DATA } from '../../src/webhooks/queues/event-source.ts';
import { newEndpointShop } from '../webhook-endpoints/endpoint-shop.ts';
import { EventHistory } from './simulation/event-history.ts';
import { isFor } from './simulation/model-events.ts';

test('an endpoint that is behind gets its events where they are rare, and where they become frequent', async (t) => {
  const shop = await newEndpointShop(t);
  const history = new EventHistory(shop);
  const petIds = Array.from({ length: 12 }, (_, i) => 1_000 + i);
  await history.change(Array.from({ length: 120 }, (_, i) => i));
  // The scans grow up to 25 movements. Then each has several events, so that their size is halved again and again.
  for (const petId of petIds) await history.change([1, 2, petId]);
  await history.change(Array.from({ length: 40 }, (_, i) => i));
  const engine = await openAdminEngine(shop.database.url);
  t.after(() => engine.close());
  const limits = { minScan: 2, scan: { movements: 25, recorded: 5 }, ringEntries: 10 };
  const source = await EventSource.start(new EventReader(engine), RECORDED_DATA, limits);
  const filter = { accountId: 'acc_shop', types: null, petIds: petIds.map(BigInt), statuses: null };
  const events = new EndpointEvents(source, toSubscription(filter), { sequence: 0, number: 1 });
  const received: string[] = [];
  while (!events.isAtEnd) {
    const next = events.first;
    if (!next) await events.refill();
    else {
      received.push(`${next.position.sequence}.${next.position.number}`);
      events.remove(next);
    }
  }
  const expected = (await history.events()).filter((event) => isFor(event, filter));
  assert.ok(expected.length >= 12);
  assert.deepEqual(
    received,
    expected.map(({ place }) => place),
  );
  assert.deepEqual(events.cursor, source.head);
});

test('a filter that changes before its events are read finds those that no endpoint wanted, beside the ring', async (t) => {
  const shop = await newEndpointShop(t);
  const history = new EventHistory(shop);
  await history.change([1, 2]);
  const engine = await openAdminEngine(shop.database.url);
  t.after(() => engine.close());
  const source = await EventSource.start(new EventReader(engine), RECORDED_DATA);
  const filterOf = (petId: bigint) =>
    toSubscription({ accountId: 'acc_shop', types: ['inventory.changed'], petIds: [petId], statuses: null });
  const events = new EndpointEvents(source, filterOf(1n), source.head);
  await history.change([2]);
  await source.poll({ isWanted: () => false, offer: () => assert.fail('Nothing is wanted.') });
  events.change(filterOf(2n));
  while (!events.first && !events.isAtEnd) await events.refill();
  assert.equal(events.first?.position.sequence, source.head.sequence);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventFilter } from '../../src/domain/webhooks/webhook-endpoint.ts';
import { type EventFacts, toSubscription } from '../../src/webhooks/queues/event-facts.ts';
import { SubscriptionIndex } from '../../src/webhooks/queues/subscription-index.ts';

const EVERYTHING: EventFilter = { types: null, petIds: null, statuses: null };

const MOVEMENT: EventFacts = {
  position: { sequence: 1, number: 0 },
  type: 'inventory.changed',
  accountId: null,
  petIds: ['1'],
  status: 'available',
  recorded: undefined,
};
const ORDER: EventFacts = { ...MOVEMENT, type: 'order.placed', petIds: ['2', '3'], status: null };
const BAN: EventFacts = { ...ORDER, type: 'api_key.banned', accountId: 'acc_shop', petIds: [] };

function subscriber(name: string, filter: Partial<EventFilter> = {}, accountId = 'acc_shop') {
  return { name, subscription: toSubscription({ ...EVERYTHING, ...filter, accountId }) };
}

test('an event has exactly the subscribers whose whole filter it matches', () => {
  const index = new SubscriptionIndex<ReturnType<typeof subscriber>>();
  const subscribers = [
    subscriber('all'),
    subscriber('other account', {}, 'acc_other'),
    subscriber('orders', { types: ['order.placed', 'order.expired'] }),
    subscriber('pets 1 and 3', { petIds: [1n, 3n] }),
    subscriber('orders of pet 1', { types: ['order.placed'], petIds: [1n] }),
    subscriber('sold', { statuses: ['sold'] }),
    subscriber('available pet 1', { statuses: ['available'], petIds: [1n] }),
    subscriber('sold pet 1', { statuses: ['sold'], petIds: [1n] }),
  ];
  for (const one of subscribers) index.add(one);
  const namesOf = (facts: EventFacts) => [...index.subscribersOf(facts)].map(({ name }) => name).toSorted();
  assert.deepEqual(namesOf(MOVEMENT), ['all', 'available pet 1', 'other account', 'pets 1 and 3']);
  assert.deepEqual(namesOf(ORDER), ['all', 'orders', 'other account', 'pets 1 and 3', 'sold']);
  assert.deepEqual(namesOf(BAN), ['all', 'sold']);
  assert.ok(index.isWanted(BAN));
  for (const one of subscribers) index.remove(one);
  for (const facts of [MOVEMENT, ORDER, BAN]) {
    assert.deepEqual(namesOf(facts), []);
    assert.ok(!index.isWanted(facts));
  }
});

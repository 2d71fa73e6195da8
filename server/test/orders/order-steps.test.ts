import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceAuthor } from '../../src/domain/orders/orders.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { getItem, outcome, update, wholeLedger } from '../support/stock-requests.ts';
import { getOrder, linesOf, messageOf, orderOf, place, take, VERBS, type Verb } from './order-requests.ts';

const PETS = [petRow(1n, 20), petRow(2n, 20)];
const HOLD_MS = 1_800_000;

/** Expires an order as the service does. */
async function expire({ store, clock }: TestApp, orderId: number): Promise<void> {
  const command = { kind: 'step', step: 'expire', orderId } as const;
  const answer = await store.write({ author: serviceAuthor(clock.nowMs), command });
  assert.equal(answer.kind === 'written' && answer.result.code, 'done');
}

/** Brings an order of 3 units of pet 1 and 1 unit of pet 2 into a state. */
type Maker = (app: TestApp, orderId: number) => Promise<unknown>;

const STATES: Readonly<Record<string, Maker>> = {
  placed: async () => {},
  overdue: async (app) => {
    app.clock.nowMs += HOLD_MS;
  },
  expired: async (app, orderId) => {
    app.clock.nowMs += HOLD_MS;
    await expire(app, orderId);
  },
  approved: (app, orderId) => take(app, 'approve', orderId),
  'delivered in part': async (app, orderId) => {
    await take(app, 'approve', orderId);
    await take(app, 'deliver', orderId, linesOf([1, 2]));
  },
  'delivered in part and returned': async (app, orderId) => {
    await take(app, 'approve', orderId);
    await take(app, 'deliver', orderId, linesOf([1, 2]));
    await take(app, 'return', orderId);
  },
  delivered: async (app, orderId) => {
    await take(app, 'approve', orderId);
    await take(app, 'deliver', orderId);
  },
  'delivered and returned': async (app, orderId) => {
    await take(app, 'approve', orderId);
    await take(app, 'deliver', orderId);
    await take(app, 'return', orderId);
  },
  cancelled: (app, orderId) => take(app, 'cancel', orderId),
  'cancelled after a part': async (app, orderId) => {
    await take(app, 'approve', orderId);
    await take(app, 'deliver', orderId, linesOf([1, 2]));
    await take(app, 'cancel', orderId);
  },
};

const DELIVERED_BACK =
  'Order # is delivered and has no delivered units to return. No step is possible any more.';
const OVERDUE = 'Order # was held until @, so it cannot be';
const UNTIL = 'Possible until @: approve, cancel.';

/** The status after a step from each state, or the message of its refusal: `#` is the orderId, `@` its expiry. */
const OUTCOMES: Readonly<Record<string, Readonly<Record<Verb, string>>>> = {
  placed: {
    approve: 'approved',
    deliver: `Order # is placed, so it cannot be delivered. ${UNTIL}`,
    cancel: 'cancelled',
    return: `Order # is placed, so it cannot be returned. ${UNTIL}`,
  },
  overdue: {
    approve: `${OVERDUE} approved. Place a new order.`,
    deliver: `${OVERDUE} delivered. Place a new order.`,
    cancel: `${OVERDUE} cancelled. Place a new order.`,
    return: `${OVERDUE} returned. Place a new order.`,
  },
  expired: {
    approve: 'Order # is expired, so it cannot be approved. No step is possible any more.',
    deliver: 'Order # is expired, so it cannot be delivered. No step is possible any more.',
    cancel: 'Order # is expired, so it cannot be cancelled. No step is possible any more.',
    return: 'Order # is expired, so it cannot be returned. No step is possible any more.',
  },
  approved: {
    approve: 'Order # is approved, so it cannot be approved again. Possible: deliver, cancel.',
    deliver: 'delivered',
    cancel: 'cancelled',
    return: 'Order # is approved and has no delivered units to return. Possible: deliver, cancel.',
  },
  'delivered in part': {
    approve: 'Order # is approved, so it cannot be approved again. Possible: deliver, cancel, return.',
    deliver: 'delivered',
    cancel: 'cancelled',
    return: 'approved',
  },
  'delivered in part and returned': {
    approve: 'Order # is approved, so it cannot be approved again. Possible: deliver, cancel.',
    deliver: 'delivered',
    cancel: 'cancelled',
    return: 'Order # is approved and has no delivered units to return. Possible: deliver, cancel.',
  },
  delivered: {
    approve: 'Order # is delivered, so it cannot be approved. Possible: return.',
    deliver: 'Order # is delivered, so it cannot be delivered again. Possible: return.',
    cancel: 'Order # is delivered, so it cannot be cancelled. Possible: return.',
    return: 'delivered',
  },
  'delivered and returned': {
    approve: 'Order # is delivered, so it cannot be approved. No step is possible any more.',
    deliver: 'Order # is delivered, so it cannot be delivered again. No step is possible any more.',
    cancel: 'Order # is delivered, so it cannot be cancelled. No step is possible any more.',
    return: DELIVERED_BACK,
  },
  cancelled: {
    approve: 'Order # is cancelled, so it cannot be approved. No step is possible any more.',
    deliver: 'Order # is cancelled, so it cannot be delivered. No step is possible any more.',
    cancel: 'Order # is cancelled, so it cannot be cancelled again. No step is possible any more.',
    return: 'Order # is cancelled and has no delivered units to return. No step is possible any more.',
  },
  'cancelled after a part': {
    approve: 'Order # is cancelled, so it cannot be approved. Possible: return.',
    deliver: 'Order # is cancelled, so it cannot be delivered. Possible: return.',
    cancel: 'Order # is cancelled, so it cannot be cancelled again. Possible: return.',
    return: 'cancelled',
  },
};

for (const [state, make] of Object.entries(STATES)) {
  test(`every step from an order that is ${state}`, async (t) => {
    const app = await startApp(t, { pets: PETS });
    for (const verb of VERBS) {
      const { orderId, expiresAt } = orderOf(await place(app, linesOf([1, 3], [2, 1])));
      await make(app, orderId);
      const before = await getOrder(app, orderId);
      const ledger = (await wholeLedger(app)).length;
      const answer = await take(app, verb, orderId);
      const after = await getOrder(app, orderId);
      assert.equal(answer.headers.get('ETag'), after.headers.get('ETag'), 'with the current tag');
      const expected = OUTCOMES[state]?.[verb] ?? '';
      if (!expected.startsWith('Order')) {
        assert.deepEqual([answer.status, orderOf(answer).status], [200, expected], verb);
        assert.equal(answer.text, after.text);
        assert.equal(orderOf(after).version, orderOf(before).version + 1);
      } else {
        const message = expected.replace('#', String(orderId)).replace('@', expiresAt ?? '');
        assert.deepEqual(outcome(answer), [409, 'invalid_transition'], verb);
        assert.equal(messageOf(answer), `${message} Nothing was changed.`);
        assert.equal(after.text, before.text);
        assert.equal((await wholeLedger(app)).length, ledger);
      }
    }
    assert.deepEqual((await app.admin.verify()).faults, []);
  });
}

test('412: a tag of an order with anything after it is another tag', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const tag = (await place(app, linesOf([1, 1]))).headers.get('ETag') ?? '';
  const longer = `${tag.slice(0, -1)}.x"`;
  const refused = await take(app, 'approve', 1, undefined, { 'If-Match': longer });
  assert.deepEqual(outcome(refused), [412, 'precondition_failed']);
  assert.equal((await take(app, 'approve', 1, undefined, { 'If-Match': `${longer}, ${tag}` })).status, 200);
});

test('200: an order is delivered and returned in parts, and each part is a movement', async (t) => {
  const app = await startApp(t, { pets: PETS });
  await place(app, linesOf([1, 3], [2, 1]));
  const summary = async (verb: Verb, body?: object) => {
    const { status, lines } = orderOf(await take(app, verb, 1, body));
    return [status, ...lines.map((line) => [line.delivered, line.returned, line.reserved])];
  };
  assert.deepEqual(await summary('approve'), ['approved', [0, 0, 3], [0, 0, 1]]);
  assert.deepEqual(await summary('deliver', linesOf([1, 2])), ['approved', [2, 0, 1], [0, 0, 1]]);
  assert.deepEqual(await summary('return', linesOf([1, 1])), ['approved', [2, 1, 1], [0, 0, 1]]);
  const rest = { lines: [{ petId: 2 }, { petId: 1 }], reason: 'sold', note: 'by courier' };
  assert.deepEqual(await summary('deliver', rest), ['delivered', [3, 1, 0], [1, 0, 0]]);
  assert.deepEqual(await summary('return'), ['delivered', [3, 3, 0], [1, 1, 0]]);
  const steps = (await wholeLedger(app)).slice(2);
  assert.deepEqual(
    steps.map(({ petId, kind, delta, reservedBefore, reservedAfter, orderId, note }) => [
      petId,
      kind,
      delta,
      reservedAfter - reservedBefore,
      orderId,
      note,
    ]),
    [
      [1, 'reserve', 0, 3, 1, null],
      [2, 'reserve', 0, 1, 1, null],
      [1, 'deliver', -2, -2, 1, null],
      [1, 'return', 1, 0, 1, null],
      [2, 'deliver', -1, -1, 1, 'by courier'],
      [1, 'deliver', -1, -1, 1, 'by courier'],
      [1, 'return', 2, 0, 1, null],
      [2, 'return', 1, 0, 1, null],
    ],
  );
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('a line with more units than are left is 409 conflict, and one of no line of the order 404', async (t) => {
  const app = await startApp(t, { pets: PETS });
  await place(app, linesOf([1, 3], [2, 1]));
  await take(app, 'approve', 1);
  await take(app, 'deliver', 1, linesOf([1, 2], [2, 1]));
  const tag = (await getOrder(app, 1)).headers.get('ETag');
  const refusals: readonly (readonly [Verb, object, number, string])[] = [
    ['deliver', linesOf([1, 2]), 409, 'lines[0] (petId 1): 2 units are more than the 1 left to deliver.'],
    ['deliver', linesOf([1, 1], [2, 1]), 409, 'lines[1] (petId 2): No units are left to deliver.'],
    ['deliver', { lines: [{ petId: 2 }] }, 409, 'lines[0] (petId 2): No units are left to deliver.'],
    ['return', linesOf([1, 3]), 409, 'lines[0] (petId 1): 3 units are more than the 2 left to return.'],
    ['return', linesOf([1, 1], [3, 1]), 404, 'lines[1] (petId 3): Order 1 has no line with this pet.'],
    ['deliver', linesOf([2n ** 63n - 1n, 1]), 404, 'Order 1 has no line with this pet.'],
  ];
  for (const [verb, body, status, message] of refusals) {
    const answer = await take(app, verb, 1, body);
    assert.deepEqual(outcome(answer), [status, status === 409 ? 'conflict' : 'not_found'], message);
    assert.ok(messageOf(answer).includes(`${message} Nothing was changed.`), messageOf(answer));
    assert.equal(answer.headers.get('ETag'), status === 409 ? tag : null);
  }
  assert.equal((await getOrder(app, 1)).headers.get('ETag'), tag);
});

test('a delivery that the stock does not allow is 409 with the stock of the pet, and moves no line', async (t) => {
  const app = await startApp(t, { pets: PETS, config: { PETSTORE_MAX_QUANTITY: '20' } });
  await place(app, linesOf([1, 3], [2, 4]));
  await take(app, 'approve', 1);
  await update(app, 2, { quantity: 3, reason: 'cycle_count' });
  const item = await getItem(app, 2);
  assert.equal((item.json as { available: number }).available, -1);
  for (const body of [undefined, linesOf([1, 1], [2, 4])]) {
    const answer = await take(app, 'deliver', 1, body);
    assert.deepEqual(outcome(answer), [409, 'insufficient_stock']);
    assert.equal(
      messageOf(answer),
      'lines[1] (petId 2): The stock is not enough for 4 units: petId 2 has quantity 3, of which 4 are reserved, and status available at version 3. At most 3 can be delivered now. Nothing was changed.',
    );
    assert.equal(answer.headers.get('ETag'), item.headers.get('ETag'));
    assert.equal(answer.headers.get('Inventory-Quantity'), '3');
    assert.match(
      answer.headers.get('Link') ?? '',
      /\/inventory\/2\/movements\?order=desc>; rel="version-history"$/,
    );
  }
  assert.equal((await take(app, 'deliver', 1, linesOf([1, 3], [2, 3]))).status, 200);
  await update(app, 1, { quantity: 20 });
  const full = await take(app, 'return', 1);
  assert.deepEqual(outcome(full), [409, 'conflict']);
  assert.match(
    messageOf(full),
    /^lines\[0\] \(petId 1\): The result would be more than 20, the largest quantity: /,
  );
});

test('If-Match and If-None-Match of a step are compared with the tag of the order', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const placed = (await place(app, linesOf([1, 3]))).headers.get('ETag') as string;
  const approved = await take(app, 'approve', 1, undefined, { 'If-Match': `"x", ${placed}` });
  const tag = approved.headers.get('ETag') as string;
  assert.equal(approved.status, 200);
  const stale = await take(app, 'deliver', 1, undefined, { 'If-Match': placed });
  assert.deepEqual(outcome(stale), [412, 'precondition_failed']);
  assert.equal(stale.headers.get('ETag'), tag);
  assert.equal(
    messageOf(stale),
    'If-Match names another state: order 1 is approved at version 2. Nothing was changed.',
  );
  const unwanted = await take(app, 'cancel', 1, undefined, { 'If-None-Match': `W/${tag}` });
  assert.equal(
    messageOf(unwanted),
    'If-None-Match names the current state: order 1 is approved at version 2. Nothing was changed.',
  );
  // The precondition comes before the transition (RFC 9110 section 13.2.1 allows either).
  assert.equal((await take(app, 'approve', 1, undefined, { 'If-Match': placed })).status, 412);
  assert.equal((await take(app, 'cancel', 2, undefined, { 'If-Match': '*' })).status, 404);
  assert.equal((await take(app, 'cancel', 1, undefined, { 'If-Match': '*' })).status, 200);
  assert.equal((await take(app, 'cancel', 1, undefined, { 'If-Match': 'x' })).code, 'invalid_parameter');
});

test('an empty body may have any type, as curl sends it, and another one must be JSON', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const { orderId } = orderOf(await place(app, linesOf([1, 2])));
  const approve = (length: string, body: string) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': length };
    return app.request('POST', `/v1/store/orders/${orderId}/approve`, { headers, body });
  };
  assert.deepEqual(outcome(await approve('2', '{}')), [415, 'unsupported_media_type']);
  assert.equal((await approve('0', '')).status, 200);
});

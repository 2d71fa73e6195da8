import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ORDER_STATUSES,
  ORDER_STEPS,
  type OrderStatus,
  type OrderStep,
} from '@petstore-inventory/shared/words';
import { type Order, orderTag, serviceAuthor } from '../../src/domain/orders/orders.ts';
import { RULES } from '../writes/stock-fixtures.ts';
import { HOLD_MS, NOW_MS, OrderShop } from './order-shop.ts';

/** The steps that lead to each status; of an order of 4 units of pet 1 and 2 of pet 2. */
const WAYS: Readonly<Record<OrderStatus, (shop: OrderShop) => void>> = {
  placed: () => undefined,
  approved: (shop) => shop.step('approve'),
  delivered: (shop) => {
    shop.step('approve');
    shop.step('deliver');
  },
  cancelled: (shop) => shop.step('cancel'),
  expired: (shop) => {
    shop.nowMs += HOLD_MS;
    shop.step('expire');
    shop.nowMs -= HOLD_MS;
  },
};

function shopWith(status: OrderStatus): OrderShop {
  const shop = new OrderShop();
  shop.place({ 1: 4, 2: 2 });
  WAYS[status](shop);
  assert.equal(shop.orders.get(1)?.status, status);
  return shop;
}

/** The status after each step that is possible, for an order that is not due; `expire` is forced. */
const POSSIBLE: Readonly<Record<string, OrderStatus>> = {
  'approve placed': 'approved',
  'cancel placed': 'cancelled',
  'expire placed': 'expired',
  'deliver approved': 'delivered',
  'cancel approved': 'cancelled',
  'return delivered': 'delivered',
};

for (const status of ORDER_STATUSES) {
  for (const step of ORDER_STEPS) {
    const after = POSSIBLE[`${step} ${status}`];
    test(`to ${step} an order that is ${status} ${after ? `makes it ${after}` : 'changes nothing'}`, () => {
      const shop = shopWith(status);
      const before = shop.state();
      const { code, order } = shop.step(step, 1, { isForced: true });
      assert.equal(code, after ? 'done' : 'invalid_transition');
      assert.equal(order?.status, after ?? status);
      if (!after) assert.deepEqual(shop.state(), before);
    });
  }
}

test('units move with the steps: reserved, then partly delivered, partly returned, and the rest released', () => {
  const shop = new OrderShop();
  shop.place({ 1: 4, 2: 2 });
  assert.deepEqual(
    [shop.units(1n), shop.units(2n)],
    [
      [10, 4, 6],
      [5, 2, 3],
    ],
  );
  shop.step('approve');
  assert.equal(shop.sequence, 2, 'an approval moves nothing');
  shop.step('deliver', 1, { lines: [{ petId: 1n, quantity: 3 }] });
  assert.deepEqual([shop.orders.get(1)?.status, shop.units(1n)], ['approved', [7, 1, 6]]);
  shop.step('return', 1, { lines: [{ petId: 1n, quantity: 1 }] });
  assert.deepEqual(shop.units(1n), [8, 1, 7]);
  shop.step('cancel');
  assert.deepEqual(
    [shop.units(1n), shop.units(2n)],
    [
      [8, 0, 8],
      [5, 0, 5],
    ],
  );
  assert.equal(shop.step('return').code, 'done', 'delivered units of a cancelled order can come back');
  assert.deepEqual(shop.units(1n), [10, 0, 10]);
  assert.equal(shop.step('return').code, 'invalid_transition', 'none is left to come back');
  const { version, lines } = shop.orders.get(1) as Order;
  assert.deepEqual([version, lines[0]], [6, { petId: 1n, quantity: 4, delivered: 3, returned: 3 }]);
  shop.commit();
  assert.deepEqual(
    shop.movements.map(({ kind, petId, orderId }) => `${kind} ${petId} ${orderId}`),
    ['reserve 1 1', 'reserve 2 1', 'deliver 1 1', 'return 1 1', 'release 1 1', 'release 2 1', 'return 1 1'],
  );
});

test('an order is delivered as soon as the last unit of the last line is', () => {
  const shop = shopWith('approved');
  for (const lines of [[{ petId: 2n }], [{ petId: 1n, quantity: 3 }]]) shop.step('deliver', 1, { lines });
  assert.equal(shop.orders.get(1)?.status, 'approved');
  shop.step('deliver');
  assert.equal(shop.orders.get(1)?.status, 'delivered');
  assert.deepEqual(
    [shop.units(1n), shop.units(2n)],
    [
      [6, 0, 6],
      [3, 0, 3],
    ],
  );
});

test('an order is not over before its time because the ledger is ahead of a corrected clock', () => {
  const shop = shopWith('placed');
  shop.nowMs = NOW_MS + 2 * HOLD_MS;
  shop.change({ kind: 'set', petId: 3n, quantity: 7 });
  shop.nowMs = NOW_MS + HOLD_MS - 1;
  assert.equal(shop.step('expire').code, 'invalid_transition');
  assert.equal(shop.step('approve').code, 'done');
});

test('an order that cannot be reserved as a whole names its line, reserves nothing, and uses no orderId', () => {
  const shop = new OrderShop();
  const before = shop.state();
  for (const [units, code] of [
    [{ 1: 10, 2: 5, 3: 2 }, 'insufficient_stock'],
    [{ 1: 10, 2: 5, 9: 1 }, 'not_found'],
  ] as const) {
    const { order, ...refusal } = shop.place(units);
    const [line, petId] = [2, code === 'not_found' ? 9n : 3n];
    const stock = shop.stock.get(petId) ?? null;
    assert.deepEqual({ order, ...refusal }, { kind: 'order', code, order: null, line, petId, stock });
    assert.deepEqual(shop.state(), before);
  }
  assert.equal(shop.place({ 1: 10, 2: 5, 3: 1 }).order?.orderId, 1);
});

test('a delivery of several lines of which one is short delivers nothing', () => {
  const shop = shopWith('approved');
  shop.change({ kind: 'set', petId: 2n, quantity: 1 });
  const before = shop.state();
  const { code, line, petId } = shop.step('deliver', 1, { lines: [{ petId: 1n }, { petId: 2n }] });
  assert.deepEqual([code, line, petId], ['insufficient_stock', 1, 2n]);
  assert.deepEqual(shop.step('deliver').line, null, 'no line of the request names it');
  assert.deepEqual(shop.state(), before);
});

test('a return of several lines of which one exceeds the maximum returns nothing', () => {
  const shop = shopWith('delivered');
  shop.change({ kind: 'set', petId: 2n, quantity: RULES.maxQuantity - 1 });
  const before = shop.state();
  const { code, line } = shop.step('return', 1, { lines: [{ petId: 1n }, { petId: 2n }] });
  assert.deepEqual([code, line], ['too_much_stock', 1]);
  assert.deepEqual(shop.state(), before);
});

test('a line that is not in the order, and units that are not left, are refused', () => {
  const shop = shopWith('approved');
  const before = shop.state();
  const refused = (step: OrderStep, petId: bigint, quantity?: number) => {
    const { code, line } = shop.step(step, 1, {
      lines: [
        { petId: 1n, quantity: 1 },
        { petId, quantity },
      ],
    });
    return [code, line];
  };
  assert.deepEqual(refused('deliver', 3n), ['no_such_line', 1]);
  assert.deepEqual(refused('deliver', 2n, 3), ['too_many_units', 1]);
  assert.deepEqual(shop.step('return', 1, { lines: [{ petId: 1n, quantity: 1 }] }).code, 'too_many_units');
  assert.deepEqual(
    shop.step('return', 1, { lines: [{ petId: 1n }] }).code,
    'too_many_units',
    'none is delivered',
  );
  assert.equal(shop.step('deliver', 2).code, 'no_such_order');
  assert.deepEqual(shop.state(), before);
});

test('a recount below the reserved units makes available units negative, and only what is on hand is delivered', () => {
  const shop = shopWith('approved');
  assert.equal(shop.change({ kind: 'adjust', petId: 1n, delta: -7 }), 'stock_reserved');
  assert.equal(shop.change({ kind: 'adjust', petId: 1n, delta: -6 }), 'done');
  assert.equal(shop.change({ kind: 'adjust', petId: 1n, delta: -1, takesReserved: true }), 'done');
  assert.equal(shop.change({ kind: 'set', petId: 1n, quantity: 2 }), 'done');
  assert.deepEqual(shop.units(1n), [2, 4, -2]);
  assert.equal(shop.stock.get(1n)?.alertLevel, 'oversold');
  assert.equal(shop.place({ 1: 1 }).code, 'insufficient_stock');
  assert.equal(shop.change({ kind: 'adjust', petId: 1n, delta: 1 }), 'done', 'more stock is always accepted');
  assert.equal(shop.step('deliver').code, 'insufficient_stock');
  assert.equal(shop.step('deliver', 1, { lines: [{ petId: 1n, quantity: 3 }] }).code, 'done');
  assert.deepEqual(shop.units(1n), [0, 1, -1]);
  assert.equal(shop.step('cancel').code, 'done');
  assert.deepEqual(shop.units(1n), [0, 0, 0]);
});

test('a placed order expires at its time and not before, and no other step is possible then', () => {
  const shop = shopWith('placed');
  assert.equal(shop.orders.get(1)?.expiresAtMs, NOW_MS + HOLD_MS);
  shop.nowMs += HOLD_MS - 1;
  assert.equal(shop.step('expire').code, 'invalid_transition');
  shop.nowMs += 1;
  const before = shop.state();
  for (const step of ['approve', 'cancel'] as const) assert.equal(shop.step(step).code, 'expiry_passed');
  assert.deepEqual(shop.state(), before);
  const command = { kind: 'step', step: 'expire', orderId: 1 } as const;
  assert.equal(shop.run(command, serviceAuthor(shop.nowMs)).code, 'done');
  assert.equal(shop.run(command, serviceAuthor(shop.nowMs)).code, 'invalid_transition', 'exactly once');
  assert.deepEqual(
    [shop.units(1n), shop.units(2n)],
    [
      [10, 0, 10],
      [5, 0, 5],
    ],
  );
});

test('an approved order does not expire, and neither does one without an expiry', () => {
  const shop = shopWith('approved');
  shop.place({ 1: 1 }, { expiresAtMs: null });
  shop.nowMs += 365 * 86_400_000;
  for (const orderId of [1, 2]) assert.equal(shop.step('expire', orderId).code, 'invalid_transition');
  assert.equal(shop.step('deliver').code, 'done');
  assert.equal(shop.step('approve', 2).code, 'done');
});

test('an expiry that is not in the future is refused', () => {
  const shop = new OrderShop();
  const before = shop.state();
  for (const expiresAtMs of [NOW_MS, NOW_MS - 1]) {
    assert.equal(shop.place({ 1: 1 }, { expiresAtMs }).code, 'expiry_passed');
  }
  assert.deepEqual(shop.state(), before);
  assert.equal(shop.place({ 1: 1 }, { expiresAtMs: NOW_MS + 1 }).order?.expiresAtMs, NOW_MS + 1);
});

test('a step with the tag of an earlier state is refused, before anything else is looked at', () => {
  const shop = shopWith('placed');
  const placed = orderTag(shop.orders.get(1) as Order);
  assert.equal(shop.step('approve', 1, { ifNoneMatch: [placed] }).code, 'precondition_failed');
  assert.equal(shop.step('approve', 1, { ifMatch: ['other', placed] }).code, 'done');
  const before = shop.state();
  for (const step of ORDER_STEPS) {
    assert.equal(shop.step(step, 1, { ifMatch: [placed] }).code, 'precondition_failed', step);
    assert.equal(shop.step(step, 1, { ifNoneMatch: '*' }).code, 'precondition_failed', step);
  }
  assert.deepEqual(shop.state(), before);
  assert.equal(shop.step('cancel', 1, { ifMatch: '*', ifNoneMatch: [placed] }).code, 'done');
});

test('a movement of an order is undone by the steps of the order alone', () => {
  const shop = shopWith('delivered');
  for (let sequence = 1; sequence <= shop.sequence; sequence += 1) {
    const result = shop.run({ kind: 'revert', sequence }, serviceAuthor(NOW_MS));
    assert.ok(result.kind === 'single');
    assert.deepEqual([result.code, result.orderId], ['movement_of_order', 1]);
  }
});

test('orders of one commit have ids and movements one after the other, whatever is refused between', () => {
  const shop = new OrderShop();
  const codes = [4, 7, 4, 3, 2].map((units) => shop.place({ 1: units }).code);
  assert.deepEqual(codes, ['done', 'insufficient_stock', 'done', 'insufficient_stock', 'done']);
  assert.deepEqual([[...shop.orders.keys()], shop.sequence], [[1, 2, 3], 3]);
  assert.deepEqual(shop.units(1n), [10, 10, 0]);
});

test('a step that names a pet twice moves and counts all of its units, and never more than are left', () => {
  const shop = shopWith('approved');
  const twice = (...quantities: number[]) => ({
    lines: quantities.map((quantity) => ({ petId: 1n, quantity })),
  });
  const before = shop.state();
  const tooMany = shop.step('deliver', 1, twice(3, 2));
  assert.deepEqual([tooMany.code, tooMany.line], ['too_many_units', 1]);
  assert.deepEqual(shop.state(), before);
  assert.equal(shop.step('deliver', 1, twice(1, 2)).code, 'done');
  assert.equal(shop.orders.get(1)?.lines[0]?.delivered, 3);
  assert.deepEqual(shop.units(1n), [7, 1, 6]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_HASH } from '../../../src/domain/ledger/ledger.ts';
import type { MovementJson } from '../checker/movement-pages.ts';
import { examineOrders, type OrderEvidence, releasesOf } from './order-examination.ts';
import type { ClientStep, OrderJson, OrderOperation, OrderOutcome } from './order-operation.ts';

const [ONE, TWO] = [1n, 2n ** 53n + 1n];
const PLACED_AT = '2026-07-01T12:00:00.000Z';
const EXPIRES_AT = '2026-07-01T12:30:00.000Z';

type Moved = readonly [
  kind: MovementJson['kind'],
  petId: bigint,
  orderId: number,
  units: number,
  mark: string | null,
];

/** Movements of two pets of which 9 each are in stock, with the marks of their steps. */
function ledger(steps: readonly Moved[]): MovementJson[] {
  const stock = new Map([ONE, TWO].map((petId) => [petId, { quantity: 9, reserved: 0, version: 1 }]));
  return steps.map(([kind, petId, orderId, units, mark], index) => {
    const before = stock.get(petId)!;
    const quantity = before.quantity + (kind === 'deliver' ? -units : kind === 'return' ? units : 0);
    const held = kind === 'reserve' ? units : kind === 'return' ? 0 : -units;
    const after = { quantity, reserved: before.reserved + held, version: before.version + 1 };
    stock.set(petId, after);
    return {
      ...{
        sequence: index + 1,
        petId,
        kind,
        orderId,
        version: after.version,
        delta: quantity - before.quantity,
      },
      ...{ quantityBefore: before.quantity, quantityAfter: quantity },
      ...{ reservedBefore: before.reserved, reservedAfter: after.reserved },
      ...{
        statusBefore: 'available',
        statusAfter: 'available',
        alertBefore: null,
        alertAfter: null,
        alert: null,
      },
      ...{ reason: null, note: null, referenceDocumentUri: null, referenceId: mark, occurredAt: null },
      recordedAt: mark === null ? EXPIRES_AT : PLACED_AT,
      actor: mark === null ? { keyId: null, name: 'service' } : { keyId: 'key_1', name: 'till' },
      requestId: mark === null ? null : `request of ${mark}`,
      ...{ revertedSequence: null, previousSequence: null, hash: FIRST_HASH },
    };
  });
}

function order(
  orderId: number,
  status: OrderJson['status'],
  version: number,
  ...counts: readonly number[][]
): OrderJson {
  const lines = counts.map(([quantity = 0, delivered = 0, returned = 0], index) => {
    const reserved = status === 'placed' || status === 'approved' ? quantity - delivered : 0;
    return { petId: [ONE, TWO][index]!, quantity, delivered, returned, reserved };
  });
  return { orderId, status, version, lines, referenceId: null, expiresAt: orderId === 2 ? EXPIRES_AT : null };
}

let atMs = 0;

/** An operation after all others. */
function operation(
  step: ClientStep | 'read',
  outcome: OrderOutcome,
  more: Partial<OrderOperation['action']> = {},
): OrderOperation {
  atMs += 10;
  const orderId = outcome.result === 'done' ? outcome.order.orderId : 1;
  return {
    ...{ client: 'a', actor: 'key_1', invokedAtMs: atMs, returnedAtMs: atMs + 5 },
    action: { step, orderId, ...more },
    outcome,
    requestIds: [],
    requestId: more.mark === undefined ? undefined : `request of ${more.mark}`,
  };
}

const done = (made: OrderJson): OrderOutcome => ({ result: 'done', order: made });
const refused = (refusal: 'invalid_transition' | 'conflict' | 'precondition_failed') =>
  ({ result: 'refused', refusal }) as const;

const MOVED: readonly Moved[] = [
  ['reserve', ONE, 1, 4, 'place'],
  ['reserve', TWO, 1, 2, 'place'],
  ['deliver', ONE, 1, 3, 'deliver'],
  ['reserve', ONE, 2, 5, 'other'],
  ['release', ONE, 1, 1, 'cancel'],
  ['release', TWO, 1, 2, 'cancel'],
  ['return', ONE, 1, 1, 'return'],
  ['release', ONE, 2, 5, null],
];

const PLACED = order(1, 'placed', 1, [4], [2]);
const APPROVED = order(1, 'approved', 2, [4], [2]);
const DELIVERED = order(1, 'approved', 3, [4, 3], [2]);
const CANCELLED = order(1, 'cancelled', 4, [4, 3], [2]);
const RETURNED = order(1, 'cancelled', 5, [4, 3, 1], [2]);

/** A past without a fault: one order that was delivered in part, cancelled and returned in part, and one that expired. */
function evidence(): OrderEvidence & { operations: OrderOperation[] } {
  atMs = 0;
  return {
    orders: [RETURNED, order(2, 'expired', 2, [5])],
    movements: ledger(MOVED),
    operations: [
      operation('place', done(PLACED), { mark: 'place' }),
      operation('deliver', refused('invalid_transition'), { mark: 'early', units: new Map([[ONE, 1]]) }),
      operation('approve', { result: 'unknown' }),
      operation('read', done(APPROVED)),
      operation('deliver', done(DELIVERED), { mark: 'deliver', units: new Map([[ONE, 3]]) }),
      operation('place', done(order(2, 'placed', 1, [5])), { mark: 'other' }),
      operation('deliver', refused('conflict'), { mark: 'more', units: new Map([[ONE, 2]]) }),
      operation('cancel', done(CANCELLED), { mark: 'cancel', ifVersion: 3 }),
      operation('approve', refused('precondition_failed'), { ifVersion: 1 }),
      operation('return', { result: 'unknown' }, { mark: 'return', units: new Map([[ONE, 1]]) }),
      operation('read', done(RETURNED)),
    ],
    items: [ONE, TWO].map((petId) => ({ petId, quantity: 9, status: 'available', reserved: 0 })),
    sinceOrderId: 0,
  };
}

type Evidence = ReturnType<typeof evidence>;

function withMoved(index: number, moved: Moved): (true_: Evidence) => Evidence {
  return (past) => ({ ...past, movements: ledger(MOVED.with(index, moved)) });
}

function without(index: number): (past: Evidence) => Evidence {
  return (past) => ({ ...past, movements: ledger(MOVED.toSpliced(index, 1)) });
}

function withOperation(made: () => OrderOperation): (past: Evidence) => Evidence {
  return (past) => ({ ...past, operations: [...past.operations, made()] });
}

function withOperationAt(index: number, change: Partial<OrderOperation>): (past: Evidence) => Evidence {
  return (past) => ({
    ...past,
    operations: past.operations.with(index, { ...past.operations[index]!, ...change }),
  });
}

const PLANTED: Readonly<Record<string, readonly [(past: Evidence) => Evidence, RegExp]>> = {
  'a line that was not reserved': [without(1), /its movements make/],
  'a line reserved apart from the others': [
    (past) => ({
      ...past,
      movements: ledger([MOVED[0]!, MOVED[3]!, MOVED[1]!, ...MOVED.slice(2, 3), ...MOVED.slice(4)]),
    }),
    /movement 1 is apart from the others of its step/,
  ],
  'more units delivered than ordered': [
    withMoved(2, ['deliver', ONE, 1, 5, 'deliver']),
    /moves more units than are left/,
  ],
  'more units returned than delivered': [
    withMoved(6, ['return', ONE, 1, 4, 'return']),
    /moves more units than are left/,
  ],
  'a release of a part': [withMoved(4, ['release', ONE, 1, 2, 'cancel']), /does not release what is left/],
  'a line that was not released': [without(5), /does not release what is left/],
  'an order that expired twice': [
    (past) => ({
      ...past,
      movements: [...past.movements, { ...past.movements[7]!, sequence: 9, requestId: 'again' }],
    }),
    /follows the status expired|comes before|has version 2, but 3 steps/,
  ],
  'an expiry before its time': [
    (past) => ({
      ...past,
      movements: past.movements.with(7, { ...past.movements[7]!, recordedAt: PLACED_AT }),
    }),
    /comes before the expiry/,
  ],
  'a delivery without an approval': [
    (past) => ({ ...past, orders: past.orders.with(0, { ...RETURNED, version: 4 }) }),
    /a deliver, follows the status placed/,
  ],
  'a step without a movement': [
    (past) => ({ ...past, orders: past.orders.with(0, { ...RETURNED, version: 6 }) }),
    /has version 6, but 4 steps with movements/,
  ],
  'a placement that is lost': [
    withOperation(() => operation('place', done(order(3, 'placed', 1, [1])), { mark: 'lost' })),
    /Order 3 was acknowledged, but is not there/,
  ],
  'a gap in the orders': [(past) => ({ ...past, orders: past.orders.slice(1) }), /Order 2 is the 1\. one/],
  'an acknowledged step that is lost': [
    withOperation(() => operation('return', done({ ...RETURNED, version: 6 }), { mark: 'lost' })),
    /made version 6, which there is not/,
  ],
  'one version made twice': [
    withOperation(() => operation('cancel', done(CANCELLED), { mark: 'cancel' })),
    /shares its version with/,
  ],
  'a step without a request': [
    (past) => ({ ...past, operations: past.operations.filter(({ action }) => action.step !== 'cancel') }),
    /no operation requested the cancel of version 4/,
  ],
  'an approval without a request': [
    (past) => ({ ...past, operations: past.operations.filter(({ action }) => action.step !== 'approve') }),
    /no operation requested the approve of version 2/,
  ],
  'a refused step that took effect': [
    withOperationAt(7, { outcome: refused('conflict') }),
    /conflict\n {2}but it made version 4/,
  ],
  'other units than requested': [
    withOperationAt(4, {
      action: { step: 'deliver', orderId: 1, mark: 'deliver', units: new Map([[ONE, 2]]) },
    }),
    /but its movements move other units/,
  ],
  'a step of a version that had changed': [
    withOperationAt(7, { action: { step: 'cancel', orderId: 1, mark: 'cancel', ifVersion: 2 } }),
    /but it followed version 3/,
  ],
  'an answer that shows another state': [
    withOperationAt(4, { outcome: done({ ...DELIVERED, lines: APPROVED.lines }) }),
    /but it made version 3/,
  ],
  'steps against time': [withOperationAt(7, { invokedAtMs: 1, returnedAtMs: 2 }), /had returned before/],
  'a stale read': [
    withOperation(() => operation('read', done(DELIVERED))),
    /is true of no version from 5 to 5/,
  ],
  'a read of the future': [
    (past) => ({
      ...past,
      operations: past.operations.with(3, { ...past.operations[3]!, outcome: done(CANCELLED) }),
    }),
    /is true of no version/,
  ],
  'a refusal of a possible step': [
    withOperation(() =>
      operation('return', refused('invalid_transition'), { mark: 'no', units: new Map([[ONE, 1]]) }),
    ),
    /is true of no version/,
  ],
  'a reservation that no open line explains': [
    (past) => ({ ...past, items: past.items.map((item) => ({ ...item, reserved: 1 })) }),
    /has 1 units reserved, but open orders hold 0/,
  ],
  'movements of an order that is not there': [
    (past) => ({ ...past, orders: past.orders.slice(0, 1) }),
    /Order 2 has movements, but is not there/,
  ],
};

test('a true past of orders has no fault', () => {
  assert.deepEqual(examineOrders(evidence()), []);
});

for (const [what, [plant, shown]] of Object.entries(PLANTED)) {
  test(`the examination of orders finds ${what}`, () => {
    assert.match(examineOrders(plant(evidence())).join('\n'), shown);
  });
}

test('a release is an operation of the client that cancelled, or of the service after the expiry', () => {
  const releases = releasesOf(evidence());
  assert.deepEqual(
    releases.map(({ petId, operation: { client, action, outcome } }) => [petId, client, action, outcome]),
    [
      [ONE, 'a', { kind: 'release', units: 1 }, { result: 'done', sequence: 5 }],
      [TWO, 'a', { kind: 'release', units: 2 }, { result: 'done', sequence: 6 }],
      [ONE, 'service', { kind: 'release', units: 5 }, { result: 'unknown', sequence: 8 }],
    ],
  );
});

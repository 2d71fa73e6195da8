import type { Operation } from '../checker/history.ts';
import type { MovementJson } from '../checker/movement-pages.ts';
import type { ItemJson } from '../requests.ts';
import { orderFaults } from './order-check.ts';
import type { OrderJson, OrderOperation } from './order-operation.ts';
import { heldUnits, pastOf } from './order-states.ts';

/** What remains of a race about its orders. */
export interface OrderEvidence {
  /** All orders after the race, ascending. */
  readonly orders: readonly OrderJson[];
  readonly movements: readonly MovementJson[];
  readonly operations: readonly OrderOperation[];
  /** The pets of the race. */
  readonly items: readonly ItemJson[];
  /** The newest order before the race. */
  readonly sinceOrderId: number;
}

/** Faults of the orders of a race, alone and compared with the stock and with the answers to the clients. */
export function examineOrders(evidence: OrderEvidence): string[] {
  const { orders, movements, operations, sinceOrderId } = evidence;
  const byOrder = Map.groupBy(movements, ({ orderId }) => orderId ?? 0);
  const operationsOf = Map.groupBy(operations, ({ action }) => action.orderId ?? 0);
  const marked = new Map(
    movements
      .filter(({ kind }) => kind === 'reserve')
      .map(({ referenceId, orderId }) => [referenceId, orderId]),
  );
  // A placement without an answer is known by its mark.
  for (const operation of operationsOf.get(0) ?? []) {
    const orderId = marked.get(operation.action.mark ?? '') ?? 0;
    if (orderId > 0) operationsOf.set(orderId, [...(operationsOf.get(orderId) ?? []), operation]);
  }
  const known = new Set(orders.map(({ orderId }) => orderId));
  return [
    ...orders.flatMap(({ orderId }, index) =>
      orderId === index + 1 ? [] : [`Order ${orderId} is the ${index + 1}. one.`],
    ),
    ...[...byOrder.keys()]
      .filter((orderId) => orderId > 0 && !known.has(orderId))
      .map((orderId) => `Order ${orderId} has movements, but is not there.`),
    ...orders
      .filter(({ orderId }) => orderId > sinceOrderId)
      .flatMap((order) =>
        orderFaults(pastOf(order, byOrder.get(order.orderId) ?? []), operationsOf.get(order.orderId) ?? []),
      ),
    ...lostOrders(operations, known),
    ...wrongReservations(evidence),
  ];
}

function lostOrders(operations: readonly OrderOperation[], known: ReadonlySet<number>): string[] {
  return operations.flatMap(({ action, outcome }) =>
    action.step === 'place' && outcome.result === 'done' && !known.has(outcome.order.orderId)
      ? [`Order ${outcome.order.orderId} was acknowledged, but is not there.`]
      : [],
  );
}

/** The reserved units of each pet are those of the open lines. */
function wrongReservations({ orders, items }: OrderEvidence): string[] {
  return items.flatMap(({ petId, reserved }) => {
    const lines = orders.flatMap((order) =>
      order.lines.filter((line) => line.petId === petId).map((line) => heldUnits(order.status, line)),
    );
    const held = lines.reduce((sum, units) => sum + units, 0);
    return reserved === held
      ? []
      : [`Pet ${petId} has ${reserved} units reserved, but open orders hold ${held}.`];
  });
}

/**
 * The releases as operations on their pets: what a cancellation releases is only known from the ledger, and an
 * expiry has no request.
 */
export function releasesOf({
  movements,
  operations,
  orders,
}: OrderEvidence): { readonly petId: bigint; readonly operation: Operation }[] {
  const byMark = new Map(operations.map((operation) => [operation.action.mark, operation]));
  const expiries = new Map(orders.map(({ orderId, expiresAt }) => [orderId, Date.parse(expiresAt ?? '')]));
  return movements
    .filter(({ kind }) => kind === 'release')
    .map(({ petId, orderId, referenceId, reservedBefore, reservedAfter, sequence, actor }) => {
      const action = { kind: 'release', units: reservedBefore - reservedAfter } as const;
      const requested = referenceId === null ? undefined : byMark.get(referenceId);
      if (!requested)
        return {
          petId,
          operation: expiry({ action, sequence, actor: actor.name, atMs: expiries.get(orderId ?? 0) }),
        };
      const { client, invokedAtMs, returnedAtMs, requestIds, requestId, outcome } = requested;
      const trace = { client, invokedAtMs, returnedAtMs, action, actor: requested.actor, requestIds };
      const result = outcome.result === 'refused' ? 'failed' : outcome.result;
      const isMade = result === 'done' || result === 'unknown';
      return {
        petId,
        operation: {
          ...trace,
          outcome: isMade ? { result, sequence } : { result },
          idempotencyKey: referenceId!,
          ...(requestId !== undefined && { requestId }),
        },
      };
    });
}

/** No client gets an answer to an expiry, so that it is an operation without an answer. It cannot come before its time. */
function expiry({
  action,
  sequence,
  actor,
  atMs,
}: {
  action: Operation['action'];
  sequence: number;
  actor: string;
  atMs: number | undefined;
}): Operation {
  return {
    ...{ client: 'service', actor, action },
    invokedAtMs: Number.isFinite(atMs) ? atMs! - performance.timeOrigin - CLOCK_TOLERANCE_MS : 0,
    returnedAtMs: Number.POSITIVE_INFINITY,
    outcome: { result: 'unknown', sequence },
  };
}

const CLOCK_TOLERANCE_MS = 250;

import { type Order, orderTag } from '../../src/domain/orders/orders.ts';
import type { ExactJson } from '../support/exact-json.ts';
import { NOON } from '../support/harness.ts';
import { isNamed, type OrderMove, type Outcome, StockModel } from './model.ts';

/** How long an order without an expiry holds its units, by default. */
const HOLD_MS = 1_800_000;

export type KnownOrder = Pick<Order, 'orderId' | 'status' | 'version' | 'lines' | 'expiresAtMs'> & {
  readonly referenceId: string | null;
  readonly note: string | null;
};

/** The body of a request about an order. */
export interface OrderBody {
  readonly lines?: readonly { readonly petId: number | bigint; readonly quantity?: number }[];
  readonly expiresAt?: string | null;
  readonly reason?: string | null;
  readonly note?: string | null;
  readonly referenceId?: string | null;
}

export type StepName = 'approve' | 'deliver' | 'cancel' | 'return';

/** A step of an order, with the headers of its request. */
export interface StepWish {
  readonly step: StepName;
  readonly orderId: number;
  readonly body: OrderBody;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

export interface OrderAnswer extends Outcome {
  readonly order?: KnownOrder;
}

type Line = KnownOrder['lines'][number];

const KINDS = { deliver: 'deliver', cancel: 'release', return: 'return' } as const;

/** Stock and orders as a client knows them after all answers. The clock does not advance, so that no order expires. */
export class ShopModel extends StockModel {
  readonly orders: KnownOrder[] = [];

  orderTag(orderId: number): string | undefined {
    const order = this.orders[orderId - 1];
    return order && tagOf(order);
  }

  place({ lines = [], expiresAt, reason = null, note = null, referenceId = null }: OrderBody): OrderAnswer {
    const expiresAtMs =
      expiresAt === undefined ? NOON + HOLD_MS : expiresAt && Math.floor(Date.parse(expiresAt));
    if (typeof expiresAtMs === 'number' && expiresAtMs <= NOON)
      return { status: 400, code: 'validation_failed' };
    const orderId = this.orders.length + 1;
    const order: KnownOrder = {
      ...{
        orderId,
        status: 'placed',
        version: 1,
        expiresAtMs: expiresAtMs === null ? null : Number(expiresAtMs),
      },
      ...{ referenceId, note },
      lines: lines.map(({ petId, quantity = 0 }) => {
        return { petId: BigInt(petId), quantity: quantity + 0, delivered: 0, returned: 0 };
      }),
    };
    const moves = order.lines.map(({ petId, quantity }) => ({ petId, units: quantity }));
    return this.#move(moves, { kind: 'reserve', orderId, reason }) ?? this.#keep(order, 201);
  }

  step({ step, orderId, body, ifMatch, ifNoneMatch }: StepWish): OrderAnswer {
    const order = this.orders[orderId - 1];
    if (!order) return { status: 404, code: 'not_found' };
    const isSame = ifMatch === undefined || isNamed(ifMatch, tagOf(order));
    if (!isSame || (ifNoneMatch !== undefined && isNamed(ifNoneMatch, tagOf(order))))
      return { status: 412, code: 'precondition_failed' };
    const lines = body.lines ?? whole(order, step);
    if (!isPossible(step, order) || (step === 'return' && lines.length === 0))
      return { status: 409, code: 'invalid_transition' };
    if (step === 'approve') return this.#keep({ ...order, status: 'approved' }, 200);
    const moves: { petId: bigint; units: number }[] = [];
    for (const { petId, quantity } of lines) {
      const line = order.lines.find((one) => one.petId === BigInt(petId));
      if (!line) return { status: 404, code: 'not_found' };
      const units = quantity ?? left(line, step);
      if (units === 0 || units > left(line, step)) return { status: 409, code: 'conflict' };
      moves.push({ petId: line.petId, units });
    }
    const refusal = this.#move(moves, { kind: KINDS[step], orderId, reason: body.reason ?? null });
    return refusal ?? this.#keep(moved(order, step, moves), 200);
  }

  /** Takes the orders as the service has them. */
  reloadOrders(orders: readonly KnownOrder[]): void {
    this.orders.splice(0, this.orders.length, ...orders);
  }

  #move(
    moves: readonly Pick<OrderMove, 'petId' | 'units'>[],
    shared: Pick<OrderMove, 'kind' | 'orderId' | 'reason'>,
  ): Outcome | undefined {
    let refusal: Outcome | undefined;
    this.savepoint(() => {
      for (const move of moves) {
        const outcome = this.moveForOrder({ ...move, ...shared });
        if (outcome.status !== 200) refusal ??= outcome;
      }
      return refusal === undefined;
    });
    return refusal;
  }

  #keep(order: KnownOrder, status: number): OrderAnswer {
    const known = this.orders[order.orderId - 1];
    const kept = known ? { ...order, version: known.version + 1 } : order;
    this.orders[order.orderId - 1] = kept;
    return { status, order: kept };
  }
}

function tagOf(order: KnownOrder): string {
  return `"${orderTag({ ...order, updatedAtMs: NOON } as Order)}"`;
}

function isPossible(step: StepName, { status }: KnownOrder): boolean {
  switch (step) {
    case 'approve':
      return status === 'placed';
    case 'deliver':
      return status === 'approved';
    case 'cancel':
      return status === 'placed' || status === 'approved';
    case 'return':
      return status !== 'placed' && status !== 'expired';
  }
}

function left({ quantity, delivered, returned }: Line, step: StepName): number {
  return step === 'return' ? delivered - returned : quantity - delivered;
}

function whole({ lines }: KnownOrder, step: StepName): OrderBody['lines'] & object {
  return lines
    .filter((line) => left(line, step) > 0)
    .map((line) => ({ petId: line.petId, quantity: left(line, step) }));
}

function moved(
  order: KnownOrder,
  step: StepName,
  moves: readonly { readonly petId: bigint; readonly units: number }[],
): KnownOrder {
  if (step === 'cancel') return { ...order, status: 'cancelled' };
  const lines = order.lines.map((line) => {
    const units = moves.find(({ petId }) => petId === line.petId)?.units ?? 0;
    return step === 'deliver'
      ? { ...line, delivered: line.delivered + units }
      : { ...line, returned: line.returned + units };
  });
  const isDelivered = step === 'deliver' && lines.every((line) => line.delivered === line.quantity);
  return { ...order, lines, ...(isDelivered && { status: 'delivered' }) };
}

/** The compared fields of an order in an answer. */
export function knownOrder(json: ExactJson): KnownOrder {
  const { orderId, status, version, lines, expiresAt, referenceId, note } = json as unknown as OrderJson;
  return {
    ...{ orderId, status, version, referenceId, note },
    expiresAtMs: expiresAt === null ? null : Date.parse(expiresAt),
    lines: lines.map(({ petId, quantity, delivered, returned }) => {
      return { petId: BigInt(petId), quantity, delivered, returned };
    }),
  };
}

interface OrderJson extends Omit<KnownOrder, 'lines' | 'expiresAtMs'> {
  readonly expiresAt: string | null;
  readonly lines: readonly (Omit<Line, 'petId'> & { readonly petId: number | bigint })[];
}

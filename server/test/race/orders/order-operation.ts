import type { OrderStatus } from '@petstore-inventory/shared/words';

/** A line in the JSON of an order. */
export interface LineJson {
  readonly petId: bigint;
  readonly quantity: number;
  readonly delivered: number;
  readonly returned: number;
  readonly reserved: number;
}

/** An order in the JSON of the service. */
export interface OrderJson {
  readonly orderId: number;
  readonly status: OrderStatus;
  readonly version: number;
  readonly lines: readonly LineJson[];
  readonly referenceId: string | null;
  readonly expiresAt: string | null;
}

export type ClientStep = 'place' | 'approve' | 'deliver' | 'cancel' | 'return';

/** The refusals that depend on the order or on the stock of a line. */
export type OrderRefusal = 'precondition_failed' | 'invalid_transition' | 'conflict' | 'insufficient_stock';

/** What a client wants to do with an order. */
export interface OrderAction {
  readonly step: ClientStep | 'read';
  /** Not known of one that is placed, before the answer. */
  readonly orderId?: number;
  /** The units of each pet that it moves; without it, all that are left. */
  readonly units?: ReadonlyMap<bigint, number>;
  /** `If-Match` with the tag that the order had at this version. */
  readonly ifVersion?: number;
  /** The `referenceId` of its movements, which no other operation has. */
  readonly mark?: string;
}

export type OrderOutcome =
  | { readonly result: 'done'; readonly order: OrderJson }
  | { readonly result: 'refused'; readonly refusal: OrderRefusal }
  | { readonly result: 'failed' }
  | { readonly result: 'unknown' };

/** One operation on one order. Tries again with the same key are the same operation, as for a pet. */
export interface OrderOperation {
  readonly client: string;
  readonly actor: string;
  /** By the monotonic clock of all clients. */
  readonly invokedAtMs: number;
  readonly returnedAtMs: number;
  readonly action: OrderAction;
  readonly outcome: OrderOutcome;
  /** The `X-Request-Id` of each try that is known. */
  readonly requestIds: readonly string[];
  /** That of the answer, where it was no repetition of an earlier one. */
  readonly requestId: string | undefined;
}

/** Whether an operation returned before another one was invoked. One without an answer never returned. */
export function isBefore(one: OrderOperation, other: OrderOperation): boolean {
  return one.outcome.result !== 'unknown' && one.returnedAtMs < other.invokedAtMs;
}

export function describe({ client, action, outcome, invokedAtMs, returnedAtMs }: OrderOperation): string {
  const { step, orderId, units, ifVersion } = action;
  const moved = units ? [...units].map(([petId, count]) => ` ${count} of pet ${petId}`).join(',') : '';
  const condition = ifVersion === undefined ? '' : ` if version is ${ifVersion}`;
  const result =
    outcome.result === 'done'
      ? `version ${outcome.order.version}, ${outcome.order.status}`
      : outcome.result === 'refused'
        ? outcome.refusal
        : outcome.result;
  const times = `[${invokedAtMs.toFixed(3)}, ${outcome.result === 'unknown' ? 'never' : returnedAtMs.toFixed(3)}]`;
  return `${times} ${client}: ${step} order ${orderId ?? 'new'}${moved}${condition} -> ${result}`;
}

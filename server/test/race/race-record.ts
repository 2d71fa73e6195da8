import type { History, Operation, Outcome } from './checker/history.ts';
import type { MovementJson } from './checker/movement-pages.ts';
import type { OrderAction, OrderOperation, OrderOutcome } from './orders/order-operation.ts';
import type { OrderSighting } from './orders/order-requests.ts';
import type { ItemJson, Part, ReceivedList } from './requests.ts';

const MAX_MOVEMENTS = 60;
const MAX_ORDERS = 25;

/** One try or more of one request, all that is known of it. */
export interface RequestTrace {
  readonly client: string;
  readonly actor: string;
  readonly invokedAtMs: number;
  readonly requestIds: readonly string[];
  /** That of the answer, where it was no repetition of an earlier one. */
  readonly requestId: string | undefined;
}

/** The observations of all clients of a race, for the examination afterwards. */
export class RaceRecord {
  readonly lists: ReceivedList[] = [];
  /** Faults that clients observed, one sentence each. */
  readonly faults: string[] = [];
  readonly counts = new Map<string, number>();
  /** The parts of each atomic batch. */
  readonly atomicBatches: (readonly Part[])[] = [];
  /** Movements that clients may revert, the newest last. */
  readonly movements: MovementJson[] = [];
  /** Orders that clients may take steps of, each as an answer showed it last. */
  readonly orders: OrderSighting[] = [];
  readonly orderOperations: OrderOperation[] = [];
  readonly #initial: ReadonlyMap<bigint, ItemJson>;
  readonly #operations = new Map<bigint, Operation[]>();
  readonly #namedBy = new Map<string, string>();

  constructor(initial: readonly ItemJson[]) {
    this.#initial = new Map(initial.map((item) => [item.petId, item]));
    for (const { petId } of initial) this.#operations.set(petId, []);
  }

  get petIds(): readonly bigint[] {
    return [...this.#initial.keys()];
  }

  note({ petId, action, mark }: Part, outcome: Outcome, trace: RequestTrace): void {
    const { requestId, ...rest } = trace;
    this.#operations.get(petId)?.push({
      ...rest,
      returnedAtMs: performance.now(),
      action,
      outcome,
      ...(mark === undefined ? {} : { idempotencyKey: mark }),
      ...(requestId === undefined ? {} : { requestId }),
    });
    this.count(`${action.kind} ${outcome.result}`);
  }

  noteOrder(action: OrderAction, outcome: OrderOutcome, trace: RequestTrace): void {
    const orderId = outcome.result === 'done' ? outcome.order.orderId : action.orderId;
    const known = orderId === undefined ? action : { ...action, orderId };
    this.orderOperations.push({ ...trace, returnedAtMs: performance.now(), action: known, outcome });
    this.count(`${action.step} order ${outcome.result}`);
  }

  /** Remembers an order for the next steps; an older answer that arrives later does not replace a newer one. */
  seeOrder(seen: OrderSighting): void {
    const { orderId, version } = seen.order;
    this.#noteTag(`version ${version} of order ${orderId}`, seen.tag);
    const index = this.orders.findIndex(({ order }) => order.orderId === orderId);
    if (index >= 0 && this.orders[index]!.order.version >= version) return;
    if (index >= 0) this.orders.splice(index, 1);
    this.orders.push(seen);
    if (this.orders.length > MAX_ORDERS) this.orders.shift();
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  noteMovement(movement: MovementJson): void {
    this.movements.push(movement);
    if (this.movements.length > MAX_MOVEMENTS) this.movements.shift();
  }

  /** An entity tag names one version of one pet, and each version has one tag. */
  noteTag(petId: bigint, version: number, tag: string): void {
    // That of a pet's item also names the days that its stock lasts.
    this.#noteTag(`version ${version} of pet ${petId}`, tag.replace(/\.[0-9a-z]+"$/, '"'));
  }

  #noteTag(item: string, tag: string): void {
    for (const [one, other] of [
      [tag, item],
      [item, tag],
    ] as const) {
      const known = this.#namedBy.get(one);
      if (known !== undefined && known !== other) this.faults.push(`${one} goes with ${known} and ${other}.`);
      this.#namedBy.set(one, other);
    }
  }

  /** @param releases Operations that no client requested of a pet. */
  histories(releases: readonly { readonly petId: bigint; readonly operation: Operation }[] = []): History[] {
    return [...this.#initial.values()].map(({ petId, quantity, reserved = 0, status, version = 1 }) => ({
      petId,
      initial: { quantity, reserved, status, version },
      operations: [
        ...(this.#operations.get(petId) ?? []),
        ...releases.filter((release) => release.petId === petId).map(({ operation }) => operation),
      ],
    }));
  }
}

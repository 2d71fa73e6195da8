import type { OrderStatus } from '@petstore-inventory/shared/words';
import type { MovementJson } from '../checker/movement-pages.ts';
import type { LineJson, OrderJson } from './order-operation.ts';

/** An order after one of its steps. */
export interface OrderState {
  readonly version: number;
  readonly status: OrderStatus;
  readonly lines: readonly Omit<LineJson, 'reserved'>[];
  /** The step that led to it. */
  readonly step: 'place' | 'approve' | 'deliver' | 'cancel' | 'expire' | 'return';
  /** Units per pet that the step moved; none for an approval. */
  readonly units: ReadonlyMap<bigint, number>;
  /** The mark of the movements. */
  readonly mark: string | null;
  readonly requestId: string | null;
}

/** All states of an order from its movements, and what is wrong with these, one sentence each. */
export interface OrderPast {
  readonly order: OrderJson;
  readonly states: readonly OrderState[];
  readonly faults: readonly string[];
}

type Step = readonly MovementJson[];

/**
 * Replays an order from its movements. The only step without a movement is the approval; it follows the placement,
 * because every other step from `placed` closes the order. So the number of versions shows whether there was one.
 */
export function pastOf(order: OrderJson, movements: readonly MovementJson[]): OrderPast {
  const steps = stepsOf(movements);
  const faults: string[] = [];
  const fault = (text: string) => void faults.push(`Order ${order.orderId}: ${text}`);
  const [placement, ...others] = steps;
  if (placement?.[0]?.kind !== 'reserve') fault('it was not placed by a reservation.');
  const states: OrderState[] = [placedState(order, placement ?? [])];
  const approvals = order.version - steps.length;
  if (approvals !== 0 && approvals !== 1)
    fault(`it has version ${order.version}, but ${steps.length} steps with movements.`);
  if (approvals === 1) states.push(approvedState(states[0]!));
  for (const step of steps)
    if (!isTogether(step)) fault(`movement ${step[0]!.sequence} is apart from the others of its step.`);
  for (const step of others) {
    const before = states.at(-1)!;
    const why = illegal(order, before, step);
    if (why) fault(`movement ${step[0]!.sequence}, a ${step[0]!.kind}, ${why}`);
    states.push(stateAfter(before, step));
  }
  const last = states.at(-1)!;
  if (factsOf(last) !== factsOf(order))
    fault(`it is ${factsOf(order)}, but its movements make ${factsOf(last)}.`);
  return { order, states, faults };
}

/** What an answer shows of a state. */
export function factsOf({
  version,
  status,
  lines,
}: Pick<OrderState, 'version' | 'status' | 'lines'>): string {
  const units = lines.map(
    ({ petId, quantity, delivered, returned }) => `${quantity}/${delivered}/${returned} of pet ${petId}`,
  );
  return `version ${version}, ${status}, ${units.join(', ')}`;
}

/** Units of a line that an order of this status reserves. */
export function heldUnits(status: OrderStatus, { quantity, delivered }: Omit<LineJson, 'reserved'>): number {
  return status === 'placed' || status === 'approved' ? quantity - delivered : 0;
}

/** The movements of each step: those of one kind and one request. An expiry has no request, and is the only one. */
function stepsOf(movements: readonly MovementJson[]): Step[] {
  const inOrder = movements.toSorted((a, b) => a.sequence - b.sequence);
  return [...Map.groupBy(inOrder, ({ kind, requestId }) => `${kind} ${requestId}`).values()].toSorted(
    (a, b) => a[0]!.sequence - b[0]!.sequence,
  );
}

/** Whether a step was one transaction: nothing comes between its movements. */
function isTogether(step: Step): boolean {
  return step.every(({ sequence }, index) => sequence === step[0]!.sequence + index);
}

function placedState(order: OrderJson, step: Step): OrderState {
  const lines = step.map(({ petId, reservedBefore, reservedAfter }) => {
    return { petId, quantity: reservedAfter - reservedBefore, delivered: 0, returned: 0 };
  });
  const made = {
    units: unitsOf(step),
    mark: step[0]?.referenceId ?? null,
    requestId: step[0]?.requestId ?? null,
  };
  // The movements are in the order of the lines.
  return {
    version: 1,
    status: 'placed',
    lines: step.length > 0 ? lines : order.lines,
    step: 'place',
    ...made,
  };
}

function approvedState(placed: OrderState): OrderState {
  const { lines } = placed;
  return {
    version: 2,
    status: 'approved',
    lines,
    step: 'approve',
    units: new Map(),
    mark: null,
    requestId: null,
  };
}

function unitsOf(step: Step): ReadonlyMap<bigint, number> {
  return new Map(
    step.map(({ petId, delta, reservedBefore, reservedAfter }) => {
      return [petId, Math.abs(delta) || Math.abs(reservedAfter - reservedBefore)];
    }),
  );
}

/** Why a step is not possible in a state, if it is not. */
function illegal(order: OrderJson, { status, lines }: OrderState, step: Step): string | undefined {
  const [first] = step;
  const units = unitsOf(step);
  const leaves = (left: (line: Omit<LineJson, 'reserved'>) => number) =>
    [...units].some(([petId, count]) => {
      const line = lines.find((one) => one.petId === petId);
      return !line || count > left(line);
    });
  switch (first!.kind) {
    case 'deliver':
      if (status !== 'approved') return `follows the status ${status}.`;
      return leaves((line) => line.quantity - line.delivered) ? 'moves more units than are left.' : undefined;
    case 'return':
      if (status === 'placed' || status === 'expired') return `follows the status ${status}.`;
      return leaves((line) => line.delivered - line.returned) ? 'moves more units than are left.' : undefined;
    case 'release': {
      const isExpiry = isByService(first!);
      const isOpen = status === 'placed' || (status === 'approved' && !isExpiry);
      if (!isOpen) return `follows the status ${status}.`;
      if (isExpiry && !(order.expiresAt !== null && first!.recordedAt >= order.expiresAt))
        return 'comes before the expiry.';
      const isWhole = lines.every((line) => (units.get(line.petId) ?? 0) === line.quantity - line.delivered);
      return isWhole ? undefined : 'does not release what is left.';
    }
    default:
      return 'is no step of a placed order.';
  }
}

function isByService({ actor, requestId }: MovementJson): boolean {
  return actor.keyId === null && actor.name === 'service' && requestId === null;
}

function stateAfter(before: OrderState, step: Step): OrderState {
  const [first] = step;
  const units = unitsOf(step);
  const made = { version: before.version + 1, units, mark: first!.referenceId, requestId: first!.requestId };
  if (first!.kind === 'release') {
    const isExpiry = isByService(first!);
    const [status, name] = isExpiry ? (['expired', 'expire'] as const) : (['cancelled', 'cancel'] as const);
    return { ...made, status, lines: before.lines, step: name };
  }
  const isDelivery = first!.kind === 'deliver';
  const lines = before.lines.map((line) => {
    const count = units.get(line.petId) ?? 0;
    return isDelivery
      ? { ...line, delivered: line.delivered + count }
      : { ...line, returned: line.returned + count };
  });
  const isWhole = isDelivery && lines.every((line) => line.delivered === line.quantity);
  const status = isWhole ? 'delivered' : before.status;
  return { ...made, status, lines, step: isDelivery ? 'deliver' : 'return' };
}

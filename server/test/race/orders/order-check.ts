import { describe, isBefore, type OrderOperation } from './order-operation.ts';
import { factsOf, type OrderPast, type OrderState } from './order-states.ts';

/** By how much the clock of a client may differ from that of an instance. */
const CLOCK_TOLERANCE_MS = 250;

/**
 * Checks the operations on one order against its states: each acknowledged step made one of them, with what it
 * requested; each unknown step at most one; every other answer is true of a state that its client may have seen.
 */
export function orderFaults(past: OrderPast, operations: readonly OrderOperation[]): string[] {
  const { order, states, faults } = past;
  const made = new Map<OrderOperation, number>();
  const found: string[] = [];
  const fault = (operation: OrderOperation, why: string) =>
    void found.push(`Order ${order.orderId}: ${describe(operation)}\n  ${why}`);
  const claimed = new Map<number, OrderOperation>();
  for (const operation of operations) {
    const version = versionMade(states, operation);
    if (version === undefined) continue;
    const state = states[version - 1];
    const other = claimed.get(version);
    if (!state) fault(operation, `made version ${version}, which there is not`);
    else if (other) fault(operation, `shares its version with ${describe(other)}`);
    else {
      const why = isNotMade(state, operation);
      if (why) fault(operation, why);
      claimed.set(version, operation);
      made.set(operation, version);
    }
  }
  for (const state of states) {
    const isTraced = claimed.has(state.version) || state.step === 'expire';
    if (!isTraced && !isUnknownApproval(state, operations))
      found.push(
        `Order ${order.orderId}: no operation requested the ${state.step} of version ${state.version}.`,
      );
  }
  return [...faults, ...found, ...againstTime(past, made), ...untrue(past, operations, made)];
}

/** The version that an operation made, by its answer or by the mark of its movements. */
function versionMade(states: readonly OrderState[], { action, outcome }: OrderOperation): number | undefined {
  if (action.step === 'read') return undefined;
  if (outcome.result === 'done') return outcome.order.version;
  const state = states.find(({ mark }) => mark !== null && mark === action.mark);
  return state?.version;
}

/** Why a state is not what an operation made, if it is not. */
function isNotMade(state: OrderState, { action, outcome, requestId }: OrderOperation): string | undefined {
  if (outcome.result === 'refused' || outcome.result === 'failed')
    return `but it made version ${state.version}`;
  if (state.step !== action.step) return `but version ${state.version} was made by a ${state.step}`;
  if (state.step !== 'approve' && state.mark !== action.mark)
    return `but its movements have the mark ${state.mark}`;
  if (requestId !== undefined && state.requestId !== null && state.requestId !== requestId)
    return `but its movements name request ${state.requestId}`;
  const { units = state.units, ifVersion } = action;
  const isSame =
    units.size === state.units.size && [...units].every(([petId, count]) => state.units.get(petId) === count);
  if (!isSame) return 'but its movements move other units';
  if (ifVersion !== undefined && ifVersion !== state.version - 1)
    return `but it followed version ${state.version - 1}`;
  if (outcome.result === 'done' && factsOf(outcome.order) !== factsOf(state))
    return `but it made ${factsOf(state)}`;
  return undefined;
}

/** An approval has no movement, so that of an unknown operation leaves no mark. */
function isUnknownApproval({ step }: OrderState, operations: readonly OrderOperation[]): boolean {
  return (
    step === 'approve' &&
    operations.some(({ action, outcome }) => action.step === 'approve' && outcome.result === 'unknown')
  );
}

/** Steps in an order that contradicts time. */
function againstTime({ order }: OrderPast, made: ReadonlyMap<OrderOperation, number>): string[] {
  const steps = [...made].toSorted(([, a], [, b]) => a - b).map(([operation]) => operation);
  return steps.flatMap((later, index) =>
    steps
      .slice(0, index)
      .filter((earlier) => isBefore(later, earlier))
      .map(
        (earlier) => `Order ${order.orderId}: ${describe(later)}\n  had returned before ${describe(earlier)}`,
      ),
  );
}

/** Answers that are true of no state that their clients may have seen. */
function untrue(
  past: OrderPast,
  operations: readonly OrderOperation[],
  made: ReadonlyMap<OrderOperation, number>,
): string[] {
  const { order, states } = past;
  const seen = new Map(made);
  const others = operations
    .filter(({ outcome }) => outcome.result === 'done' || outcome.result === 'refused')
    .filter((operation) => !made.has(operation))
    .toSorted((a, b) => a.invokedAtMs - b.invokedAtMs);
  return others.flatMap((operation) => {
    const earlier = [...seen].filter(([one]) => isBefore(one, operation)).map(([, version]) => version);
    const later = [...made].filter(([one]) => isBefore(operation, one)).map(([, version]) => version - 1);
    const [from, until] = [Math.max(1, ...earlier), Math.min(states.length, ...later)];
    const state = states.slice(from - 1, until).find((one) => isTrueOf(past, one, operation));
    if (state) seen.set(operation, state.version);
    return state
      ? []
      : [`Order ${order.orderId}: ${describe(operation)}\n  is true of no version from ${from} to ${until}`];
  });
}

/** Whether an answer that changed nothing can come from a state. */
function isTrueOf(
  { order }: OrderPast,
  state: OrderState,
  { action, outcome, returnedAtMs }: OrderOperation,
): boolean {
  if (outcome.result === 'done') return action.step === 'read' && factsOf(outcome.order) === factsOf(state);
  if (outcome.result !== 'refused') return true;
  const { step, ifVersion } = action;
  const isOtherVersion = ifVersion !== undefined && ifVersion !== state.version;
  if (outcome.refusal === 'precondition_failed' || isOtherVersion)
    return outcome.refusal === 'precondition_failed' && isOtherVersion;
  const atMs = performance.timeOrigin + returnedAtMs + CLOCK_TOLERANCE_MS;
  const isDue = state.status === 'placed' && order.expiresAt !== null && Date.parse(order.expiresAt) <= atMs;
  switch (outcome.refusal) {
    case 'invalid_transition':
      return !isPossible(step, state) || isDue;
    case 'conflict':
      return isPossible(step, state) && hasTooMany(action, state);
    default:
      return isPossible(step, state) && !hasTooMany(action, state) && step === 'deliver';
  }
}

function isPossible(step: OrderOperation['action']['step'], { status }: OrderState): boolean {
  switch (step) {
    case 'approve':
      return status === 'placed';
    case 'deliver':
      return status === 'approved';
    case 'cancel':
      return status === 'placed' || status === 'approved';
    default:
      return status === 'approved' || status === 'delivered' || status === 'cancelled';
  }
}

function hasTooMany({ step, units = new Map() }: OrderOperation['action'], { lines }: OrderState): boolean {
  return lines.some(({ petId, quantity, delivered, returned }) => {
    const left = step === 'return' ? delivered - returned : quantity - delivered;
    return (units.get(petId) ?? 0) > left;
  });
}

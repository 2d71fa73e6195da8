import type { Action, Change, History, Operation, Outcome, Register } from './history.ts';

/** A history that is linearizable has a witness: one order, true to time, that explains every answer. */
export type Verdict = { readonly isLinearizable: true; readonly witness: readonly Operation[] } | Refutation;

export interface Refutation {
  readonly isLinearizable: false;
  /** The operation that no order gets past. */
  readonly stuck: Operation;
  /** A prefix of the history, as known at its end, that is not linearizable by itself. */
  readonly prefix: History;
  /** A report: the unexplained answer, the order before it, and the operations that ran concurrently. */
  readonly message: string;
}

const MAX_LISTED_OPERATIONS = 12;

/** The state of the search when no order explains the next answer. */
export interface Stuck {
  readonly prefix: History;
  /** The operation that no order gets past. */
  readonly stuck: Operation;
  /** One order that explains all answers before it. */
  readonly order: readonly Operation[];
  /** The possible registers after such orders, that of `order` first. */
  readonly states: readonly Register[];
}

/** A report: the unexplained answer, the order before it, and the operations that ran concurrently. */
export function describeStuck({ prefix, stuck, order, states }: Stuck): string {
  const placed = new Set(order);
  const running = prefix.operations.filter(
    (operation) =>
      operation !== stuck &&
      !placed.has(operation) &&
      operation.outcome.result !== 'failed' &&
      (operation.outcome.result === 'unknown' || operation.returnedAtMs >= stuck.invokedAtMs),
  );
  const skipped = Math.max(0, order.length - MAX_LISTED_OPERATIONS);
  return [
    `Pet ${prefix.petId}: no order of the first ${prefix.operations.length} operations gets past`,
    `  ${describeOperation(stuck)}`,
    'One order that explains every answer before it:',
    ...(skipped > 0 ? [`  … ${skipped} operations`] : []),
    ...order.slice(skipped).map((operation) => `  ${describeOperation(operation)}`),
    'Possible stock then:',
    ...[...new Set(states.map(describeRegister))].map((state) => `  ${state}`),
    ...(running.length > 0 ? ['Running, with or without an effect before it:'] : []),
    ...running.slice(-MAX_LISTED_OPERATIONS).map((operation) => `  ${describeOperation(operation)}`),
  ].join('\n');
}

/** One operation on one line: client, times, action and outcome. */
export function describeOperation({ client, invokedAtMs, returnedAtMs, action, outcome }: Operation): string {
  const until = outcome.result === 'unknown' ? 'never' : returnedAtMs.toFixed(3);
  return `[${invokedAtMs.toFixed(3)}, ${until}] ${client}: ${describeAction(action)} -> ${describeOutcome(outcome)}`;
}

function describeAction(action: Action): string {
  if (action.kind === 'read') return 'read';
  return action.kind === 'batch'
    ? `batch(${action.changes.map(describeChange).join(', ')})`
    : describeChange(action);
}

function describeChange(change: Change): string {
  const conditions = [
    ...(change.ifQuantity === undefined ? [] : [` if quantity is ${change.ifQuantity}`]),
    ...(change.ifVersion === undefined ? [] : [` if version is ${change.ifVersion}`]),
  ].join('');
  switch (change.kind) {
    case 'set':
      return `set ${change.quantity}${conditions}`;
    case 'adjust':
      return `adjust ${change.delta > 0 ? '+' : ''}${change.delta}${change.takesReserved ? ' with reserved units' : ''}${conditions}`;
    case 'status':
      return `status ${change.status}${conditions}`;
    case 'reserve':
    case 'release':
    case 'deliver':
    case 'return':
      return `${change.kind} ${change.units}${conditions}`;
    case 'revert':
      return `revert movement ${change.sequence} of ${change.delta}${conditions}`;
  }
}

function describeOutcome(outcome: Outcome): string {
  const { result, ...reported } = outcome;
  const { refusal = result, ...facts } = { refusal: undefined, ...reported };
  return [refusal, ...Object.entries(facts).map(([name, value]) => `${name} ${value}`)].join(' ');
}

/** The stock as text for a report. */
export function describeRegister({ quantity, reserved, status, version }: Register): string {
  const held = reserved === 0 ? '' : `, ${reserved} reserved`;
  return `quantity ${quantity}${held}, ${status}, version ${version}`;
}

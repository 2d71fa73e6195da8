import { fitsRows, mustRecord } from '../recorded.ts';
import { changesOf, type History, type Operation } from './history.ts';
import type { LedgerRow } from './ledger-invariants.ts';
import { describeOperation } from './verdict.ts';

/** The result of comparing a ledger with the operations of its clients. */
export interface Account {
  /** One sentence a fault. */
  readonly faults: readonly string[];
  /** The same histories with the sequences that the answers omitted; input of `checkBySequence`. */
  readonly histories: readonly History[];
}

/**
 * Finds the operation that requested each movement after `sinceSequence`: by key, request id or answered sequence. An
 * unknown operation without such a trace is matched by actor and change; a unique key or mark per write makes that
 * match exact, and a batch requires one.
 *
 * Each acknowledged operation must be in the ledger exactly once, each unknown one at most once, and a refused or
 * failed one never. Every movement must have an operation.
 */
export function accountFor(
  rows: readonly LedgerRow[],
  histories: readonly History[],
  sinceSequence: number,
): Account {
  const recent = rows.filter(({ sequence }) => sequence > sinceSequence);
  const accounts = histories.map((history) =>
    accountForPet(
      recent.filter(({ petId }) => petId === history.petId),
      history,
    ),
  );
  const known = new Set(histories.map(({ petId }) => petId));
  const unrelated = recent.filter(({ petId }) => !known.has(petId)).map(unrequested);
  return {
    faults: [...accounts.flatMap(({ faults }) => faults), ...unrelated],
    histories: accounts.map(({ history }) => history),
  };
}

function accountForPet(rows: readonly LedgerRow[], history: History) {
  const traces = new Traces(history.operations);
  const rowsOf = new Map<Operation, LedgerRow[]>();
  const untraced: LedgerRow[] = [];
  for (const row of rows.toSorted((a, b) => a.sequence - b.sequence)) {
    const operation = traces.find(row);
    if (operation) rowsOf.set(operation, [...(rowsOf.get(operation) ?? []), row]);
    else untraced.push(row);
  }
  const candidates = history.operations
    .filter((operation) => operation.outcome.result === 'unknown' && !rowsOf.has(operation))
    .toSorted((a, b) => a.invokedAtMs - b.invokedAtMs);
  const matches = matchUp(untraced, candidates);
  for (const [operation, row] of matches) rowsOf.set(operation, [row]);
  const matched = new Set(matches.values());
  const faults = [
    ...untraced.filter((row) => !matched.has(row)).map(unrequested),
    ...history.operations.flatMap((operation) => faultsOf(operation, rowsOf.get(operation) ?? [])),
  ];
  const operations = history.operations.map((operation) =>
    withSequence(operation, rowsOf.get(operation)?.at(-1)?.sequence ?? null),
  );
  return { faults, history: { ...history, operations } };
}

/** The operations of a pet by the traces that they leave in the ledger. */
class Traces {
  readonly #bySequence = new Map<number, Operation>();
  readonly #byKey = new Map<string, Operation>();
  readonly #byRequest = new Map<string, Operation>();

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) {
      const { outcome, idempotencyKey, requestIds = [] } = operation;
      const isEffect = outcome.result === 'done' || outcome.result === 'unknown';
      if (isEffect && typeof outcome.sequence === 'number' && operation.action.kind !== 'read')
        this.#bySequence.set(outcome.sequence, operation);
      if (idempotencyKey !== undefined) this.#byKey.set(idempotencyKey, operation);
      for (const requestId of requestIds) this.#byRequest.set(requestId, operation);
    }
  }

  find({ sequence, idempotencyKey, requestId }: LedgerRow): Operation | undefined {
    return (
      (idempotencyKey === undefined ? undefined : this.#byKey.get(idempotencyKey)) ??
      (requestId === null ? undefined : this.#byRequest.get(requestId)) ??
      this.#bySequence.get(sequence)
    );
  }
}

function faultsOf(operation: Operation, rows: readonly LedgerRow[]): string[] {
  const { outcome, actor, requestId } = operation;
  const description = describeOperation(operation);
  const sequences = rows.map(({ sequence }) => sequence).join(', ');
  if (rows.length === 0) return mustRecord(operation) ? [`The ledger has lost: ${description}.`] : [];
  if (changesOf(operation.action).length === 0 || outcome.result === 'refused' || outcome.result === 'failed')
    return [`The ledger records an unsuccessful operation: ${description}, movements ${sequences}.`];
  const faults: string[] = [];
  if (!fitsRows(operation, rows))
    faults.push(`Not the requested change, once: ${description}, movements ${sequences}.`);
  if (actor !== undefined && rows.some((row) => row.actor !== actor))
    faults.push(`Movements ${sequences} name another actor than ${actor}.`);
  if (requestId !== undefined && rows.some((row) => row.requestId !== requestId))
    faults.push(`Movements ${sequences} name another request than ${requestId}.`);
  return faults;
}

/** Gives each row an operation that fits, if that can be done for all: a maximum matching, by augmenting paths. */
function matchUp(rows: readonly LedgerRow[], operations: readonly Operation[]): Map<Operation, LedgerRow> {
  const rowOf = new Map<Operation, LedgerRow>();
  const place = (row: LedgerRow, visited: Set<Operation>): boolean => {
    for (const operation of operations) {
      if (visited.has(operation) || isOfAnother(operation, row) || !fitsRows(operation, [row])) continue;
      visited.add(operation);
      const rival = rowOf.get(operation);
      if (rival && !place(rival, visited)) continue;
      rowOf.set(operation, row);
      return true;
    }
    return false;
  };
  for (const row of rows) place(row, new Set());
  return rowOf;
}

function isOfAnother({ actor, idempotencyKey }: Operation, row: LedgerRow): boolean {
  const hasOtherKey = idempotencyKey !== undefined && row.idempotencyKey !== undefined;
  return hasOtherKey || (actor !== undefined && actor !== row.actor);
}

function withSequence(operation: Operation, sequence: number | null): Operation {
  const { action, outcome } = operation;
  if (action.kind === 'read' || outcome.result === 'refused' || outcome.result === 'failed') return operation;
  return { ...operation, outcome: { ...outcome, sequence } };
}

function unrequested({ sequence, petId, before, after, kind, actor }: LedgerRow): string {
  return `No operation requested movement ${sequence}: ${kind} of pet ${petId} from ${before} to ${after} by ${actor}.`;
}

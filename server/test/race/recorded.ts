import { changesOf, type Operation, ORDER_KINDS } from './checker/history.ts';
import type { LedgerRow } from './checker/ledger-invariants.ts';
import { quantityAfter, reservedAfter, statusAfter } from './checker/register.ts';

/** Whether the ledger must have a movement of an operation, according to its answer. */
export function mustRecord({ action, outcome }: Operation): boolean {
  if (outcome.result !== 'done') return false;
  if (outcome.sequence !== undefined) return outcome.sequence !== null && action.kind !== 'read';
  const changes = changesOf(action);
  if (
    changes.length === 1 &&
    outcome.quantityBefore !== undefined &&
    outcome.quantity !== outcome.quantityBefore
  )
    return true;
  return changes.some(
    (change) =>
      change.kind === 'revert' ||
      (change.kind === 'adjust' && change.delta !== 0) ||
      ORDER_KINDS.some((kind) => kind === change.kind),
  );
}

/**
 * Whether rows are the movements of an operation that takes effect once, for any previous stock: all movements, in
 * order, the last one as answered.
 */
export function fitsRows({ action, outcome }: Operation, rows: readonly LedgerRow[]): boolean {
  const [first] = rows;
  if (!first) return false;
  if (
    outcome.result === 'done' &&
    typeof outcome.sequence === 'number' &&
    rows.at(-1)?.sequence !== outcome.sequence
  )
    return false;
  let quantity = first.before;
  let status = first.statusBefore ?? undefined;
  let reserved = first.reservedBefore ?? 0;
  const left = [...rows];
  for (const change of changesOf(action)) {
    const after = quantityAfter(quantity, change);
    const statusThen = status && statusAfter(status, change);
    const held = reservedAfter(reserved, change);
    const isSame = after === quantity && held === reserved && statusThen === status;
    if (isSame && (status || change.kind !== 'status')) continue;
    const row = left.shift();
    if (row?.before !== quantity || row.after !== after) return false;
    if ((row.reservedBefore ?? reserved) !== reserved || (row.reservedAfter ?? held) !== held) return false;
    if (status && (row.statusBefore !== status || row.statusAfter !== statusThen)) return false;
    quantity = after;
    reserved = held;
    status = statusThen;
  }
  return left.length === 0;
}

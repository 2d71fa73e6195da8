import { createHash } from 'node:crypto';
import { DAY_MS } from '@petstore-inventory/shared/durations';
import { bigintAsText } from './bigint-json.ts';
import type { Author, Explanation, Movement } from './ledger/ledger.ts';
import type { LedgerTransaction } from './ledger/ledger-transaction.ts';
import type { Sale } from './ledger/sales.ts';
import {
  type Change,
  type ChangeOutcome,
  type Preconditions,
  type Stock,
  type StockRefusal,
  stockTag,
} from './ledger/stock.ts';
import type { Action } from './management/activity.ts';
import type { OrderBook, OrderOutcome } from './orders/order-book.ts';
import type { OrderStepCommand, PlaceOrderCommand } from './orders/orders.ts';

export const ERROR_POLICIES = ['reject_everything', 'reject_failed_rows'] as const;
export type ErrorPolicy = (typeof ERROR_POLICIES)[number];

/** How long a result is kept for a retry with the same `Idempotency-Key`. */
export const IDEMPOTENCY_TTL_MS = DAY_MS;

/** What the caller of a refused write reads, for the outcome `key_reused`. */
export const KEY_REUSED =
  'This Idempotency-Key was used for another request within the last 24 hours. Use a new key.';

/** A change of one pet. */
interface ChangeCommand {
  readonly kind: 'change';
  readonly change: Change;
}

/** A revert of one movement. */
export interface RevertCommand extends Preconditions {
  readonly kind: 'revert';
  readonly sequence: number;
  readonly explanation?: Explanation | undefined;
  /** Whether it may take units that are reserved. */
  readonly takesReserved?: boolean | undefined;
}

/** A revert as a row of a batch, which names the pet of the movement. */
export interface RevertChange extends RevertCommand {
  readonly petId: bigint;
}

export type BatchChange = Change | RevertChange;

/** Many changes in one, in their order. */
export interface BatchCommand {
  readonly kind: 'batch';
  readonly changes: readonly BatchChange[];
  readonly errorPolicy: ErrorPolicy;
  /** Returns the result without a change. */
  readonly isDryRun: boolean;
  /** The id from a dry run. The batch is executed only if it still has this id. */
  readonly planId?: string | undefined;
}

export type WriteCommand =
  | ChangeCommand
  | RevertCommand
  | BatchCommand
  | PlaceOrderCommand
  | OrderStepCommand;

/** Identifies a request that a client may send again, and its content. */
export interface Idempotency {
  /** Digest of account, method, path and key. */
  readonly scope: string;
  /** Digest of the rest of the request. */
  readonly fingerprint: string;
  /** Whether nothing is executed: the request is refused unless it was executed before. */
  readonly isRepeatOnly?: boolean;
}

/** One request that writes. */
export interface WriteRequest {
  readonly author: Author;
  readonly command: WriteCommand;
  readonly idempotency?: Idempotency | undefined;
  /** The line of the activity log that a success writes, in the same transaction. */
  readonly activity?: Action | undefined;
}

/**
 * Why a movement cannot be reverted, whatever the stock. `movement_pruned`: a prune deleted it; `movement_of_order`: only the
 * steps of its order undo it.
 */
export type RevertRefusal = 'no_such_movement' | 'movement_pruned' | 'already_reverted' | 'movement_of_order';

export interface SingleResult {
  readonly kind: 'single';
  readonly code: 'done' | 'not_found' | RevertRefusal | StockRefusal;
  /** The stock after the write, or the stock that does not allow it. */
  readonly stock: Stock | null;
  /** The recorded movement, only for adjustments and reverts. */
  readonly movement: Movement | null;
  /** The pet of the movement to revert. */
  readonly petId?: bigint;
  /** The earlier movement that reverted it. */
  readonly revertedBy?: number;
  /** The order of the movement to revert. */
  readonly orderId?: number;
}

export interface OrderResult extends OrderOutcome {
  readonly kind: 'order';
}

export interface RowResult {
  readonly petId: bigint;
  readonly code: 'done' | 'not_found' | RevertRefusal | StockRefusal;
  readonly before: Stock | null;
  /** None where the change was refused. */
  readonly after: Stock | null;
  /** The recorded movement; none in a dry run, or where nothing had to change. */
  readonly sequence: number | null;
}

export interface BatchResult {
  readonly kind: 'batch';
  /** `rejected`: a row was refused, so nothing is changed. */
  readonly code: 'done' | 'rejected' | 'plan_changed';
  readonly isDryRun: boolean;
  /** Names the batch together with the stock that it found. */
  readonly planId: string;
  readonly rows: readonly RowResult[];
}

export type WriteResult = SingleResult | BatchResult | OrderResult;

/** Whether a command has had its effect. */
export function isDone(result: WriteResult): boolean {
  return result.code === 'done' && !(result.kind === 'batch' && result.isDryRun);
}

/**
 * Result of a durable write. `key_reused`: the idempotency key belongs to another request; with `isRepeatOnly`, to another
 * one or to none.
 */
export type WriteOutcome =
  | { readonly kind: 'written'; readonly result: WriteResult }
  | { readonly kind: 'replayed'; readonly result: WriteResult }
  | { readonly kind: 'key_reused' };

/** What a revert needs from the database, besides stock. */
export interface FoundMovement {
  readonly movement: Movement;
  /** The movement that already reverted it. */
  readonly revertedBy: number | null;
  /** What it changed in the sales. */
  readonly sale: Sale | undefined;
}

/** The pets whose stock a command needs; those of a revert and of a step are their movement's and their order's. */
export function petIdsOf(command: WriteCommand): readonly bigint[] {
  switch (command.kind) {
    case 'change':
      return [command.change.petId];
    case 'batch':
      return command.changes.map(({ petId }) => petId);
    case 'place':
      return command.lines.map(({ petId }) => petId);
    default:
      return [];
  }
}

/** The movements that a command reverts. */
export function revertedBy(command: WriteCommand): readonly number[] {
  if (command.kind === 'revert') return [command.sequence];
  if (command.kind !== 'batch') return [];
  return command.changes.flatMap((change) => (change.kind === 'revert' ? [change.sequence] : []));
}

/** An order has 1 to `MAX_ORDER_LINES` lines, which are not known before it is read. */
const WEIGHT_OF_STEP = 8;

/** The cost of a write, in changes of single pets. */
export function weightOf({ command }: WriteRequest): number {
  switch (command.kind) {
    case 'batch':
      return command.changes.length;
    case 'place':
      return command.lines.length;
    case 'step':
      return WEIGHT_OF_STEP;
    default:
      return 1;
  }
}

/**
 * Executes a command on the stock that was read for it. A refused command changes nothing.
 * @param found The movements to revert that the database has, by their sequences.
 */
export function execute(
  { command, author }: WriteRequest,
  transaction: LedgerTransaction,
  orders: OrderBook,
  found: FoundMovements = new Map(),
): WriteResult {
  switch (command.kind) {
    case 'place':
      return { kind: 'order', ...orders.place(command, author) };
    case 'step':
      return { kind: 'order', ...orders.step(command, author) };
    case 'change':
      return single(transaction.apply(command.change, author), command.change.kind === 'adjust');
    case 'revert':
      return revert(command, author, transaction, found);
    case 'batch':
      return batch(command, author, transaction, found);
  }
}

function single(outcome: ChangeOutcome, isMovementTold: boolean): SingleResult {
  const { code } = outcome;
  if (code === 'not_found') return { kind: 'single', code, stock: null, movement: null };
  const movement = isMovementTold && code === 'done' ? (outcome.movement ?? null) : null;
  return { kind: 'single', code, stock: outcome.stock, movement };
}

type FoundMovements = ReadonlyMap<number, FoundMovement>;

/** @param ofPet The pet whose movement it must be; by default any. */
function revert(
  command: RevertCommand,
  author: Author,
  transaction: LedgerTransaction,
  movements: FoundMovements,
  ofPet?: bigint,
): SingleResult {
  const made = transaction.movement(command.sequence);
  const found =
    movements.get(command.sequence) ??
    (made && { movement: made, revertedBy: null, sale: transaction.changedSale(made.sequence) });
  if (!found) {
    // Sequences have no gaps: a missing movement that is not in the future was deleted.
    const code = command.sequence <= transaction.sequence ? 'movement_pruned' : 'no_such_movement';
    return { kind: 'single', code, stock: null, movement: null };
  }
  const { movement, revertedBy: known } = found;
  // The database has neither of two reverts in one batch.
  const before = known ?? transaction.revertOf(movement.sequence);
  const { petId, orderId } = movement;
  if (ofPet !== undefined && ofPet !== petId)
    return { kind: 'single', code: 'no_such_movement', stock: null, movement: null };
  if (orderId !== null) {
    const stock = transaction.stockOf(petId) ?? null;
    return { kind: 'single', code: 'movement_of_order', stock, movement: null, petId, orderId };
  }
  if (before !== undefined) {
    const stock = transaction.stockOf(petId) ?? null;
    return { kind: 'single', code: 'already_reverted', stock, movement: null, petId, revertedBy: before };
  }
  return { ...single(transaction.revert(movement, author, { ...command, sale: found.sale }), true), petId };
}

function batch(
  command: BatchCommand,
  author: Author,
  transaction: LedgerTransaction,
  found: FoundMovements,
): BatchResult {
  const planId = planIdOf(command, transaction);
  const result = { kind: 'batch' as const, isDryRun: command.isDryRun, planId };
  if (command.planId !== undefined && command.planId !== planId)
    return { ...result, code: 'plan_changed', rows: [] };
  const rows: RowResult[] = [];
  let isWhole = true;
  const isKept = transaction.savepoint(() => {
    for (const change of command.changes) {
      const row =
        change.kind === 'revert'
          ? revertRow(change, author, transaction, found)
          : rowResult(change.petId, transaction.apply(change, author));
      if (row.code !== 'done') isWhole = false;
      rows.push(row);
    }
    return !command.isDryRun && (isWhole || command.errorPolicy === 'reject_failed_rows');
  });
  const isRejected = !isWhole && command.errorPolicy === 'reject_everything';
  return {
    ...result,
    code: isRejected ? 'rejected' : 'done',
    rows: isKept ? rows : rows.map((row) => ({ ...row, sequence: null })),
  };
}

/**
 * Names a batch together with the state of everything it changes: the same changes to another stock are another plan.
 * A plan with such a name is not stored, and never expires.
 */
function planIdOf({ changes, errorPolicy }: BatchCommand, transaction: LedgerTransaction): string {
  const tags = [...new Set(changes.map(({ petId }) => petId))].map((petId) => {
    const stock = transaction.stockOf(petId);
    return stock ? stockTag(stock) : null;
  });
  const text = JSON.stringify([errorPolicy, changes, tags], bigintAsText);
  return createHash('sha256').update(text).digest('base64url');
}

function rowResult(petId: bigint, outcome: ChangeOutcome): RowResult {
  const { code } = outcome;
  if (code === 'not_found') return { petId, code, before: null, after: null, sequence: null };
  if (code !== 'done') return { petId, code, before: outcome.stock, after: null, sequence: null };
  const { before, stock, movement } = outcome;
  return { petId, code, before, after: stock, sequence: movement?.sequence ?? null };
}

function revertRow(
  change: RevertChange,
  author: Author,
  transaction: LedgerTransaction,
  found: FoundMovements,
): RowResult {
  const { petId } = change;
  const before = transaction.stockOf(petId) ?? null;
  if (!before) return { petId, code: 'not_found', before, after: null, sequence: null };
  const { code, stock, movement } = revert(change, author, transaction, found, petId);
  const isDone = code === 'done';
  return { petId, code, before, after: isDone ? stock : null, sequence: movement?.sequence ?? null };
}

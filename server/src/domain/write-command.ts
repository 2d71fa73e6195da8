import { createHash } from 'node:crypto';
import { bigintAsText } from './bigint-as-text.ts';
import type { Author, Explanation, Movement } from './ledger.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import {
  type Change,
  type ChangeOutcome,
  type Preconditions,
  type Stock,
  type StockRefusal,
  stockTag,
} from './stock.ts';

export const ERROR_POLICIES = ['reject_everything', 'reject_failed_rows'] as const;
export type ErrorPolicy = (typeof ERROR_POLICIES)[number];

/** How long what came of a request is kept for a repetition under the same `Idempotency-Key`. */
export const IDEMPOTENCY_TTL_MS = 24 * 3_600_000;

/** A change of one pet. */
export interface ChangeCommand {
  readonly kind: 'change';
  readonly change: Change;
}

/** Taking back one movement. */
export interface RevertCommand extends Preconditions {
  readonly kind: 'revert';
  readonly sequence: number;
  readonly explanation?: Explanation | undefined;
}

/** Many changes in one, in their order. */
export interface BatchCommand {
  readonly kind: 'batch';
  readonly changes: readonly Change[];
  readonly errorPolicy: ErrorPolicy;
  /** Only tells what would come of it. */
  readonly isDryRun: boolean;
  /** The id that a dry run gave; the batch is carried out only if it would give it again. */
  readonly planId?: string | undefined;
}

export type WriteCommand = ChangeCommand | RevertCommand | BatchCommand;

/** A key under which a client may send a request again: whose it is, and what was asked under it. */
export interface Idempotency {
  /** Digest of account, method, path and key. */
  readonly scope: string;
  /** Digest of what else the request said. */
  readonly fingerprint: string;
}

/** One request that writes. */
export interface WriteRequest {
  readonly author: Author;
  readonly command: WriteCommand;
  readonly idempotency?: Idempotency | undefined;
}

export interface SingleResult {
  readonly kind: 'single';
  /** `movement_pruned`: what was to be taken back is not kept any more. */
  readonly code:
    | 'done'
    | 'not_found'
    | 'no_such_movement'
    | 'movement_pruned'
    | 'already_reverted'
    | StockRefusal;
  /** As the write left it, or as it stands against the write. */
  readonly stock: Stock | null;
  /** What was recorded; told of adjustments and reverts only. */
  readonly movement: Movement | null;
  /** The pet of the movement that was to be taken back. */
  readonly petId?: bigint;
  /** The movement that took it back before. */
  readonly revertedBy?: number;
}

export interface RowResult {
  readonly petId: bigint;
  readonly code: 'done' | 'not_found' | StockRefusal;
  readonly before: Stock | null;
  /** None where the change was refused. */
  readonly after: Stock | null;
  /** The movement that was recorded; none in a dry run, or where nothing was to be changed. */
  readonly sequence: number | null;
}

export interface BatchResult {
  readonly kind: 'batch';
  /** `rejected`: a row was refused, and so nothing was changed, or would be. */
  readonly code: 'done' | 'rejected' | 'plan_changed';
  readonly isDryRun: boolean;
  /** Names the batch together with the stock of everything it touches, as it found it. */
  readonly planId: string;
  readonly rows: readonly RowResult[];
}

export type WriteResult = SingleResult | BatchResult;

/** What a write is answered with once it is on disk; `key_reused`: its key belongs to another request. */
export type WriteAnswer =
  | { readonly kind: 'written'; readonly result: WriteResult }
  | { readonly kind: 'replayed'; readonly result: WriteResult }
  | { readonly kind: 'key_reused' };

/** What a database has to find for a revert beside stock. */
export interface FoundMovement {
  readonly movement: Movement;
  /** The movement that took it back already. */
  readonly revertedBy: number | null;
}

/** The pets whose stock a command needs; a revert's pet is its movement's. */
export function petIdsOf(command: WriteCommand): readonly bigint[] {
  if (command.kind === 'change') return [command.change.petId];
  return command.kind === 'batch' ? command.changes.map(({ petId }) => petId) : [];
}

/** How much there is to do for a write, in changes of single pets. */
export function weightOf({ command }: WriteRequest): number {
  return command.kind === 'batch' ? command.changes.length : 1;
}

/**
 * Carries out a command on stock that was read for it. What is refused has changed nothing.
 * @param found The movement that a revert takes back, if there is one.
 */
export function execute(
  { command, author }: WriteRequest,
  transaction: LedgerTransaction,
  found?: FoundMovement,
): WriteResult {
  switch (command.kind) {
    case 'change':
      return single(transaction.apply(command.change, author), command.change.kind === 'adjust');
    case 'revert':
      return revert(command, author, transaction, found);
    case 'batch':
      return batch(command, author, transaction);
  }
}

function single(outcome: ChangeOutcome, isMovementTold: boolean): SingleResult {
  const { code } = outcome;
  if (code === 'not_found') return { kind: 'single', code, stock: null, movement: null };
  const movement = isMovementTold && code === 'done' ? (outcome.movement ?? null) : null;
  return { kind: 'single', code, stock: outcome.stock, movement };
}

function revert(
  command: RevertCommand,
  author: Author,
  transaction: LedgerTransaction,
  known?: FoundMovement,
): SingleResult {
  const made = transaction.movement(command.sequence);
  const found = known ?? (made && { movement: made, revertedBy: null });
  if (!found) {
    // Sequences have no gaps: what is not there, and is not yet to come, was there once.
    const code = command.sequence <= transaction.sequence ? 'movement_pruned' : 'no_such_movement';
    return { kind: 'single', code, stock: null, movement: null };
  }
  const { movement, revertedBy } = found;
  // Of two reverts in one batch the database knows neither.
  const before = revertedBy ?? transaction.revertOf(movement.sequence);
  const { petId } = movement;
  if (before !== undefined) {
    const stock = transaction.stockOf(petId) ?? null;
    return { kind: 'single', code: 'already_reverted', stock, movement: null, petId, revertedBy: before };
  }
  return { ...single(transaction.revert(movement, author, command), true), petId };
}

function batch(command: BatchCommand, author: Author, transaction: LedgerTransaction): BatchResult {
  const planId = planIdOf(command, transaction);
  const result = { kind: 'batch' as const, isDryRun: command.isDryRun, planId };
  if (command.planId !== undefined && command.planId !== planId)
    return { ...result, code: 'plan_changed', rows: [] };
  const rows: RowResult[] = [];
  let isWhole = true;
  const isKept = transaction.savepoint(() => {
    for (const change of command.changes) {
      const row = rowResult(change.petId, transaction.apply(change, author));
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
 * Names a batch together with the state of everything it touches: the same changes to another stock are another
 * plan. So a plan needs no place to be kept in, and never expires.
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

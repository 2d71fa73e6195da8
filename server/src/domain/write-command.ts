import { createHash } from 'node:crypto';
import type { Author, Explanation, Movement } from './ledger.ts';
import type { Reckoning } from './ledger-transaction.ts';
import {
  type Change,
  type ChangeOutcome,
  type Conditions,
  type Stock,
  type StockRefusal,
  stockTag,
} from './stock.ts';

export const ERROR_POLICIES = ['reject_everything', 'reject_failed_rows'] as const;
export type ErrorPolicy = (typeof ERROR_POLICIES)[number];

/** How long what came of a request is kept for a repetition under the same `Idempotency-Key`. */
export const ANSWER_KEPT_MS = 24 * 3_600_000;

/** A change of one pet. */
export interface ChangeWork {
  readonly kind: 'change';
  readonly change: Change;
}

/** Taking back one movement. */
export interface RevertWork extends Conditions {
  readonly kind: 'revert';
  readonly sequence: number;
  readonly explanation?: Explanation | undefined;
}

/** Many changes in one, in their order. */
export interface BatchWork {
  readonly kind: 'batch';
  readonly changes: readonly Change[];
  readonly errorPolicy: ErrorPolicy;
  /** Only tells what would come of it. */
  readonly isDryRun: boolean;
  /** The id that a dry run gave; the batch is carried out only if it would give it again. */
  readonly planId?: string | undefined;
}

export type Work = ChangeWork | RevertWork | BatchWork;

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
  readonly work: Work;
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

/** The pets whose stock a work needs; a revert's pet is its movement's. */
export function petsOf(work: Work): readonly bigint[] {
  if (work.kind === 'change') return [work.change.petId];
  return work.kind === 'batch' ? work.changes.map(({ petId }) => petId) : [];
}

/** How much there is to do for a write, in changes of single pets. */
export function weightOf({ work }: WriteRequest): number {
  return work.kind === 'batch' ? work.changes.length : 1;
}

/**
 * Carries out a work on stock that was read for it. What is refused has changed nothing.
 * @param found The movement that a revert takes back, if there is one.
 */
export function carryOut(
  { work, author }: WriteRequest,
  reckoning: Reckoning,
  found?: FoundMovement,
): WriteResult {
  switch (work.kind) {
    case 'change':
      return single(reckoning.apply(work.change, author), work.change.kind === 'adjust');
    case 'revert':
      return revert(work, author, reckoning, found);
    case 'batch':
      return batch(work, author, reckoning);
  }
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function single(outcome: ChangeOutcome, isMovementTold: boolean): SingleResult {
  const { code } = outcome;
  if (code === 'not_found') return { kind: 'single', code, stock: null, movement: null };
  const movement = isMovementTold && code === 'done' ? (outcome.movement ?? null) : null;
  return { kind: 'single', code, stock: outcome.stock, movement };
}

function revert(work: RevertWork, author: Author, reckoning: Reckoning, known?: FoundMovement): SingleResult {
  const made = reckoning.movement(work.sequence);
  const found = known ?? (made && { movement: made, revertedBy: null });
  if (!found) {
    // Sequences have no gaps: what is not there, and is not yet to come, was there once.
    const code = work.sequence <= reckoning.sequence ? 'movement_pruned' : 'no_such_movement';
    return { kind: 'single', code, stock: null, movement: null };
  }
  const { movement, revertedBy } = found;
  // Of two reverts in one batch the database knows neither.
  const before = revertedBy ?? reckoning.revertOf(movement.sequence);
  const { petId } = movement;
  if (before !== undefined) {
    const stock = reckoning.stockOf(petId) ?? null;
    return { kind: 'single', code: 'already_reverted', stock, movement: null, petId, revertedBy: before };
  }
  return { ...single(reckoning.revert(movement, author, work), true), petId };
}

function batch(work: BatchWork, author: Author, reckoning: Reckoning): BatchResult {
  const planId = planIdOf(work, reckoning);
  const result = { kind: 'batch' as const, isDryRun: work.isDryRun, planId };
  if (work.planId !== undefined && work.planId !== planId)
    return { ...result, code: 'plan_changed', rows: [] };
  const rows: RowResult[] = [];
  let isWhole = true;
  const isKept = reckoning.attempt(() => {
    for (const change of work.changes) {
      const row = rowResult(change.petId, reckoning.apply(change, author));
      if (row.code !== 'done') isWhole = false;
      rows.push(row);
    }
    return !work.isDryRun && (isWhole || work.errorPolicy === 'reject_failed_rows');
  });
  const isRejected = !isWhole && work.errorPolicy === 'reject_everything';
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
function planIdOf({ changes, errorPolicy }: BatchWork, reckoning: Reckoning): string {
  const tags = [...new Set(changes.map(({ petId }) => petId))].map((petId) => {
    const stock = reckoning.stockOf(petId);
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

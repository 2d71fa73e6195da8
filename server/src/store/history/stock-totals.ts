import { PET_STATUSES, type PetStatus } from '@petstore-inventory/shared/words';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import type { StockTotals } from '../../domain/ledger-store.ts';

/** After more movements than this, all stock is summed again: one statement adds this many in a few milliseconds. */
const MOVEMENTS_WORTH_ADDING = 10_000;

/** Sums of one status in two parts, `high` times 2^32 and `low`; a row without a status means that there is none. */
export interface SumRow {
  readonly status: PetStatus | null;
  readonly high: string | null;
  readonly low: string | null;
  readonly reservedHigh: string | null;
  readonly reservedLow: string | null;
}

/** A row of `stockTotals`: the newest movement, with each sum. */
export interface TotalsRow extends SumRow, LedgerHead {}

/** A row of `stockChanges`, per status. */
export interface ChangesRow extends SumRow {
  readonly fromRecordedAtMs: number | null;
  readonly lines: string | null;
}

/** Totals with the newest movement that they include. */
export interface KnownTotals {
  readonly head: LedgerHead;
  readonly totals: StockTotals;
}

export function areOf({ head }: KnownTotals, { sequence, recordedAtMs }: LedgerHead): boolean {
  return head.sequence === sequence && head.recordedAtMs === recordedAtMs;
}

/** Whether to read the changes since, rather than all stock. */
export function isWorthAdding(
  known: KnownTotals | undefined,
  { sequence }: LedgerHead,
): known is KnownTotals {
  const movements = sequence - (known?.head.sequence ?? -Infinity);
  return movements > 0 && movements < MOVEMENTS_WORTH_ADDING;
}

export function wholeTotals(rows: readonly TotalsRow[]): KnownTotals {
  const { sequence, recordedAtMs } = rows[0] ?? { sequence: 0, recordedAtMs: 0 };
  return { head: { sequence, recordedAtMs }, totals: added(noStock(), rows) };
}

/**
 * Totals at a later head. `undefined` if the changes do not continue from the earlier one: an operator has pruned the
 * ledger, or replaced the database.
 */
export function laterTotals(
  { head, totals }: KnownTotals,
  later: LedgerHead,
  rows: readonly ChangesRow[],
): KnownTotals | undefined {
  const lines = rows.reduce((sum, row) => sum + Number(row.lines), 0);
  const isSame = head.sequence === 0 || rows[0]?.fromRecordedAtMs === head.recordedAtMs;
  if (!isSame || lines !== later.sequence - head.sequence) return undefined;
  return { head: later, totals: added(totals, rows) };
}

export function noStock(): StockTotals {
  const sums = Object.fromEntries(PET_STATUSES.map((status) => [status, 0n])) as Record<PetStatus, bigint>;
  return { ...sums, reserved: 0n };
}

export function added(totals: StockTotals, rows: readonly SumRow[]): StockTotals {
  const sums: { -readonly [Name in keyof StockTotals]: bigint } = { ...totals };
  for (const { status, high, low, reservedHigh, reservedLow } of rows) {
    if (status === null) continue;
    sums[status] += whole(high, low);
    sums.reserved += whole(reservedHigh, reservedLow);
  }
  return sums;
}

/** A sum from its two parts. */
export function whole(high: string | number | null, low: string | number | null): bigint {
  return BigInt(high ?? 0) * 2n ** 32n + BigInt(low ?? 0);
}

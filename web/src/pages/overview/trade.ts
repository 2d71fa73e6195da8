import { isApiError } from '../../api/api-error.ts';
import type { MovementReportRow } from '../../api/schemas.ts';

/** What the overview shows per day. */
export const TRADES = ['sold', 'received', 'lost'] as const;
export type Trade = (typeof TRADES)[number];

export interface TradeDay {
  /** A date, such as `2026-07-14`. */
  readonly day: string;
  /** Units as exact integers: those of many pets may be more than a number holds. */
  readonly units: Readonly<Record<Trade, bigint>>;
}

interface TradeRows {
  readonly rows: readonly MovementReportRow[];
  /** Whether the rows are also those of the days before. */
  readonly hasBefore: boolean;
}

/** Reads the rows of a range of days and those of as many days before, if no prune has deleted these. */
export async function readTrade(
  read: (fromDay: string) => Promise<readonly MovementReportRow[]>,
  { before, first }: { readonly before: string; readonly first: string },
): Promise<TradeRows> {
  try {
    return { rows: await read(before), hasBefore: true };
  } catch (error) {
    if (!isApiError(error, 'history_pruned')) throw error;
    return { rows: await read(first), hasBefore: false };
  }
}

/** Units of each day, also of those without a movement. */
export function tradeDays(rows: readonly MovementReportRow[], days: readonly string[]): readonly TradeDay[] {
  const byDay = new Map(
    days.map((day): [string, TradeDay['units']] => [day, { sold: 0n, received: 0n, lost: 0n }]),
  );
  for (const row of rows) {
    const found = tradeOf(row);
    const units = byDay.get(row.day ?? '');
    if (found && units)
      byDay.set(row.day ?? '', { ...units, [found.trade]: units[found.trade] + found.units });
  }
  return [...byDay].map(([day, units]) => ({ day, units }));
}

function tradeOf({ kind, reason, revertedReason, unitsIn, unitsOut }: MovementReportRow) {
  const trade = kind === 'deliver' ? 'sold' : tradeOfReason(kind === 'revert' ? revertedReason : reason);
  // The undo of units that a sale added by mistake is no sale, so what was added counts too. What is taken back counts on the
  // day of its undo, on which that can be more than the rest.
  const added = BigInt(unitsIn) - BigInt(unitsOut);
  return trade && { trade, units: trade === 'received' ? added : -added };
}

function tradeOfReason(reason: MovementReportRow['reason']): Trade | undefined {
  if (reason === 'sold') return 'sold';
  if (reason === 'received' || reason === 'restock') return 'received';
  return reason === 'damaged' || reason === 'shrinkage' ? 'lost' : undefined;
}

/** The change from one sum to another as a share, such as 0.25; `undefined` without a sum to compare with. */
export function changeShare(before: bigint, now: bigint): number | undefined {
  return before <= 0n ? undefined : Number(now - before) / Number(before);
}

export const totalOf = (days: readonly TradeDay[], trade: Trade): bigint =>
  days.reduce((sum, { units }) => sum + units[trade], 0n);

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
  // More may be taken back than was received on that day.
  return [...byDay].map(([day, { received, ...units }]) => ({
    day,
    units: { ...units, received: received < 0n ? 0n : received },
  }));
}

function tradeOf({ kind, reason, unitsIn, unitsOut }: MovementReportRow) {
  if (kind === 'deliver' || reason === 'sold') return { trade: 'sold', units: BigInt(unitsOut) } as const;
  if (reason === 'received' || reason === 'restock') {
    // The undo of a delivery takes units out with the same reason.
    return { trade: 'received', units: BigInt(unitsIn) - BigInt(unitsOut) } as const;
  }
  if (reason === 'damaged' || reason === 'shrinkage')
    return { trade: 'lost', units: BigInt(unitsOut) } as const;
  return undefined;
}

/** The change from one sum to another as a share, such as 0.25; `undefined` without a sum to compare with. */
export function changeShare(before: bigint, now: bigint): number | undefined {
  return before === 0n ? undefined : Number(now - before) / Number(before);
}

export const totalOf = (days: readonly TradeDay[], trade: Trade): bigint =>
  days.reduce((sum, { units }) => sum + units[trade], 0n);

import { DAY_MS } from '@petstore-inventory/shared/durations';
import type { MovementReportRow } from '../../api/schemas.ts';

/** Units of a month or a day as exact integers. */
interface PeriodUnits {
  /** A month such as `2026-07`, or a day such as `2026-07-14`. */
  readonly period: string;
  readonly unitsIn: bigint;
  readonly unitsOut: bigint;
}

type Row = Pick<MovementReportRow, 'month' | 'day' | 'unitsIn' | 'unitsOut'>;

const MONTH_LENGTH = '2026-07'.length;

/** The units of each period from the first one with movements to the last one, also of those without any. */
export function unitsPerPeriod(rows: readonly Row[]): readonly PeriodUnits[] {
  const found = new Map<string, PeriodUnits>();
  for (const { month, day, unitsIn, unitsOut } of rows) {
    const period = day ?? month;
    const before = found.get(period) ?? noUnits(period);
    const sums = {
      unitsIn: before.unitsIn + BigInt(unitsIn),
      unitsOut: before.unitsOut + BigInt(unitsOut),
    };
    found.set(period, { period, ...sums });
  }
  const named = [...found.keys()].toSorted();
  const [first = '', last = ''] = [named[0], named.at(-1)];
  const periods: PeriodUnits[] = [];
  for (let period = first; period !== '' && period <= last; period = after(period))
    periods.push(found.get(period) ?? noUnits(period));
  return periods;
}

const noUnits = (period: string): PeriodUnits => ({ period, unitsIn: 0n, unitsOut: 0n });

/** The next month, or the next day. */
function after(period: string): string {
  if (period.length > MONTH_LENGTH) return new Date(Date.parse(period) + DAY_MS).toISOString().slice(0, 10);
  const [year = 0, month = 1] = period.split('-').map(Number);
  return new Date(Date.UTC(year, month)).toISOString().slice(0, MONTH_LENGTH);
}

import type { ReportGrouping, ReportPer } from '@petstore-inventory/shared/words';
import type { MovementReportRow } from '../domain/management/reports/movement-report.ts';
import type { StockRow } from '../domain/management/reports/stock-report.ts';
import type { VarianceRow } from '../domain/management/reports/variance-report.ts';
import { timestamp, timestampOrNull } from '../domain/timestamps.ts';

/** The members of a row of each report in JSON. */

export function stockRowMembers({ petId, name, category, pets, quantity, reserved }: StockRow) {
  return { petId, name, category, pets, quantity, reserved, available: quantity - reserved };
}

export function movementRowMembers(row: MovementReportRow) {
  const { period, petId, name, category, kind, reason, revertedReason, movements, unitsIn, unitsOut } = row;
  const change = unitsIn - unitsOut;
  const month = period.slice(0, 'YYYY-MM'.length);
  const day = period === month ? null : period;
  return {
    month,
    day,
    petId,
    name,
    category,
    kind,
    reason,
    revertedReason,
    movements,
    unitsIn,
    unitsOut,
    change,
  };
}

export function varianceRowMembers(row: VarianceRow) {
  const { stocktakeId, stocktake, state, petId, name, category, pets, expected, counted } = row;
  const { surplus, shortage, posted } = row;
  return {
    ...{ stocktakeId, stocktake, state },
    startedAt: timestamp(row.startedAtMs),
    closedAt: timestampOrNull(row.closedAtMs),
    ...{ petId, name, category, pets, expected, counted },
    variance: counted - expected,
    ...{ surplus, shortage, posted },
  };
}

/** The columns of a file: the members of a row that its grouping and its periods have. */
export function reportColumns<Name extends string>(
  members: Readonly<Record<Name, unknown>>,
  by: ReportGrouping,
  per: ReportPer = 'month',
): readonly Name[] {
  const none = [
    per === 'month' ? 'day' : 'month',
    ...{ total: ['petId', 'name', 'category'], category: ['petId', 'name'], pet: ['pets'] }[by],
  ];
  return (Object.keys(members) as Name[]).filter((name) => !none.includes(name));
}

const AT = { startedAtMs: 0, closedAtMs: null };
const NO_PET = { petId: null, name: null, category: null, pets: 0 };
const NO_UNITS = { expected: 0n, counted: 0n, surplus: 0n, shortage: 0n, posted: 0n };

/** Rows that have the names of all members. */
export const EMPTY_STOCK = stockRowMembers({ ...NO_PET, quantity: 0n, reserved: 0n });
export const EMPTY_MOVEMENTS = movementRowMembers({
  ...NO_PET,
  ...{ period: '', kind: 'set', reason: null, revertedReason: null, movements: 0, unitsIn: 0n, unitsOut: 0n },
});
export const EMPTY_VARIANCE = varianceRowMembers({
  ...NO_PET,
  ...NO_UNITS,
  ...AT,
  ...{ stocktakeId: '', stocktake: '', state: 'closed' },
});

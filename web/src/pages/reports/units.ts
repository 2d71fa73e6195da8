import type { Format } from '../../texts/format.ts';

/** Units of many pets together, which may be more than a number holds exactly. */
type Units = number | string;

export function sumOf<Row>(rows: readonly Row[], unitsOf: (row: Row) => Units): string {
  return String(rows.reduce((sum, row) => sum + BigInt(unitsOf(row)), 0n));
}

/** The sum as a number where that is exact. */
export function totalOf<Row>(rows: readonly Row[], unitsOf: (row: Row) => Units): Units {
  const sum = sumOf(rows, unitsOf);
  return Number.isSafeInteger(Number(sum)) ? Number(sum) : sum;
}

export function changeText(format: Format, units: Units): string {
  if (typeof units === 'number') return format.change(units);
  return `${units.startsWith('-') ? '' : '+'}${format.quantity(units)}`;
}

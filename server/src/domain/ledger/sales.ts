import { DAY_MS } from '@petstore-inventory/shared/durations';
import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import type { Movement } from './ledger.ts';

/** Sales of this many days, today included, predict how long the stock lasts. */
export const SALES_DAYS = 30;

/** Units of a pet that were sold on one day; negative where a sale of that day was reverted. */
export interface Sale {
  readonly petId: bigint;
  readonly day: number;
  readonly units: number;
}

/** The number of a UTC day since 1970. */
export function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}

/** Reverts that are followed from a revert to a sale: a person undoes a sale and takes that back a few times. */
export const MAX_REVERTS = 100;

/** The sale that a movement records: units that a delivery took, or another change with the reason `sold`. A revert is none. */
export function saleOf(movement: Movement): Sale | undefined {
  const { petId, kind, reason, quantityBefore, quantityAfter, recordedAtMs } = movement;
  const units = quantityBefore - quantityAfter;
  const isSale = kind === 'deliver' || (reason === 'sold' && kind !== 'revert');
  if (!isSale || units <= 0) return undefined;
  return { petId, day: dayOf(recordedAtMs), units };
}

/**
 * What a movement changed in the sales of a day. A revert takes a sale back, and the revert of a revert makes it again, each
 * on the day of the sale.
 * @param origin The movement or, where it is a revert, the movement from which as many reverts lead to it.
 */
export function changedSale(origin: Movement, reverts: number): Sale | undefined {
  const sale = saleOf(origin);
  return sale && reverts % 2 === 1 ? oppositeSale(sale) : sale;
}

export const oppositeSale = (sale: Sale): Sale => ({ ...sale, units: -sale.units });

/** What changes of a pet's sales of one day, made one after the other, make of `units`: `min(most, max(least, units + added))`. */
interface DayChange {
  readonly petId: bigint;
  readonly day: number;
  added: bigint;
  least: bigint;
  most: bigint;
  /** Whether a sale is among them. Reverts alone do not begin a day. */
  hasSale: boolean;
}

/** Changes of sales by pet and day. A day's units are never below 0 nor above `MAX_QUANTITY`, also between two changes. */
export function changesOfDays(sales: readonly Sale[]): readonly DayChange[] {
  const changes = new Map<string, DayChange>();
  for (const { petId, day, units } of sales) {
    const key = `${petId} ${day}`;
    const change = changes.get(key) ?? {
      ...{ petId, day, added: 0n, least: 0n, most: LARGEST, hasSale: false },
    };
    changes.set(key, change);
    change.added += BigInt(units);
    change.least = withinLimits(change.least + BigInt(units));
    change.most = withinLimits(change.most + BigInt(units));
    change.hasSale ||= units > 0;
  }
  return [...changes.values()];
}

const LARGEST = BigInt(MAX_QUANTITY);

function withinLimits(units: bigint): bigint {
  if (units < 0n) return 0n;
  return units > LARGEST ? LARGEST : units;
}

/** What `daysOfStock` needs to know of a pet. */
export interface SalesFacts {
  /** Units sold in the last `SALES_DAYS` days, today included. */
  readonly soldUnits: number;
  /** When the pet was added. */
  readonly createdAtMs: number;
}

/**
 * For how many days the available units last, in tenths rounded down, at the average rate of the last `SALES_DAYS` days,
 * or of all days since the pet was added if these are fewer; `null` without a sale.
 */
export function daysOfStock(
  available: number,
  { soldUnits, createdAtMs }: SalesFacts,
  nowMs: number,
): number | null {
  if (soldUnits <= 0) return null;
  const days = Math.min(SALES_DAYS, Math.max(1, Math.ceil((nowMs - createdAtMs) / DAY_MS)));
  return Math.max(0, Math.floor((available * days * 10) / soldUnits) / 10);
}

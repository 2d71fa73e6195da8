import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import { ALERT_LEVELS, type AlertLevel } from '@petstore-inventory/shared/words';
import { validationFailed } from '../errors.ts';

/** What a movement reports: a worse level, or the end of all (`back`). */
export const ALERTS = ['low', 'out', 'oversold', 'back'] as const;
export type Alert = (typeof ALERTS)[number];

/** The thresholds of a pet: its own, or else those of the shop. */
export function thresholdsOf(own: Thresholds, shop: Thresholds): Thresholds {
  return own.lowStockAt === null ? shop : own;
}

/** @throws OperatorError `validation_failed` for a `restockAt` that ends nothing, or that is not larger. */
export function requireThresholds({ lowStockAt, restockAt }: Thresholds): void {
  if (restockAt === null) return;
  if (lowStockAt === null) throw validationFailed('restockAt: it needs lowStockAt.');
  if (restockAt > lowStockAt) return;
  throw validationFailed(`restockAt: ${restockAt} is not greater than lowStockAt, which is ${lowStockAt}.`);
}

/**
 * The level after a change.
 * @param before The level before it: a pet that was below its threshold has no level only from `restockAt` on.
 */
export function alertLevel(
  before: AlertLevel | null,
  available: number,
  { lowStockAt, restockAt }: Thresholds,
): AlertLevel | null {
  if (available < 0) return 'oversold';
  if (available === 0) return 'out';
  if (lowStockAt === null) return null;
  if (available <= lowStockAt) return 'low';
  return before !== null && available < (restockAt ?? lowStockAt + 1) ? 'low' : null;
}

/** The alert of a movement; `null` where the level is the same or less severe, but not gone. */
export function alertOf(before: AlertLevel | null, after: AlertLevel | null): Alert | null {
  if (before === after) return null;
  if (after === null) return 'back';
  return before === null || ALERT_LEVELS.indexOf(after) > ALERT_LEVELS.indexOf(before) ? after : null;
}

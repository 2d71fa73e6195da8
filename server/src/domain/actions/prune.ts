import { DAY_MS } from '@petstore-inventory/shared/durations';
import { timestamp } from '../timestamps.ts';
import type { AdminStore } from '../admin-store.ts';
import { validationFailed } from '../errors.ts';
import { type ClockAcceptance, requireRightClock } from './clock.ts';

/** Which movements a prune deletes: those recorded before a moment, or before the last days. */
export type PruneBound = { readonly beforeMs: number } | { readonly keepDays: number };

/**
 * The moment before which a prune deletes. Without this check a wrong clock would delete history.
 * @throws OperatorError `validation_failed` when the moment is in the future, or `conflict` when the clock may be wrong.
 */
export async function pruneMoment(
  store: Pick<AdminStore, 'now' | 'findWrongClock'>,
  bound: PruneBound,
  acceptance: ClockAcceptance,
): Promise<number> {
  await requireRightClock(store, acceptance);
  const nowMs = await store.now();
  if ('keepDays' in bound) return nowMs - bound.keepDays * DAY_MS;
  if (bound.beforeMs <= nowMs) return bound.beforeMs;
  throw validationFailed(
    `before must not be in the future. It is ${timestamp(bound.beforeMs)}, and the database has ${timestamp(nowMs)}.`,
  );
}

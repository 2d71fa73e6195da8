const DAY_MS = 86_400_000;
/** The longest history to keep when an operator gives days. */
export const MAX_KEEP_DAYS = 36_500;

/** The moment before which a prune deletes, to keep the movements of the last days. */
export function keptSince(keepDays: number, nowMs: number): number {
  return nowMs - keepDays * DAY_MS;
}

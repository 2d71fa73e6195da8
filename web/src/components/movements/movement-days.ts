import type { Movement } from '../../api/schemas.ts';

/**
 * The movements with which a day begins in a list, newest first. A list of today alone has none.
 * @param todayMs Midnight in the person's zone.
 */
export function beginningDays(movements: readonly Movement[], todayMs: number): ReadonlyMap<number, Date> {
  const days = new Map<number, Date>();
  let last = '';
  for (const { sequence, recordedAt } of movements) {
    const day = new Date(recordedAt);
    if (day.toDateString() !== last) days.set(sequence, day);
    last = day.toDateString();
  }
  const [first] = days.values();
  return days.size === 1 && first && first.getTime() >= todayMs ? new Map() : days;
}

/** Midnight before a moment, in the person's zone. */
export function midnight(atMs: number): number {
  return new Date(atMs).setHours(0, 0, 0, 0);
}

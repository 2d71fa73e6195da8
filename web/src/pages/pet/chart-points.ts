import type { Movement } from '../../api/schemas.ts';

/** A step of the chart: the stock from this moment on. */
export interface ChartPoint {
  readonly atMs: number;
  readonly quantity: number;
  readonly available: number;
  /** What changed it; the ends of the chart have none. */
  readonly movement?: Movement;
}

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The steps of a pet's stock within a time.
 * @param movements Newest first; those from before are left out.
 */
export function chartPoints(
  movements: readonly Movement[],
  now: { readonly quantity: number; readonly reserved: number },
  { fromMs, toMs }: Range,
): readonly ChartPoint[] {
  const steps = movements
    .filter(({ recordedAt }) => Date.parse(recordedAt) >= fromMs)
    .toReversed()
    .map((movement): ChartPoint => {
      const { recordedAt, quantityAfter: quantity, reservedAfter } = movement;
      return { atMs: Date.parse(recordedAt), quantity, available: quantity - reservedAfter, movement };
    });
  const first = steps[0]?.movement;
  const last: ChartPoint = { atMs: toMs, quantity: now.quantity, available: now.quantity - now.reserved };
  if (first?.statusBefore === null) return [...steps, last];
  const { quantity, reserved } = first
    ? { quantity: first.quantityBefore, reserved: first.reservedBefore }
    : now;
  return [{ atMs: fromMs, quantity, available: quantity - reserved }, ...steps, last];
}

/** Both lists as one, newest first. */
export function joinedMovements(a: readonly Movement[], b: readonly Movement[]): readonly Movement[] {
  const bySequence = new Map([...a, ...b].map((movement) => [movement.sequence, movement]));
  return [...bySequence.values()].toSorted((x, y) => y.sequence - x.sequence);
}

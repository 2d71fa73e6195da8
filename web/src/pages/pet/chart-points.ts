import type { Movement } from '../../api/schemas.ts';
import type { ChartPoint } from '../../components/chart/chart.tsx';

/** A step of the chart: the quantity from this moment on, and the available units as its second value. */
export interface StockPoint extends ChartPoint {
  readonly second: number;
  /** The movement that led to the quantity; the ends of the chart have none. */
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
): readonly StockPoint[] {
  const steps = movements
    .filter(({ recordedAt }) => Date.parse(recordedAt) >= fromMs)
    .toReversed()
    .map((movement): StockPoint => {
      const { recordedAt, quantityAfter: value, reservedAfter } = movement;
      return { at: Date.parse(recordedAt), value, second: value - reservedAfter, movement };
    });
  const first = steps[0]?.movement;
  const last = { at: toMs, value: now.quantity, second: now.quantity - now.reserved };
  if (first?.statusBefore === null) return [...steps, last];
  const { quantity, reserved } = first
    ? { quantity: first.quantityBefore, reserved: first.reservedBefore }
    : now;
  return [{ at: fromMs, value: quantity, second: quantity - reserved }, ...steps, last];
}

/** Two lists as one without repeated movements, newest first. */
export function joinedMovements(a: readonly Movement[], b: readonly Movement[]): readonly Movement[] {
  const bySequence = new Map([...a, ...b].map((movement) => [movement.sequence, movement]));
  return [...bySequence.values()].toSorted((x, y) => y.sequence - x.sequence);
}

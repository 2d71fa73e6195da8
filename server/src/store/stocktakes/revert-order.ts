import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import type { OwnChange } from './stocktake-lines.ts';

/** Reverts of a pet of which all orders are tried: at most 2^16 states, about 20 ms. */
const ALL_ORDERS = 16;

/**
 * An order of the reverts of a pet that keeps its quantity between 0 and `MAX_QUANTITY`, where there is one. Whether there
 * is one is as hard as to find numbers with a given sum, so of more than `ALL_ORDERS` reverts only some orders are tried;
 * these fail only where many of the reverts move nearly `MAX_QUANTITY` units.
 */
export function revertOrder(quantity: number, changes: readonly OwnChange[]): readonly OwnChange[] {
  const simple = simpleOrder(quantity, changes);
  let units = quantity;
  for (const change of simple) {
    if (!hasRoom(units, change))
      return sortedOrder(quantity, changes) ?? searchedOrder(quantity, changes) ?? simple;
    units -= change.delta;
  }
  return simple;
}

/** Whether the revert of a change keeps the quantity within its limits. A sum above the largest one would not be exact. */
const hasRoom = (units: number, { delta }: OwnChange) =>
  delta > 0 ? delta <= units : -delta <= MAX_QUANTITY - units;

/** A revert that returns units comes as soon as there is room for them, and before it the largest one that takes units. */
function simpleOrder(quantity: number, changes: readonly OwnChange[]): readonly OwnChange[] {
  const returning = changes.filter(({ delta }) => delta < 0);
  const taking = changes.filter(({ delta }) => delta > 0).sort((a, b) => b.delta - a.delta);
  const order: OwnChange[] = [];
  let units = quantity;
  while (order.length < changes.length) {
    const [next] = returning;
    const returns = next && (hasRoom(units, next) || taking.length === 0);
    const largest = Math.max(
      taking.findIndex(({ delta }) => delta <= units),
      0,
    );
    const [change] = returns ? returning.splice(0, 1) : taking.splice(largest, 1);
    if (!change) break;
    order.push(change);
    units -= change.delta;
  }
  return order;
}

/** Which of two reverts is next: the largest one that returns units, or the largest one that takes units, each with room. */
type Choice = 'returns' | 'takes' | 'nearer the limit';
const CHOICES: readonly Choice[] = ['returns', 'takes', 'nearer the limit'];

/** The order by some choice, from the quantity on or, with all reverts turned around, back from the quantity after them. */
function sortedOrder(quantity: number, changes: readonly OwnChange[]): readonly OwnChange[] | undefined {
  const end = changes.reduce((units, { delta }) => units - BigInt(delta), BigInt(quantity));
  if (end < 0n || end > BigInt(MAX_QUANTITY)) return undefined;
  const bySize = changes.toSorted((a, b) => Math.abs(a.delta) - Math.abs(b.delta));
  for (const choice of CHOICES) {
    const order = chosenOrder(quantity, bySize, { choice, sign: 1 });
    const back = order ? undefined : chosenOrder(Number(end), bySize, { choice, sign: -1 });
    if (order ?? back) return order ?? back?.toReversed();
  }
  return undefined;
}

/** @param bySize Changes, the smallest first. `sign` -1 makes them again in place of reverting them. */
function chosenOrder(
  quantity: number,
  bySize: readonly OwnChange[],
  { choice, sign }: { readonly choice: Choice; readonly sign: 1 | -1 },
): readonly OwnChange[] | undefined {
  const returning = bySize.filter(({ delta }) => delta * sign <= 0);
  const taking = bySize.filter(({ delta }) => delta * sign > 0);
  const order: OwnChange[] = [];
  let units = quantity;
  while (returning.length + taking.length > 0) {
    const [up, down] = [lastWithin(returning, MAX_QUANTITY - units), lastWithin(taking, units)];
    if (up < 0 && down < 0) return undefined;
    const left = MAX_QUANTITY - units - Math.abs(returning[up]?.delta ?? 0);
    const isNearer = left <= units - Math.abs(taking[down]?.delta ?? 0);
    const returns = down < 0 || (up >= 0 && (choice === 'returns' || (choice !== 'takes' && isNearer)));
    const [change] = returns ? returning.splice(up, 1) : taking.splice(down, 1);
    if (!change) return undefined;
    order.push(change);
    units -= change.delta * sign;
  }
  return order;
}

/** The place of the last change of no more than some units; -1 without one. */
function lastWithin(bySize: readonly OwnChange[], units: number): number {
  let [low, high] = [0, bySize.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Math.abs(bySize[middle]?.delta ?? 0) <= units) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Tries all orders. Which reverts were made determines the quantity, so no set of them is tried again that leads to none. */
function searchedOrder(quantity: number, changes: readonly OwnChange[]): readonly OwnChange[] | undefined {
  if (changes.length > ALL_ORDERS) return undefined;
  const order: OwnChange[] = [];
  const failed = new Set<number>();
  const isCompleted = (units: number, made: number): boolean => {
    if (order.length === changes.length) return true;
    if (failed.has(made)) return false;
    for (const [i, change] of changes.entries()) {
      const bit = 1 << i;
      if ((made & bit) !== 0 || !hasRoom(units, change)) continue;
      order.push(change);
      if (isCompleted(units - change.delta, made | bit)) return true;
      order.pop();
    }
    failed.add(made);
    return false;
  };
  return isCompleted(quantity, 0) ? order : undefined;
}

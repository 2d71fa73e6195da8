import { useThrottledValue } from '@mantine/hooks';
import { useMemo } from 'react';
import type { StockSnapshot } from '../../stock/stock-list.ts';
import type { StockRow } from '../../stock/stock-row.ts';
import type { StockStore } from '../../stock/stock-store.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';

/** Counting 100,000 rows takes milliseconds, and rows may change many times per second. */
const COUNT_EVERY_MS = 500;

/** The line of facts below the title, the categories that exist, and the number of pets among which to search. */
export function useFacts(store: StockStore, snapshot: StockSnapshot, isArchived: boolean) {
  const throttled = useThrottledValue(snapshot, COUNT_EVERY_MS);
  const seen = throttled.isComplete ? throttled : snapshot;
  const { stock, shared } = useTexts();
  const format = useFormat();
  return useMemo(() => {
    const { pets, alerts, categories } = countRows(store.rows, seen);
    const counted = shared.pets(format.quantity(pets), pets === 1);
    const facts = seen.isComplete
      ? stock.facts(counted, format.quantity(alerts))
      : stock.loadingPets(counted);
    const total = isArchived ? store.rows.length - pets : pets;
    return { facts, total, categories: categories.sort(format.compare) };
  }, [isArchived, seen, store, stock, shared, format]);
}

/** @param _seen The state that the rows have: they change in place. */
function countRows(rows: readonly StockRow[], _seen: StockSnapshot) {
  const categories = new Set<string>();
  let alerts = 0;
  let pets = 0;
  for (const { category, alertLevel, archivedAtMs } of rows) {
    if (category !== null) categories.add(category);
    if (archivedAtMs !== null) continue;
    pets += 1;
    if (alertLevel !== null) alerts += 1;
  }
  return { pets, alerts, categories: [...categories] };
}

/** The units of the selected pets. */
export function useUnits(store: StockStore, snapshot: StockSnapshot, petIds: ReadonlySet<string>): number {
  const seen = useThrottledValue(snapshot, COUNT_EVERY_MS);
  return useMemo(() => sumUnits(store, petIds, seen), [store, petIds, seen]);
}

/** @param _seen The state that the rows have: they change in place. */
function sumUnits(store: StockStore, petIds: ReadonlySet<string>, _seen: StockSnapshot): number {
  let units = 0;
  for (const petId of petIds) units += store.find(petId)?.quantity ?? 0;
  return units;
}

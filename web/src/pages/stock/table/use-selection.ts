import { useMemo } from 'react';
import { useKept, useKeptState } from '../../../stock/stock-provider.tsx';

export interface Selection {
  readonly petIds: ReadonlySet<string>;
  toggle(petId: string): void;
  /** Selects the rows from the last one that was chosen to this one. */
  extendTo(position: number): void;
  anchorAt(position: number): void;
  selectAll(): void;
  /** Keeps only these. */
  only(petIds: Iterable<string>): void;
  clear(): void;
}

const NONE: ReadonlySet<string> = new Set();

/** The selected pets. A range is one of the rows that show. */
export function useSelection(petIdAt: (position: number) => string, count: number): Selection {
  const [petIds, setPetIds] = useKeptState('stock-selection', NONE);
  const anchor = useKept('stock-anchor', () => ({ current: 0 }));
  return useMemo(
    () => ({
      petIds,
      toggle: (petId) =>
        setPetIds((before) => {
          const after = new Set(before);
          if (!after.delete(petId)) after.add(petId);
          return after;
        }),
      extendTo: (position) => {
        // Read here: React calls the function below after the anchor may have moved.
        const [first, last] = [Math.min(anchor.current, position), Math.max(anchor.current, position)];
        setPetIds((before) => {
          const after = new Set(before);
          for (let at = first; at <= Math.min(last, count - 1); at += 1) after.add(petIdAt(at));
          return after;
        });
      },
      anchorAt: (position) => {
        anchor.current = position;
      },
      selectAll: () => setPetIds(new Set(Array.from({ length: count }, (_, at) => petIdAt(at)))),
      only: (chosen) => setPetIds(new Set(chosen)),
      clear: () => setPetIds(NONE),
    }),
    [petIds, setPetIds, anchor, petIdAt, count],
  );
}

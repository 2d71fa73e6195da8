import { useMemo } from 'react';
import { useKept, useKeptState } from '../../../stock/stock-provider.tsx';

export interface Selection {
  readonly petIds: ReadonlySet<string>;
  /** How many of them do not show, such as after the selection of another filter. */
  readonly hidden: number;
  toggle(petId: string): void;
  /**
   * Selects the rows from the pet that was last chosen, wherever it is now, to this position.
   * @param from Where the range begins if that pet does not show.
   */
  extendTo(position: number, from: number): void;
  anchorAt(position: number): void;
  selectAll(): void;
  /** Keeps only these. */
  only(petIds: Iterable<string>): void;
  clear(): void;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The selected pets. A range is one of the rows that show.
 * @param isWhole Whether all pets show.
 */
export function useSelection(
  petIdAt: (position: number) => string,
  count: number,
  isWhole: boolean,
): Selection {
  const [petIds, setPetIds] = useKeptState('stock-selection', NONE);
  const hidden = useMemo(() => {
    if (isWhole || petIds.size === 0) return 0;
    let shown = 0;
    for (let at = 0; at < count; at += 1) if (petIds.has(petIdAt(at))) shown += 1;
    return petIds.size - shown;
  }, [petIds, petIdAt, count, isWhole]);
  // A pet, because another order or filter moves the rows.
  const anchor = useKept('stock-anchor', (): { petId?: string } => ({}));
  return useMemo(
    () => ({
      petIds,
      hidden,
      toggle: (petId) =>
        setPetIds((before) => {
          const after = new Set(before);
          if (!after.delete(petId)) after.add(petId);
          return after;
        }),
      extendTo: (position, from) => {
        // Read here: React calls the function below after the anchor may have moved.
        let start = 0;
        while (start < count && petIdAt(start) !== anchor.petId) start += 1;
        if (start === count) {
          start = from;
          anchor.petId = petIdAt(from);
        }
        const [first, last] = [Math.min(start, position), Math.max(start, position)];
        setPetIds((before) => {
          const after = new Set(before);
          for (let at = first; at <= last; at += 1) after.add(petIdAt(at));
          return after;
        });
      },
      anchorAt: (position) => {
        anchor.petId = petIdAt(position);
      },
      selectAll: () => setPetIds(new Set(Array.from({ length: count }, (_, at) => petIdAt(at)))),
      only: (chosen) => setPetIds(new Set(chosen)),
      clear: () => setPetIds(NONE),
    }),
    [petIds, hidden, setPetIds, anchor, petIdAt, count],
  );
}

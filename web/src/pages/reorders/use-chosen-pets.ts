import type { Reorder } from '../../api/schemas.ts';
import { useKeptState } from '../../stock/stock-provider.tsx';

const NONE: ReadonlySet<string> = new Set();

/** The pets of the list that are selected. They stay selected while other pages are open. */
export function useChosenPets(rows: readonly Reorder[]) {
  const [selected, setSelected] = useKeptState<ReadonlySet<string>>('reorders-selected', NONE);
  return {
    selected,
    chosen: rows.filter(({ petId }) => selected.has(petId)),
    select: (petIds: readonly string[], isSelected: boolean) =>
      setSelected((before) => {
        const next = new Set(before);
        for (const petId of petIds) {
          if (isSelected) next.add(petId);
          else next.delete(petId);
        }
        return next;
      }),
    selectOnly: (petIds: readonly string[]) => setSelected(new Set(petIds)),
  };
}

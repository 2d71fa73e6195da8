import type { BulkChange } from '../../../api/schemas.ts';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { useStock } from '../../../stock/stock-provider.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { actOnChange, settledChange } from './bulk-api.ts';

/** Shows what a change of many pets has done, with its undo. */
export function useNoteChange(): (change: BulkChange) => void {
  const { stock, shared } = useTexts();
  const format = useFormat();
  const toast = useToast();
  const { reload } = useStock();
  const pets = (count: number) => shared.pets(format.count(count));
  return ({ id, counts, failureCode }) => {
    // Archiving is no movement.
    reload();
    const undo = async () => {
      await actOnChange(id, 'undo');
      const { counts: after } = await settledChange(id, () => undefined);
      reload();
      if (after.kept === 0) return;
      toast.show({ message: stock.many.kept(pets(after.undone), pets(after.kept)), isError: true });
    };
    const result =
      counts.stale === 0
        ? stock.applied(pets(counts.changed))
        : stock.many.stale(pets(counts.changed), pets(counts.stale));
    toast.show({
      message: failureCode === null ? result : `${stock.many.failures[failureCode]} ${result}`,
      isError: failureCode !== null || counts.stale > 0,
      ...(counts.changed > 0 && { undo }),
    });
  };
}

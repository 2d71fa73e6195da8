import type { BulkChange } from '../../../api/schemas.ts';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { useStock } from '../../../stock/stock-provider.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { actOnChange, settledChange } from './bulk-api.ts';

/** Gives the pets of a change their earlier values back. @returns Whether it did so for all; else the page says for how many. */
export function useUndoChange(): (id: string) => Promise<boolean> {
  const { app, stock, shared } = useTexts();
  const format = useFormat();
  const toast = useToast();
  const { reload } = useStock();
  const pets = (count: number) => shared.pets(format.count(count));
  return async (id) => {
    await actOnChange(id, 'undo');
    const { counts, failureCode } = await settledChange(id, () => undefined);
    reload();
    const { undone, kept, changed } = counts;
    // It failed, or a person stopped it.
    if (changed > 0) {
      const why = failureCode === null ? '' : stock.many.failures[failureCode];
      toast.show({
        message: app.undonePartly(pets(undone), pets(kept + changed), why).trim(),
        isError: true,
      });
      return false;
    }
    if (kept === 0) return true;
    toast.show({ message: stock.many.kept(pets(undone), pets(kept)), isError: true });
    return false;
  };
}

/** Shows what a change of many pets has done, with its undo. */
export function useNoteChange(): (change: BulkChange) => void {
  const { stock, shared } = useTexts();
  const format = useFormat();
  const toast = useToast();
  const { reload } = useStock();
  const undo = useUndoChange();
  const pets = (count: number) => shared.pets(format.count(count));
  return ({ id, counts, failureCode }) => {
    // Archiving is no movement.
    reload();
    const result =
      counts.stale === 0
        ? stock.applied(pets(counts.changed))
        : stock.many.stale(pets(counts.changed), pets(counts.stale));
    toast.show({
      message: failureCode === null ? result : `${stock.many.failures[failureCode]} ${result}`,
      isError: failureCode !== null || counts.stale > 0,
      ...(counts.changed > 0 && { undo: async () => void (await undo(id)) }),
    });
  };
}

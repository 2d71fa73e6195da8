import { useQueryClient } from '@tanstack/react-query';
import type { BulkChange } from '../api/schemas.ts';
import { REORDERS_KEY } from '../components/reorder.ts';
import { useToast } from '../components/toast/toast-provider.tsx';
import { readAgain } from '../live/read-again.ts';
import { useStock } from '../stock/stock-provider.tsx';
import { useFormat, useTexts } from '../texts/texts-context.tsx';
import { actOnChange, settledChange, togetherOf } from './bulk-api.ts';

/** Reads what a change of many pets may have changed without a movement: archived pets, their suppliers, and orders. */
function useReadChanged(): (change: BulkChange) => void {
  const { reload } = useStock();
  const queries = useQueryClient();
  return ({ set }) => {
    if (set.archived !== undefined) reload();
    void readAgain(queries, [REORDERS_KEY]);
  };
}

/** Says for how many pets an undo did not give all values back. @returns Whether it did so for all. */
function useNoteUndone(): (change: BulkChange) => boolean {
  const { app, stock, shared } = useTexts();
  const format = useFormat();
  const toast = useToast();
  const readChanged = useReadChanged();
  const pets = (count: number) => shared.pets(format.count(count));
  return (change) => {
    readChanged(change);
    const { counts, failureCode } = change;
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

/** Gives the pets of changes their earlier values back. @returns Whether it did so for all; else the page says for how many. */
export function useUndoChange(): (...ids: readonly string[]) => Promise<boolean> {
  const noteUndone = useNoteUndone();
  return async (...ids) => {
    const undone: BulkChange[] = [];
    for (const id of ids) {
      await actOnChange(id, 'undo');
      undone.push(await settledChange(id, () => undefined));
    }
    const change = togetherOf(undone);
    return change === undefined || noteUndone(change);
  };
}

/** Shows the result of a change, or of its undo, that ended while no dialog showed it. */
export function useNoteEnd(): (change: BulkChange) => void {
  const { app } = useTexts();
  const toast = useToast();
  const noteChange = useNoteChange();
  const noteUndone = useNoteUndone();
  return (change) => {
    if (change.undoneBy === null) noteChange(change);
    else if (noteUndone(change)) toast.show({ message: app.undone });
  };
}

/** Shows what changes of many pets, of one intention, have done, with their undo. */
export function useNoteChange(): (changes: BulkChange | readonly BulkChange[], doneText?: string) => void {
  const { stock, shared } = useTexts();
  const format = useFormat();
  const toast = useToast();
  const readChanged = useReadChanged();
  const undo = useUndoChange();
  const pets = (count: number) => shared.pets(format.count(count));
  return (noted, doneText) => {
    const changes = [noted].flat() as readonly BulkChange[];
    const change = togetherOf(changes);
    if (change === undefined) return;
    readChanged(change);
    const { counts, failureCode } = change;
    const ids = changes.filter(({ counts: { changed } }) => changed > 0).map(({ id }) => id);
    const result =
      counts.stale === 0
        ? (doneText ?? stock.applied(pets(counts.changed)))
        : stock.many.stale(pets(counts.changed), pets(counts.stale));
    toast.show({
      message: failureCode === null ? result : `${stock.many.failures[failureCode]} ${result}`,
      isError: failureCode !== null || counts.stale > 0,
      ...(counts.changed > 0 && { undo: async () => void (await undo(...ids)) }),
    });
  };
}

import { useMemo, useSyncExternalStore } from 'react';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import type { Count } from '../../../counts/count.ts';
import { QueueFullError } from '../../../counts/count-queue.ts';
import { detailEdits } from '../../../counts/detail-edits.ts';
import { useCounts } from '../../../counts/use-counts.ts';
import { usePersonId, useSession } from '../../../session/session-context.tsx';
import { useKept, useStock } from '../../../stock/stock-provider.tsx';
import { useErrorText, useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { STOCK_CALLS } from '../stock-api.ts';
import { EditBook, type PendingEdit, withWaitingEdits } from './edit-book.ts';
import { waitingEdits } from './waiting-edits.ts';

interface Edits {
  readonly book: EditBook;
  /** Quantities that are not confirmed yet, by petId. */
  readonly edits: ReadonlyMap<string, PendingEdit>;
  /** Details that wait for a connection, by petId. */
  readonly details: ReadonlyMap<string, readonly Count[]>;
}

/** The edits of the stock list. Their messages come also after the person left the page. */
export function useEdits(): Edits {
  const { stock, shared } = useTexts();
  const format = useFormat();
  const toast = useToast();
  const { store, owners } = useStock();
  const errorText = useErrorText();
  const nameOf = (petId: string) => store.find(petId)?.name ?? shared.unnamed(petId);
  // An edit that is under way when the page is left has its message, too.
  const session = useSession();
  const personId = usePersonId();
  const page = { toast, stock, format, nameOf, errorText, session };
  const notify = useKept('stock-notices', () => ({ current: page }));
  notify.current = page;
  const book = useKept('stock-edits', () => {
    const waiting = waitingEdits(() => ({
      ...notify.current,
      onKept: (petId, quantity) => {
        const now = notify.current;
        now.toast.show({ message: now.stock.kept(now.nameOf(petId), now.format.quantity(quantity)) });
      },
    }));
    return new EditBook(store, STOCK_CALLS, waiting, {
      onSaved: ({ petId, before, after, undo }) => {
        const now = notify.current;
        const message = now.stock.saved(
          now.nameOf(petId),
          now.format.quantity(before),
          now.format.quantity(after),
        );
        now.toast.show({ message, undo });
      },
      onFailed: ({ petId }, error) => {
        const now = notify.current;
        const name = now.nameOf(petId);
        const why = now.errorText(error);
        const isUnkept = error instanceof QueueFullError;
        now.toast.show({
          message: isUnkept ? now.stock.unkept(name) : now.stock.failed(name, why),
          isError: true,
        });
      },
    });
  });
  owners.add(book.isBusy);
  const own = useSyncExternalStore(book.subscribe, () => book.edits);
  const counts = useCounts();
  const details = useMemo(() => detailEdits(counts, personId), [counts, personId]);
  const edits = useMemo(() => withWaitingEdits(own, counts, personId), [own, counts, personId]);
  return { book, edits, details };
}

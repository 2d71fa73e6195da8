import { isRecord } from '@petstore-inventory/shared/is-record';
import { useCallback, useEffect, useState } from 'react';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { afterOwnCounts, type Count, type SeenStock, stockAfter } from '../../counts/count.ts';
import { QueueFullError } from '../../counts/count-queue.ts';
import { keepCount } from '../../counts/use-counts.ts';
import { type FormDraft, useDraft } from '../../drafts/use-draft.ts';
import { useSession } from '../../session/session-context.tsx';
import { type StockRow, stateOfTag, tagOf } from '../../stock/stock-row.ts';
import type { StockStore } from '../../stock/stock-store.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';

const TICK_MS = 20;

/** A pet as it was when it was chosen. */
export type SeenPet = SeenStock & Pick<StockRow, 'name' | 'category'>;

export interface Counting {
  readonly row: SeenPet | undefined;
  /** The quantity of the counted pet, if somebody else has changed it since. */
  readonly changedTo: number | undefined;
  readonly typed: string;
  /** The count that was saved last, for screen readers. */
  readonly message: string;
  readonly draft: FormDraft;
  type(typed: string): void;
  choose(petId: string | undefined): void;
  /** @returns Whether there was something to save, and it was kept. */
  save(typed?: string): boolean;
}

interface CountingParts {
  readonly store: StockStore;
  readonly counts: readonly Count[];
  /** The stock-take that pets are counted for, if any. */
  readonly stocktakeId: string | undefined;
  /** Whether the address names a pet to count, which comes before the draft of another one. */
  readonly isPetWanted: boolean;
  readonly onSaved: () => void;
}

/** The pet that is being counted, and what is typed for it. */
export function useCounting(parts: CountingParts): Counting {
  const { store, counts, stocktakeId, isPetWanted, onSaved } = parts;
  const { count, shared } = useTexts();
  const format = useFormat();
  const session = useSession();
  const toast = useToast();
  const [seen, setSeen] = useState<SeenPet>();
  const [typed, setTyped] = useState('');
  const [message, setMessage] = useState('');
  // A count holds for the state that was seen: what others change while the person counts is asked about.
  const row = seen && afterOwnCounts(seen, counts);
  const now = seen && store.find(seen.petId);
  const changedTo =
    row && now && now.version > row.version && now.quantity !== row.quantity ? now.quantity : undefined;
  useKnownCounts(store, counts);

  const readDraft = useCallback(
    (value: unknown) => (isPetWanted ? undefined : readCountDraft(value)),
    [isPetWanted],
  );
  const draft = useDraft<CountDraft>({
    place: 'count',
    values: seen && typed !== '' ? { seen, typed } : NO_DRAFT,
    read: readDraft,
    load: (kept) => {
      setSeen(kept.seen);
      setTyped(kept.typed);
    },
  });

  const choose = (next: string | undefined) => {
    const found = next === undefined ? undefined : store.find(next);
    setSeen(found && seenPetOf(found));
    setTyped('');
  };
  const save = (text = typed) => {
    if (!row || text === '') return false;
    const name = row.name ?? shared.unnamed(row.petId);
    try {
      // What arrived while the person counted, with the same quantity, is older than the count.
      const isSame = stocktakeId !== undefined && now?.quantity === row.quantity && now.version > row.version;
      const pet = { petId: row.petId, name, expected: row.quantity, tag: tagOf(isSame ? now : row) };
      keepCount({ ...pet, ...(stocktakeId !== undefined && { stocktakeId }) }, Number(text), session);
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      toast.show({ message: count.full, isError: true });
      return false;
    }
    navigator.vibrate?.(TICK_MS);
    setMessage(count.saved(name, format.quantity(Number(text))));
    choose(undefined);
    onSaved();
    return true;
  };
  return { row, changedTo, typed, message, draft, type: setTyped, choose, save };
}

/** A count that is being typed, with the pet as it was seen: others may change it before the page opens again. */
interface CountDraft {
  readonly seen?: SeenPet;
  readonly typed: string;
}

const NO_DRAFT: CountDraft = { typed: '' };

const seenPetOf = ({
  petId,
  name,
  category,
  quantity,
  version,
  lastSequence,
  updatedAtMs,
}: SeenPet): SeenPet => ({
  petId,
  name,
  category,
  quantity,
  version,
  lastSequence,
  updatedAtMs,
});

function readCountDraft(value: unknown): CountDraft | undefined {
  if (!isRecord(value) || !isRecord(value.seen)) return undefined;
  const { typed } = value;
  const seen = value.seen as Partial<SeenPet>;
  const numbers = [seen.quantity, seen.version, seen.lastSequence, seen.updatedAtMs];
  const isSeen =
    typeof seen.petId === 'string' &&
    [seen.name, seen.category].every((text) => text === null || typeof text === 'string') &&
    numbers.every(Number.isSafeInteger);
  const isTyped = typeof typed === 'string' && /^\d{1,15}$/.test(typed);
  return isSeen && isTyped ? { seen: seenPetOf(seen as SeenPet), typed } : undefined;
}

/** A recorded count is known here before the live stream says so. */
function useKnownCounts(store: StockStore, counts: readonly Count[]): void {
  useEffect(() => {
    for (const count of counts) {
      const { state, petId, tag, expected, edit } = count;
      // A count with details has a movement that shows more than the quantity.
      if (edit?.details) continue;
      const row = state === 'sent' || state === 'undone' ? store.find(petId) : undefined;
      const known = row && stateOfTag(tag);
      const quantity = state === 'undone' ? expected : stockAfter(count);
      if (known && known.version > row.version) store.put({ ...row, ...known, quantity });
    }
  }, [store, counts]);
}

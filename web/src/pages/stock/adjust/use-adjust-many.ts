import { isRecord } from '@petstore-inventory/shared/is-record';
import { useDebouncedValue } from '@mantine/hooks';
import { REASONS } from '@petstore-inventory/shared/words';
import { type FormEvent, useMemo, useState } from 'react';
import type { Reason } from '../../../api/schemas.ts';
import { useAdjustment } from '../../../components/adjustment.tsx';
import { readOneOf, readTexts } from '../../../drafts/drafts.ts';
import { useDraft } from '../../../drafts/use-draft.ts';
import type { StockStore } from '../../../stock/stock-store.ts';
import type { EditBook } from '../edit/edit-book.ts';
import type { Adjustment, BulkUndo } from './changes.ts';
import { type AskedChange, useBulkChange } from './use-bulk-change.ts';

const PREVIEW_DELAY_MS = 150;

export interface AdjustManyOptions {
  readonly petIds: readonly string[];
  readonly store: StockStore;
  readonly book: EditBook;
  readonly onClose: () => void;
  readonly onApplied: (applied: AppliedToMany) => void;
  /** The dialog closes while so many pets may be changed. */
  readonly onUnanswered: (count: number) => void;
}

interface AppliedToMany {
  readonly count: number;
  /** Pets that are not changed, because the person has stopped, or of which that is not known. */
  readonly left: readonly string[];
  readonly undo: BulkUndo;
  readonly unanswered: number;
}

/** The form of a change of many pets: what was typed, the preview of exactly that, and what applies it. */
export function useAdjustMany({ petIds, store, book, onClose, onApplied, onUnanswered }: AdjustManyOptions) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const form = useAdjustment();
  const { mode, amount } = form.values;
  const draft = useDraft({
    place: `adjust-many:${selectionName(petIds)}`,
    values: { mode, amount, reason: form.values.reason, note: form.values.note },
    read: readAdjustDraft,
    load: form.set,
  });
  const value = readValue(mode, amount);
  const reason = form.values.reason ?? usualReason(mode, value);
  const kept = useMemo(() => petIds.filter((petId) => !left.has(petId)), [petIds, left]);
  const { note } = form.words;
  const change = useMemo<AskedChange>(
    () => ({ petIds: kept, adjustment: value === undefined ? undefined : { mode, value, reason, note } }),
    [kept, mode, value, reason, note],
  );
  const [asked] = useDebouncedValue(change, PREVIEW_DELAY_MS);
  const { bulk, undo, apply, retry, stop, isBusy, problem } = useBulkChange(asked, store, book);
  // Until then, what is applied is not what the form says.
  const isCurrent = asked === change;
  const isReady = isCurrent && bulk.isReady;
  const refused = isCurrent ? bulk.refused : [];
  const { applied } = bulk;
  // A preview that failed, such as without a connection.
  const mustRetry = isCurrent && problem !== undefined && !isBusy && !bulk.isReady && refused.length === 0;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (mustRetry) return retry();
    if (!isReady || isBusy) return;
    if (await apply()) applyDone(bulk.applied, []);
    // What may be applied is no draft: in another dialog it would be applied once more.
    else if (bulk.hasBegun) draft.end();
  };
  const applyDone = (count: number, rest: readonly string[]) => {
    draft.end();
    onApplied({ count, left: rest, undo, unanswered: bulk.unanswered });
  };
  const leave = () => {
    if (applied > 0) return applyDone(applied, bulk.left);
    onClose();
    if (bulk.unanswered > 0) onUnanswered(bulk.unanswered);
  };
  const cancel = () => {
    draft.end();
    leave();
  };
  return {
    form,
    value,
    reason,
    draft,
    kept,
    change,
    bulk,
    isCurrent,
    isReady,
    refused,
    mustRetry,
    isBusy,
    problem,
    leaveOut: () => setLeft(new Set([...left, ...refused])),
    submit,
    stop,
    leave,
    cancel,
  };
}

/** Names a selection in the key of its draft. */
const selectionName = (petIds: readonly string[]): string => `${petIds.length}:${petIds[0]}:${petIds.at(-1)}`;

function readAdjustDraft(value: unknown) {
  const texts = readTexts(value, ['amount', 'note']);
  const mode = isRecord(value) ? readOneOf(value.mode, ['add', 'set'] as const) : undefined;
  if (!texts || !mode || !isRecord(value)) return undefined;
  return { mode, amount: texts.amount, reason: readOneOf(value.reason, REASONS) ?? null, note: texts.note };
}

/** The reason that is proposed until the person chooses one. */
function usualReason(mode: Adjustment['mode'], value: number | undefined): Reason {
  if (mode === 'set') return 'cycle_count';
  return value !== undefined && value < 0 ? 'correction' : 'received';
}

function readValue(mode: Adjustment['mode'], text: string): number | undefined {
  const digits = text.trim().replace('−', '-').replace(/^\+/, '');
  if (!/^-?\d{1,16}$/.test(digits)) return undefined;
  const value = Number(digits);
  if (!Number.isSafeInteger(value)) return undefined;
  if (mode === 'add') return value === 0 ? undefined : value;
  return value < 0 ? undefined : value;
}

import { isRecord } from '@petstore-inventory/shared/is-record';
import { Button, Group, Progress, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { MAX_BATCH_ROWS } from '@petstore-inventory/shared/limits';
import { REASONS } from '@petstore-inventory/shared/words';
import { type FormEvent, useMemo, useState } from 'react';
import type { Reason } from '../../../api/schemas.ts';
import { ReasonSelect, useAdjustment } from '../../../components/adjustment.tsx';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import type { StockStore } from '../../../stock/stock-store.ts';
import { DraftNote } from '../../../drafts/draft-note.tsx';
import { readOneOf, readTexts } from '../../../drafts/drafts.ts';
import { useDraft } from '../../../drafts/use-draft.ts';
import { useLiveStatus } from '../../../live/use-live.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import type { EditBook } from '../edit/edit-book.ts';
import styles from '../many-dialog.module.css';
import own from './adjust-dialog.module.css';
import { ChangePreview } from './change-preview.tsx';
import type { Adjustment, BulkUndo } from './changes.ts';
import { type AskedChange, useBulkChange } from './use-bulk-change.ts';

const PREVIEW_DELAY_MS = 150;

interface Props {
  readonly petIds: readonly string[];
  readonly store: StockStore;
  readonly book: EditBook;
  readonly onClose: () => void;
  /** @param left Pets that are not changed, because the person has stopped. */
  readonly onApplied: (count: number, left: readonly string[], undo: BulkUndo) => void;
}

/** Changes one pet or many, with a reason. The service says before what will be after. Up to 1,000 are applied together or not at all. */
export function AdjustManyDialog({ petIds, store, book, onClose, onApplied }: Props) {
  const { stock, shared, app } = useTexts();
  const format = useFormat();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const form = useAdjustment();
  const { mode, amount } = form.values;
  const draft = useDraft({
    place: `adjust-many:${selectionName(petIds)}`,
    values: { mode, amount, reason: form.values.reason, note: form.values.note },
    read: readAdjustDraft,
    load: form.set,
  });
  const isOffline = useLiveStatus().state === 'offline';
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
  const { hasBegun, applied } = bulk;
  // A preview that failed, such as without a connection.
  const mustRetry = isCurrent && problem !== undefined && !isBusy && !bulk.isReady && refused.length === 0;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (mustRetry) return retry();
    if (isReady && !isBusy && (await apply())) applyDone(bulk.applied, []);
  };
  const applyDone = (count: number, rest: readonly string[]) => {
    draft.end();
    onApplied(count, rest, undo);
  };
  const leave = () => (applied > 0 ? applyDone(applied, bulk.left) : onClose());
  const cancel = () => {
    draft.end();
    leave();
  };

  const [first = ''] = petIds;
  const pets = (count: number) => shared.pets(format.count(count));
  const title =
    petIds.length === 1
      ? stock.adjustTitle(store.find(first)?.name ?? shared.unnamed(first))
      : stock.adjustMany(pets(petIds.length));
  return (
    <Dialog onClose={isBusy ? stop : leave} asks={!isBusy && applied === 0} title={title} size={560}>
      <form onSubmit={(event) => void submit(event)} className={styles.form} {...draft.form}>
        <DraftNote draft={draft} />
        <fieldset className={styles.fields} disabled={hasBegun}>
          <SegmentedControl
            aria-label={stock.change}
            {...form.choice('mode')}
            data={[
              { value: 'add', label: stock.mode.add },
              { value: 'set', label: stock.mode.set },
            ]}
            size="sm"
          />
          <TextInput
            {...form.input('amount')}
            label={mode === 'add' ? stock.change : stock.newQuantity}
            placeholder={mode === 'add' ? '+3, -2' : '12'}
            error={!['', '-'].includes(amount.trim()) && value === undefined && stock.invalid}
            data-autofocus
          />
          <ReasonSelect of={form} usual={reason} />
        </fieldset>
        <Textarea
          {...form.noteField}
          placeholder={stock.notePlaceholder}
          disabled={hasBegun}
          className={own.note}
          rows={1}
        />
        <ChangePreview
          petIds={kept}
          store={store}
          rowAt={isCurrent ? (index) => bulk.rowAt(index) : undefined}
          adjustment={change.adjustment}
        />
        <BulkProgress
          total={kept.length}
          planned={isCurrent ? bulk.planned : 0}
          applied={applied}
          isApplying={isBusy || hasBegun}
        />
        {isOffline && (
          <p role="alert" className={styles.problem}>
            {stock.bulkOffline}
          </p>
        )}
        {problem !== undefined && !isOffline && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        {refused.length > 0 && (
          <p role="alert" className={styles.problem}>
            {stock.refusedRows(pets(refused.length))}{' '}
            {refused.length < kept.length && !hasBegun && (
              <button
                type="button"
                className={`${own.leaveOut} tap`}
                onClick={() => setLeft(new Set([...left, ...refused]))}
              >
                {stock.leaveOut}
              </button>
            )}
          </p>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={isBusy ? stop : cancel}>
            {isBusy && kept.length > MAX_BATCH_ROWS
              ? stock.stop
              : applied > 0
                ? stock.leaveRest
                : app.actions.cancel}
          </Button>
          <Button type="submit" disabled={!isReady && !mustRetry} loading={isBusy}>
            {mustRetry
              ? app.states.retry
              : petIds.length === 1
                ? stock.adjust
                : stock.apply(pets(kept.length - applied))}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
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

interface BulkProgressProps {
  readonly total: number;
  readonly planned: number;
  readonly applied: number;
  readonly isApplying: boolean;
}

/** How far the previews, or the change, of more than one batch are. */
function BulkProgress({ total, planned, applied, isApplying }: BulkProgressProps) {
  const { stock } = useTexts();
  const format = useFormat();
  if (total <= MAX_BATCH_ROWS) return null;
  const done = isApplying ? applied : planned;
  const shown = [format.quantity(done), format.quantity(total)] as const;
  const text = isApplying ? stock.appliedOf(...shown) : stock.checkedOf(...shown);
  return (
    <div>
      <p className={`${styles.progress} number`} role="status">
        {text}
      </p>
      <Progress value={(done / total) * 100} size={4} aria-label={text} />
    </div>
  );
}

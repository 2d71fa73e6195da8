import { Button, Group, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import type { InventoryBatchResult, Reason } from '../../../api/schemas.ts';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import type { StockStore } from '../../../stock/stock-store.ts';
import { useErrorText, useFormat, useTexts } from '../../../texts/texts-context.tsx';
import type { EditBook } from '../edit/edit-book.ts';
import { MAX_CHANGES, previewChanges } from '../stock-api.ts';
import styles from './adjust-dialog.module.css';
import { ChangePreview } from './change-preview.tsx';
import { type Adjustment, changesOf } from './changes.ts';
import { useApply } from './use-apply.ts';

const REASONS: readonly Reason[] = [
  'received',
  'restock',
  'returned',
  'cycle_count',
  'correction',
  'damaged',
  'shrinkage',
  'sold',
  'promotion',
  'other',
];
const PREVIEW_DELAY_MS = 150;

interface Props {
  readonly petIds: readonly string[];
  readonly store: StockStore;
  readonly book: EditBook;
  readonly onClose: () => void;
  readonly onApplied: (result: InventoryBatchResult) => void;
}

/** Changes one pet or many, with a reason. The service says before what will be after; then all is applied, or nothing. */
export function AdjustDialog({ petIds, store, book, onClose, onApplied }: Props) {
  const { stock, shared, app } = useTexts();
  const errorText = useErrorText();
  const format = useFormat();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [form, setForm] = useState({
    mode: 'add' as Adjustment['mode'],
    text: '',
    reason: undefined as Reason | undefined,
    note: '',
  });
  const { apply, isBusy, problem, clearProblem } = useApply(store, book);
  const value = readValue(form.mode, form.text);
  const reason = form.reason ?? usualReason(form.mode, value);
  const kept = useMemo(() => petIds.filter((petId) => !left.has(petId)), [petIds, left]);
  const changes = useMemo(
    () => (value === undefined ? [] : changesOf(kept, { ...form, value, reason })),
    [kept, form, value, reason],
  );
  const [asked] = useDebouncedValue(changes, PREVIEW_DELAY_MS);
  const isTooMany = petIds.length > MAX_CHANGES;
  const preview = useQuery({
    queryKey: ['stock', 'preview', asked],
    queryFn: ({ signal }) => previewChanges(asked, signal),
    enabled: asked.length > 0 && !isTooMany,
    staleTime: 0,
    gcTime: 0,
  });
  const plan = asked === changes && asked.length > 0 ? preview.data : undefined;
  const refused = plan?.rows.filter(({ code }) => code !== 'done') ?? [];
  const set = (fields: Partial<typeof form>) => {
    clearProblem();
    setForm((before) => ({ ...before, ...fields }));
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!plan || refused.length > 0 || isBusy) return;
    const result = await apply(kept, changes, plan);
    if (result) onApplied(result);
    else await preview.refetch();
  };

  const [first = ''] = petIds;
  const pets = (count: number) => shared.pets(format.quantity(count), count === 1);
  const title =
    petIds.length === 1
      ? stock.adjustTitle(store.find(first)?.name ?? shared.unnamed(first))
      : stock.adjustMany(pets(petIds.length));
  const message = isTooMany
    ? stock.tooMany(format.quantity(MAX_CHANGES))
    : (problem ?? (preview.error ? errorText(preview.error) : undefined));
  return (
    <Dialog onClose={onClose} title={title} size={560}>
      <form onSubmit={(event) => void submit(event)} className={styles.form}>
        <div className={styles.fields}>
          <SegmentedControl
            aria-label={stock.change}
            value={form.mode}
            onChange={(mode) => set({ mode: mode as Adjustment['mode'] })}
            data={[
              { value: 'add', label: stock.mode.add },
              { value: 'set', label: stock.mode.set },
            ]}
            size="sm"
          />
          <TextInput
            label={form.mode === 'add' ? stock.change : stock.newQuantity}
            placeholder={form.mode === 'add' ? '+3, -2' : '12'}
            value={form.text}
            onChange={(event) => set({ text: event.currentTarget.value })}
            error={
              form.text.trim() !== '' && form.text.trim() !== '-' && value === undefined
                ? stock.invalid
                : undefined
            }
            autoComplete="off"
            data-autofocus
          />
          <Select
            label={shared.fields.reason}
            value={reason}
            onChange={(reason) => reason && set({ reason: reason as Reason })}
            data={REASONS.map((reason) => ({ value: reason, label: shared.reason[reason] }))}
          />
        </div>
        <Textarea
          label={shared.fields.note}
          placeholder={stock.notePlaceholder}
          value={form.note}
          onChange={(event) => set({ note: event.currentTarget.value })}
          maxLength={1_000}
          autosize
          minRows={1}
          maxRows={4}
        />
        <ChangePreview
          petIds={kept}
          store={store}
          plan={plan}
          adjustment={value === undefined ? undefined : { ...form, value, reason }}
        />
        {message !== undefined && (
          <p role="alert" className={styles.problem}>
            {message}
          </p>
        )}
        {refused.length > 0 && (
          <p role="alert" className={styles.problem}>
            {stock.refusedRows(pets(refused.length))}{' '}
            {refused.length < kept.length && (
              <button
                type="button"
                className={`${styles.leaveOut} tap`}
                onClick={() => setLeft(new Set([...left, ...refused.map(({ petId }) => petId)]))}
              >
                {stock.leaveOut}
              </button>
            )}
          </p>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {app.actions.cancel}
          </Button>
          <Button type="submit" disabled={!plan || refused.length > 0} loading={isBusy}>
            {petIds.length === 1 ? stock.adjust : stock.apply(pets(kept.length))}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
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

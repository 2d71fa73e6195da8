import { Button, Group, Progress, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { MAX_BATCH_ROWS } from '@petstore-inventory/shared/limits';
import { ReasonSelect } from '../../../components/adjustment.tsx';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { DraftNote } from '../../../drafts/draft-note.tsx';
import { useLiveStatus } from '../../../live/use-live.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import styles from '../../../bulk/many-dialog.module.css';
import own from './adjust-dialog.module.css';
import { ChangePreview } from './change-preview.tsx';
import { type AdjustManyOptions, useAdjustMany } from './use-adjust-many.ts';

/** Changes one pet or many, with a reason. The service says before what will be after. Up to 1,000 are applied together or not at all. */
export function AdjustManyDialog(props: AdjustManyOptions) {
  const { petIds, store } = props;
  const { stock, shared, app } = useTexts();
  const format = useFormat();
  const isOffline = useLiveStatus().state === 'offline';
  const adjust = useAdjustMany(props);
  const { form, value, reason, draft, kept, change, bulk, isCurrent, isReady, refused, mustRetry } = adjust;
  const { isBusy, problem, leaveOut, submit, stop, leave, cancel } = adjust;
  const { mode, amount } = form.values;
  const { hasBegun, applied } = bulk;

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
        {isOffline && !hasBegun && (
          <p role="alert" className={styles.problem}>
            {stock.bulkOffline}
          </p>
        )}
        {problem !== undefined && (!isOffline || hasBegun) && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        {refused.length > 0 && (
          <p role="alert" className={styles.problem}>
            {stock.refusedRows(pets(refused.length))}{' '}
            {refused.length < kept.length && !hasBegun && (
              <button type="button" className={`${own.leaveOut} tap`} onClick={leaveOut}>
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

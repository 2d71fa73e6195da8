import { SegmentedControl } from '@mantine/core';
import type { FormEvent } from 'react';
import type { BulkChange } from '../../../api/schemas.ts';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { useForm } from '../../../components/dialogs/use-form.ts';
import { DraftNote } from '../../../drafts/draft-note.tsx';
import { useDraft } from '../../../drafts/use-draft.ts';
import { useLiveStatus } from '../../../live/use-live.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import styles from '../../../bulk/many-dialog.module.css';
import type { BulkSelection } from '../../../bulk/bulk-api.ts';
import { ChangeFields } from './change-fields.tsx';
import own from './change-many.module.css';
import { appliedOf, ChangeProgress } from '../../../bulk/change-progress.tsx';
import { ManyChangeButtons } from '../../../bulk/many-change-buttons.tsx';
import { PlannedPets } from '../../../bulk/planned-pets.tsx';
import { readTyped, UNTOUCHED, valuesOf, WHAT } from './typed-change.ts';
import { useManyChange } from '../../../bulk/use-many-change.ts';

interface Props {
  /** `undefined`: the service cannot find so many pets. */
  readonly selection: BulkSelection | undefined;
  readonly count: number;
  readonly categories: readonly string[];
  /** Whether archived pets are selected, which can be restored. */
  readonly isArchived: boolean;
  readonly onClose: () => void;
  /** The change ended: all of it, or as much as was done when the person stopped it. */
  readonly onDone: (change: BulkChange) => void;
}

/** Gives any number of pets the same values: a preview of the service, then the change with its progress. */
export function ChangeManyDialog({ selection, count, categories, isArchived, onClose, onDone }: Props) {
  const { stock, shared } = useTexts();
  const format = useFormat();
  const form = useForm(UNTOUCHED);
  const { what } = form.values;
  const draft = useDraft({ place: 'change-many', values: form.values, read: readTyped, load: form.set });
  const isOffline = useLiveStatus().state === 'offline';
  const values = valuesOf(form.values, isArchived);
  const { change, pets, work, problem, ...many } = useManyChange({
    selection,
    values,
    onDone: (done) => {
      draft.end();
      onDone(done);
    },
  });
  const petsText = (number: number) => shared.pets(format.count(number));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void many.submit();
  };
  /** A preview that is not applied is not kept; a change stops where it is. */
  const stop = async () => {
    await many.cancel();
    if (work !== 'apply') onClose();
  };
  const cancel = () => {
    if (work !== 'apply') draft.end();
    void stop();
  };

  const { done, total } = change ? appliedOf(change.counts) : { done: 0, total: 0 };
  const isPlanned = change?.state === 'planned' && work === undefined;
  return (
    <Dialog onClose={() => void stop()} asks={!change} title={stock.many.title(petsText(count))} size={560}>
      <form onSubmit={submit} className={styles.form} {...draft.form}>
        <DraftNote draft={draft} />
        {selection === undefined && (
          <p role="alert" className={styles.problem}>
            {stock.many.tooMany}
          </p>
        )}
        <fieldset className={styles.fields} disabled={change !== undefined || work !== undefined}>
          <SegmentedControl
            aria-label={stock.many.what}
            {...form.choice('what')}
            data={WHAT.map((value) => ({
              value,
              label:
                value === 'archived'
                  ? stock.many.archive[isArchived ? 'restore' : 'archive']
                  : stock.many[value],
            }))}
            size="sm"
            classNames={{ root: own.choices, label: own.choice }}
            disabled={change !== undefined}
          />
          <ChangeFields
            what={what}
            form={form}
            categories={categories}
            isArchived={isArchived}
            pets={petsText(count)}
          />
        </fieldset>
        {change && <ChangeProgress counts={change.counts} work={work} count={count} />}
        {isPlanned && pets.length > 0 && change && <PlannedPets pets={pets} values={change.set} />}
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
        <ManyChangeButtons
          isPlanned={isPlanned}
          work={work}
          isDisabled={change ? change.counts.planned === 0 : !values || !selection}
          onEdit={() => void many.edit()}
          onStop={cancel}
        >
          {change && work !== 'plan' ? stock.apply(petsText(total - done)) : stock.preview}
        </ManyChangeButtons>
      </form>
    </Dialog>
  );
}

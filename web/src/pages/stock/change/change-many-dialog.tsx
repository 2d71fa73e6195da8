import { Button, Group, Progress, SegmentedControl } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { BulkChange, BulkPet } from '../../../api/schemas.ts';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { useForm } from '../../../components/dialogs/use-form.ts';
import { DraftNote } from '../../../drafts/draft-note.tsx';
import { useDraft } from '../../../drafts/use-draft.ts';
import { useLiveStatus } from '../../../live/use-live.ts';
import { useErrorText, useFormat, useTexts } from '../../../texts/texts-context.tsx';
import styles from '../many-dialog.module.css';
import { actOnChange, type BulkSelection, petsOf, planChange, settledChange } from './bulk-api.ts';
import { ChangeFields } from './change-fields.tsx';
import own from './change-many.module.css';
import { PlannedPets } from './planned-pets.tsx';
import { readTyped, UNTOUCHED, valuesOf, WHAT } from './typed-change.ts';

/** Pets of the preview, of each kind. */
const SHOWN_PETS = 50;

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
  const { stock, shared, app } = useTexts();
  const format = useFormat();
  const errorText = useErrorText();
  const form = useForm(UNTOUCHED);
  const { what } = form.values;
  const draft = useDraft({ place: 'change-many', values: form.values, read: readTyped, load: form.set });
  const isOffline = useLiveStatus().state === 'offline';
  const values = valuesOf(form.values, isArchived);
  const [change, setChange] = useState<BulkChange>();
  const [pets, setPets] = useState<readonly BulkPet[]>([]);
  const [work, setWork] = useState<'plan' | 'apply'>();
  const [problem, setProblem] = useState<string>();
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);
  const petsText = (number: number) => shared.pets(format.count(number));

  const plan = async () => {
    if (!selection || !values) return;
    const made = await planChange(selection, values);
    setChange(made);
    const planned = await settledChange(made.id, setChange, leaving.current.signal);
    const [refused, shown] = await Promise.all([
      petsOf(made.id, 'refused', SHOWN_PETS),
      petsOf(made.id, 'planned', SHOWN_PETS),
    ]);
    setPets([...refused, ...shown]);
    if (planned.state === 'planned') return;
    setChange(undefined);
    const { failureCode } = planned;
    setProblem(failureCode ? stock.many.failures[failureCode] : stock.many.replaced);
  };
  const apply = async (id: string) => {
    await actOnChange(id, 'apply');
    const done = await settledChange(id, setChange, leaving.current.signal);
    draft.end();
    onDone(done);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (work) return;
    setProblem(undefined);
    setWork(change ? 'apply' : 'plan');
    try {
      await (change ? apply(change.id) : plan());
    } catch (error) {
      if (leaving.current.signal.aborted) return;
      setProblem(errorText(error));
      setChange(undefined);
    }
    setWork(undefined);
  };
  /** A preview that is not applied is not kept; a change stops where it is. */
  const stop = async () => {
    if (change) await actOnChange(change.id, 'cancel').catch(() => undefined);
    if (work !== 'apply') onClose();
  };
  const cancel = () => {
    if (work !== 'apply') draft.end();
    void stop();
  };
  const edit = async () => {
    setChange(undefined);
    setPets([]);
    if (change) await actOnChange(change.id, 'cancel').catch(() => undefined);
  };

  const counts = change?.counts;
  const done = counts ? counts.changed + counts.stale : 0;
  const total = counts ? counts.planned + done : 0;
  const isPlanned = change?.state === 'planned' && work === undefined;
  return (
    <Dialog onClose={() => void stop()} asks={!change} title={stock.many.title(petsText(count))} size={560}>
      <form onSubmit={(event) => void submit(event)} className={styles.form} {...draft.form}>
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
        {counts && (
          <div role="status">
            <p className={`${styles.progress} number`}>
              {work === 'plan'
                ? stock.checkedOf(format.quantity(sumOf(counts)), format.quantity(count))
                : work === 'apply'
                  ? stock.appliedOf(format.quantity(done), format.quantity(total))
                  : stock.many.planned(
                      petsText(counts.planned),
                      format.quantity(counts.unchanged),
                      format.quantity(counts.refused),
                    )}
            </p>
            {work && (
              <Progress
                value={
                  work === 'plan' ? (sumOf(counts) / count) * 100 : total === 0 ? 0 : (done / total) * 100
                }
                size={4}
                aria-label={stock.preview}
              />
            )}
          </div>
        )}
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
        <Group justify="flex-end" gap="xs">
          {isPlanned && (
            <Button variant="default" onClick={() => void edit()}>
              {stock.many.edit}
            </Button>
          )}
          <Button variant="default" onClick={cancel}>
            {work === 'apply' ? stock.stop : app.actions.cancel}
          </Button>
          <Button
            type="submit"
            loading={work !== undefined}
            disabled={change ? change.counts.planned === 0 : !values || !selection}
          >
            {change && work !== 'plan' ? stock.apply(petsText(total - done)) : stock.preview}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

function sumOf(counts: BulkChange['counts']): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

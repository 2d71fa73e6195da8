import type { FormEvent, ReactNode } from 'react';
import type { BulkChange, BulkValues, Reorder } from '../../api/schemas.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { OfflineNote } from '../../drafts/offline-note.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { appliedOf, ChangeProgress } from '../../bulk/change-progress.tsx';
import { ManyChangeButtons } from '../../bulk/many-change-buttons.tsx';
import { PlannedPets } from '../../bulk/planned-pets.tsx';
import { useManyChange } from '../../bulk/use-many-change.ts';
import { useNoteChange } from '../../bulk/use-note-change.ts';
import form from '../../bulk/many-dialog.module.css';
import styles from './reorders.module.css';

interface Props {
  readonly title: string;
  readonly action: string;
  readonly rows: readonly Reorder[];
  /** Units to order of each row. */
  readonly units?: readonly number[];
  /** `undefined`: they are not complete. */
  readonly values: BulkValues | undefined;
  /** Whether the fields can be sent, which a field may know only when it is asked. */
  readonly mayPlan?: () => boolean;
  /** What to say of so many changed pets. */
  readonly doneText: (changed: number) => string;
  readonly children: ReactNode;
  /** A change that was stopped, or failed, has `planned` pets. */
  readonly onDone: (change: BulkChange) => void;
  readonly onClose: () => void;
}

/**
 * Changes pets of the list by the service, which continues without the page. Pets that cannot be changed are shown first;
 * where there are none, one press is enough.
 */
export function ManyDialog(props: Props) {
  const { title, action, rows, units, values, mayPlan = () => true, doneText } = props;
  const { children, onDone, onClose } = props;
  const { stock, shared } = useTexts();
  const format = useFormat();
  const note = useNoteChange();
  const petIds = rows.map(({ petId }) => petId);
  const { change, pets, work, problem, ...many } = useManyChange({
    selection: units ? { petIds, units } : { petIds },
    values,
    appliesAlone: true,
    onDone: (done: BulkChange) => {
      onDone(done);
      note(done, doneText(done.counts.changed));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change || mayPlan()) void many.submit();
  };
  /** A preview that is not applied is not kept; a change stops where it is. */
  const stop = async () => {
    await many.cancel();
    if (work !== 'apply') onClose();
  };
  const isPlanned = change?.state === 'planned' && work === undefined;
  const { done, total } = change ? appliedOf(change.counts) : { done: 0, total: 0 };
  return (
    <Dialog onClose={() => void stop()} asks={!change} title={title} size={560}>
      <form onSubmit={submit} className={form.form}>
        <OfflineNote isKept={false} />
        <fieldset className={styles.fields} disabled={change !== undefined || work !== undefined}>
          {children}
        </fieldset>
        {change && <ChangeProgress counts={change.counts} work={work} count={rows.length} />}
        {isPlanned && pets.length > 0 && <PlannedPets pets={pets} values={change.set} />}
        {problem !== undefined && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        <ManyChangeButtons
          isPlanned={isPlanned}
          work={work}
          isDisabled={change ? change.counts.planned === 0 : !values}
          onEdit={() => void many.edit()}
          onStop={() => void stop()}
        >
          {isPlanned ? stock.apply(shared.pets(format.count(total - done))) : action}
        </ManyChangeButtons>
      </form>
    </Dialog>
  );
}

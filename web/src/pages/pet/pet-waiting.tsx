import { CountProblem } from '../../components/counts/count-problem.tsx';
import { DetailChanges } from '../../components/counts/detail-changes.tsx';
import { type Count, needsDecision } from '../../counts/count.ts';
import { useCounts } from '../../counts/use-counts.ts';
import { IconPlugConnectedX } from '../../icons/icons.tsx';
import { usePersonId } from '../../session/session-context.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './archived-banner.module.css';

/** Edits and counts of the pet that were made without a connection, and need a decision of their person. */
export function PetDecisions({ petId }: { petId: string }) {
  const texts = useTexts().pet;
  const format = useFormat();
  const personId = usePersonId();
  const open = useCounts().filter(
    (count) => count.petId === petId && count.keyId === personId && needsDecision(count),
  );
  return open.map((count) => (
    <CountProblem key={count.id} count={count} onAgain={undefined}>
      {count.edit?.details ? (
        <DetailChanges before={count.edit.details.before} after={count.edit.details.values} />
      ) : (
        <p>{texts.waited(format.quantity(count.expected), format.quantity(count.counted))}</p>
      )}
    </CountProblem>
  ));
}

/** The details of the pet that wait to be sent. @param edits The newest first. */
export function PetWaiting({ edits }: { edits: readonly Count[] | undefined }) {
  const { stock } = useTexts();
  const waiting = edits?.filter(({ state }) => state === 'waiting').toReversed() ?? [];
  if (waiting.length === 0) return null;
  return (
    <div className={styles.banner} data-waiting-details>
      <IconPlugConnectedX size={16} stroke={1.75} aria-hidden />
      <div>
        {waiting.map(({ id, edit }) => (
          <DetailChanges key={id} before={edit?.details?.before ?? {}} after={edit?.details?.values ?? {}} />
        ))}
      </div>
      <span className={styles.waits}>{stock.waits}</span>
    </div>
  );
}

import { Button } from '@mantine/core';
import { memo, useState } from 'react';
import { Badge, type Shape, type Tone } from '../../components/badge.tsx';
import { DetailChanges } from '../../components/counts/detail-changes.tsx';
import { CountProblem } from '../../components/counts/count-problem.tsx';
import { Change } from '../../components/quantity.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { type Count, difference, stockAfter } from '../../counts/count.ts';
import { undo } from '../../counts/use-counts.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './list.module.css';

interface Props {
  readonly counts: readonly Count[];
  /** Counts a pet again; `undefined` for those who may not count. */
  readonly onAgain: ((petId: string) => void) | undefined;
}

const BADGES: Readonly<Record<Count['state'], readonly [Shape, Tone]>> = {
  waiting: ['ring', 'warning'],
  sent: ['dot', 'success'],
  conflict: ['triangle', 'danger'],
  kept: ['square', 'neutral'],
  refused: ['cross', 'danger'],
  undone: ['square', 'neutral'],
};

/** The counts with their states, the newest first. */
export function CountList({ counts, onAgain }: Props) {
  const { count } = useTexts();
  const newest = new Map(counts.toReversed().map(({ petId, id }) => [petId, id]));
  return (
    <section className={styles.list} aria-label={count.list}>
      <h2 className={styles.heading}>{count.list}</h2>
      {counts.length === 0 ? (
        <p className={styles.empty}>{count.empty}</p>
      ) : (
        <ol className={styles.counts}>
          {counts.map((one) => (
            <CountRow
              key={one.id}
              count={one}
              isNewest={newest.get(one.petId) === one.id}
              onAgain={onAgain}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

interface RowProps extends Pick<Props, 'onAgain'> {
  readonly count: Count;
  /** Whether no later count is of the same pet. */
  readonly isNewest: boolean;
}

const CountRow = memo(function CountRow({ count, isNewest, onAgain }: RowProps) {
  const texts = useTexts();
  const format = useFormat();
  const { petId, name, counted, expected, state, now, problem } = count;
  const [shape, tone] = BADGES[state];
  const delta = difference(count);
  const details = count.edit?.details;
  return (
    <li className={styles.count} data-state={state}>
      <button
        type="button"
        className={styles.again}
        aria-label={texts.count.again(name)}
        disabled={!onAgain}
        onClick={() => onAgain?.(petId)}
      >
        {name}
      </button>
      <span className={`${styles.numbers} number`}>
        {count.edit && (
          <span className={styles.was}>{details ? texts.count.details : texts.count.edited}</span>
        )}
        {!details && (
          <>
            <span className={styles.was}>
              {texts.count.was(format.quantity(expected), format.quantity(counted))}
            </span>
            <span className={styles.delta} data-sign={Math.sign(delta)}>
              {delta === 0 ? '=' : <Change value={delta} />}
            </span>
          </>
        )}
      </span>
      <span className={styles.state}>
        <Badge shape={shape} tone={tone}>
          {texts.count.state[state]}
        </Badge>
        {isNewest && onAgain && <UndoCount count={count} />}
      </span>
      {details && (
        <div className={styles.details}>
          <DetailChanges before={details.before} after={details.values} />
        </div>
      )}
      {(now ?? problem) !== undefined && (
        <div className={styles.problem}>
          <CountProblem count={count} onAgain={onAgain} />
        </div>
      )}
    </li>
  );
});

/** Takes a count back that waits, or that changed the quantity. One that is being sent may be recorded, or not. */
function UndoCount({ count }: { count: Count }) {
  const { app, count: texts } = useTexts();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const isRecorded =
    count.state === 'sent' &&
    !count.edit?.details &&
    stockAfter(count) !== count.expected &&
    count.now === undefined;
  if (count.state !== 'waiting' && !isRecorded) return null;
  const run = async () => {
    setBusy(true);
    try {
      await undo(count);
    } catch {
      toast.show({ message: texts.undoFailed(count.name), isError: true });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      size="compact-md"
      loading={isBusy}
      disabled={count.state === 'waiting' && count.isTried === true}
      aria-label={texts.undoOf(count.name)}
      onClick={() => void run()}
    >
      {app.actions.undo}
    </Button>
  );
}

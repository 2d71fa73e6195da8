import { Button } from '@mantine/core';
import { memo } from 'react';
import { Badge, type Shape, type Tone } from '../../components/badge.tsx';
import { Change } from '../../components/quantity.tsx';
import { type Count, difference } from '../../counts/count.ts';
import { countQueue, keepTheirs, overwriteWith } from '../../counts/use-counts.ts';
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
};

/** What was counted, the newest first, with what became of it. */
export function CountList({ counts, onAgain }: Props) {
  const { count } = useTexts();
  return (
    <section className={styles.list} aria-label={count.list}>
      <h2 className={styles.heading}>{count.list}</h2>
      {counts.length === 0 ? (
        <p className={styles.empty}>{count.empty}</p>
      ) : (
        <ol className={styles.counts}>
          {counts.map((one) => (
            <CountRow key={one.id} count={one} onAgain={onAgain} />
          ))}
        </ol>
      )}
    </section>
  );
}

const CountRow = memo(function CountRow({ count, onAgain }: { count: Count; onAgain: Props['onAgain'] }) {
  const texts = useTexts();
  const format = useFormat();
  const { petId, name, counted, expected, state, problem } = count;
  const [shape, tone] = BADGES[state];
  const delta = difference(count);
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
        <span className={styles.was}>
          {texts.count.was(format.quantity(expected), format.quantity(counted))}
        </span>
        <span className={styles.delta} data-sign={Math.sign(delta)}>
          {delta === 0 ? '=' : <Change value={delta} />}
        </span>
      </span>
      <span className={styles.state}>
        <Badge shape={shape} tone={tone}>
          {texts.count.state[state]}
        </Badge>
      </span>
      {state === 'conflict' && <Conflict count={count} onAgain={onAgain} />}
      {state === 'refused' && (
        <div className={styles.problem} role="alert">
          <p>{problem}</p>
          <Button variant="default" size="compact-md" onClick={() => countQueue.remove(count.id)}>
            {texts.count.discard}
          </Button>
        </div>
      )}
    </li>
  );
});

/** Who changed the pet after it was counted, and the choice between both numbers. */
function Conflict({ count, onAgain }: { count: Count; onAgain: Props['onAgain'] }) {
  const texts = useTexts().count;
  const format = useFormat();
  const { now, counted, petId } = count;
  if (!now) return null;
  const quantity = format.quantity(now.quantity);
  return (
    <div className={styles.problem} role="alert">
      <p>
        {now.who !== undefined && now.at !== undefined
          ? texts.conflict(now.who, quantity, format.relative(new Date(now.at)))
          : texts.conflictUnknown(quantity)}
      </p>
      <div className={styles.choices}>
        <Button variant="default" onClick={() => keepTheirs(count)}>
          {texts.keep(quantity)}
        </Button>
        <Button variant="default" onClick={() => overwriteWith(count)}>
          {texts.set(format.quantity(counted))}
        </Button>
        <Button
          variant="subtle"
          onClick={() => {
            keepTheirs(count);
            onAgain?.(petId);
          }}
        >
          {texts.recount}
        </Button>
      </div>
    </div>
  );
}

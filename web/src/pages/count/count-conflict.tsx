import { Button } from '@mantine/core';
import type { Count, Interference } from '../../counts/count.ts';
import { keepTheirs, overwriteWith } from '../../counts/use-counts.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './list.module.css';

interface Props {
  readonly count: Count;
  readonly now: Interference;
  readonly onAgain: ((petId: string) => void) | undefined;
}

/** Who changed the pet after it was counted, and the choice between both numbers, unless the count is recorded. */
export function CountConflict({ count, now, onAgain }: Props) {
  const texts = useTexts().count;
  const format = useFormat();
  const { state, counted, petId } = count;
  const quantity = format.quantity(now.quantity);
  return (
    <div className={styles.problem} role="alert">
      <p>
        {now.who === undefined || now.at === undefined
          ? texts.conflictUnknown(quantity)
          : now.isCount
            ? texts.conflictCounted(now.who, format.relative(new Date(now.at)))
            : texts.conflict(now.who, quantity, format.relative(new Date(now.at)))}
      </p>
      <div className={styles.choices}>
        {state === 'conflict' && (
          <>
            <Button variant="default" onClick={() => keepTheirs(count)}>
              {now.isCount ? texts.keepCount : texts.keep(quantity)}
            </Button>
            <Button variant="default" onClick={() => overwriteWith(count)}>
              {now.isCount ? texts.setCount(format.quantity(counted)) : texts.set(format.quantity(counted))}
            </Button>
          </>
        )}
        <Button
          variant="subtle"
          onClick={() => {
            if (state === 'conflict') keepTheirs(count);
            onAgain?.(petId);
          }}
        >
          {texts.recount}
        </Button>
      </div>
    </div>
  );
}

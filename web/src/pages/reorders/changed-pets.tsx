import { Progress } from '@mantine/core';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './reorders.module.css';

/** A change of fewer pets is done before a person has read it. */
const SHOWN_FROM = 100;

/** How far a change of many pets is. */
export function ChangedPets({ done, all }: { done: number; all: number }) {
  const { reorders } = useTexts();
  const format = useFormat();
  if (all < SHOWN_FROM || done === 0) return null;
  const text = reorders.changedOf(format.quantity(done), format.quantity(all));
  return (
    <div>
      <p className={`${styles.sum} number`} role="status">
        {text}
      </p>
      <Progress value={(done / all) * 100} size={4} aria-label={text} />
    </div>
  );
}

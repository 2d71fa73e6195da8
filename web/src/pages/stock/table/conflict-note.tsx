import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import type { PendingEdit } from '../edit/edit-book.ts';
import styles from './quantity-cell.module.css';

interface Props {
  readonly current: number;
  readonly edit: Extract<PendingEdit, { kind: 'conflict' }>;
  readonly onKeep: () => void;
  readonly onSet: () => void;
}

/** Somebody has changed the pet meanwhile: who, to what, and the choice. */
export function ConflictNote({ current, edit, onKeep, onSet }: Props) {
  const { stock } = useTexts();
  const format = useFormat();
  const { theirs } = edit;
  const who = theirs?.actor.name ?? stock.someone;
  const ago = theirs ? format.relative(new Date(theirs.recordedAt)) : '';
  return (
    <span className={styles.conflict} role="alert">
      <span className={styles.who}>{stock.conflict(who, format.quantity(current), ago)}</span>
      <button type="button" className={styles.choice} onClick={onKeep}>
        {stock.keep(format.quantity(current))}
      </button>
      <button type="button" className={styles.choice} data-primary onClick={onSet}>
        {stock.set(format.quantity(edit.quantity))}
      </button>
    </span>
  );
}

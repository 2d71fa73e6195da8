import { authorName } from '../../../components/movements/movement-facts.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import type { PendingEdit } from '../edit/edit-book.ts';
import styles from './quantity-cell.module.css';

interface Props {
  readonly current: number;
  readonly edit: Extract<PendingEdit, { kind: 'conflict' }>;
  readonly onKeep: () => void;
  readonly onSet: () => void;
}

/** Somebody has changed the pet since the edit began: before and now, who, and the choice between now and the person's number. */
export function ConflictNote({ current, edit, onKeep, onSet }: Props) {
  const texts = useTexts();
  const { stock } = texts;
  const format = useFormat();
  const { theirs } = edit;
  const [who, at] =
    theirs === undefined
      ? []
      : 'actor' in theirs
        ? [authorName(theirs.actor, texts), theirs.recordedAt]
        : [theirs.who, theirs.at];
  const author = [who ?? stock.someone, ...(at === undefined ? [] : [format.relative(new Date(at))])].join(
    ', ',
  );
  return (
    <span className={styles.conflict} role="alert">
      <span className={styles.who}>
        {stock.conflict(format.quantity(edit.before), format.quantity(current), author)}
      </span>
      <button type="button" className={styles.choice} onClick={onKeep}>
        {stock.keep(format.quantity(current))}
      </button>
      <button type="button" className={styles.choice} data-primary onClick={onSet}>
        {stock.set(format.quantity(edit.quantity))}
      </button>
    </span>
  );
}

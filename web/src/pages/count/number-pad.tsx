import { IconBackspace } from '../../icons/icons.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './counting.module.css';

interface Props {
  readonly onDigit: (digit: string) => void;
  readonly onDelete: () => void;
  readonly onClear: () => void;
}

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

export function NumberPad({ onDigit, onDelete, onClear }: Props) {
  const { count } = useTexts();
  const digit = (text: string) => (
    <button key={text} type="button" className={`${styles.key} number`} onClick={() => onDigit(text)}>
      {text}
    </button>
  );
  return (
    // A pressed key keeps the focus where it is, so that Enter of a keyboard saves.
    <fieldset className={styles.pad} aria-label={count.pad} onPointerDown={(event) => event.preventDefault()}>
      {DIGITS.map(digit)}
      <button type="button" className={styles.key} data-quiet onClick={onClear}>
        {count.clear}
      </button>
      {digit('0')}
      <button type="button" className={styles.key} data-quiet aria-label={count.delete} onClick={onDelete}>
        <IconBackspace size={24} stroke={1.5} aria-hidden />
      </button>
    </fieldset>
  );
}

import { UnstyledButton } from '@mantine/core';
import { IconX } from '../icons/icons.tsx';
import styles from './filter-chip.module.css';

interface Props {
  /** Such as "Status: pending". */
  readonly text: string;
  /** Says what a click does. */
  readonly removal: string;
  readonly onRemove: () => void;
}

/** A filter that is set. A click removes it. */
export function FilterChip({ text, removal, onRemove }: Props) {
  return (
    <UnstyledButton
      className={styles.chip}
      aria-label={`${text}. ${removal}`}
      title={text}
      onClick={onRemove}
    >
      <span className={styles.text}>{text}</span>
      <IconX size={14} stroke={2} aria-hidden />
    </UnstyledButton>
  );
}

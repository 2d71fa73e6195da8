import { TextInput } from '@mantine/core';
import { IconSearch } from '../../icons/icons.tsx';
import styles from './search-field.module.css';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Filters the records below as the person types. Escape clears it. */
export function SearchField({ label, value, onChange }: Props) {
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onChange('');
      }}
      leftSection={<IconSearch size={16} stroke={1.75} />}
      className={styles.search}
      spellCheck={false}
    />
  );
}

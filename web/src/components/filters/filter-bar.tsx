import { Button, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconX } from '../../icons/icons.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './filter-bar.module.css';

/** A filter that is set, such as the field "Status" with the value "Pending". */
export interface SetFilter {
  readonly field: string;
  readonly value: string;
  readonly remove: () => void;
}

interface Props {
  readonly filters: readonly SetFilter[];
  /** Removes all; `undefined` hides its button. */
  readonly onClear: (() => void) | undefined;
  readonly children: ReactNode;
}

/** The filters that are set, each a chip that removes it, and what sets more. */
export function FilterBar({ filters, onClear, children }: Props) {
  const texts = useTexts().app.filters;
  return (
    <ul className={styles.filters} aria-label={texts.label}>
      {filters.map(({ field, value, remove }) => {
        const text = texts.chip(field, value);
        return (
          <li key={field}>
            <UnstyledButton
              className={styles.chip}
              aria-label={`${text}. ${texts.remove(field)}`}
              title={text}
              onClick={remove}
            >
              <span className={styles.text}>{text}</span>
              <IconX size={14} stroke={2} aria-hidden />
            </UnstyledButton>
          </li>
        );
      })}
      <li>{children}</li>
      {onClear && (
        <li>
          <Button variant="subtle" onClick={onClear}>
            {texts.clear}
          </Button>
        </li>
      )}
    </ul>
  );
}

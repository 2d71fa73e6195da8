import { Button, Popover } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconFilter } from '../../icons/icons.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { useHasFoldedFilters } from '../density.ts';
import { FilterBar, type SetFilter } from './filter-bar.tsx';
import styles from './filter-fields.module.css';

interface Props {
  /** The control that a small window shows too, with its own accessible name. */
  readonly first: ReactNode;
  /** The visible label of `first`, which a small window leaves out. */
  readonly label: string;
  /** The values of `children` that are set: in a small window each is a chip. */
  readonly filters: readonly SetFilter[];
  readonly children: ReactNode;
}

/** The filters of a page as fields in a row. In a small window all except the first are behind a button. */
export function FilterFields({ first, label, filters, children }: Props) {
  const { app } = useTexts();
  if (!useHasFoldedFilters()) {
    return (
      <div className={styles.filters}>
        <div className={styles.field}>
          <span className={styles.label} aria-hidden>
            {label}
          </span>
          {first}
        </div>
        {children}
      </div>
    );
  }
  return (
    <div className={styles.folded}>
      {first}
      <FilterBar filters={filters} onClear={undefined}>
        <Popover position="bottom-start" width={320} withinPortal={false} trapFocus returnFocus>
          <Popover.Target>
            <Button variant="default" leftSection={<IconFilter size={16} stroke={1.75} />}>
              {app.filters.add}
            </Button>
          </Popover.Target>
          <Popover.Dropdown aria-label={app.filters.label} className={styles.dropdown}>
            {children}
          </Popover.Dropdown>
        </Popover>
      </FilterBar>
    </div>
  );
}

import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { REPORT_GROUPINGS } from '@petstore-inventory/shared/words';
import { type ReactNode, useEffect, useState } from 'react';
import type { ReportGrouping } from '../../api/schemas.ts';
import { useHasFoldedFilters, useIsPhone } from '../../components/density.ts';
import type { SetFilter } from '../../components/filters/filter-bar.tsx';
import { FilterFields } from '../../components/filters/filter-fields.tsx';
import { useCategories } from '../../stock/use-categories.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { isDay, type ReportAddress } from './report-address.ts';
import styles from './reports.module.css';

interface Props {
  readonly address: ReportAddress;
  readonly onChange: (changes: Partial<ReportAddress>) => void;
  /** The values of `children` that are set. */
  readonly filters: readonly SetFilter[];
  /** Filters of the report itself. */
  readonly children: ReactNode;
}

/** What rows are about, a category, and what else the report has. */
export function ReportFilters({ address: { by, category }, onChange, filters, children }: Props) {
  const { app, reports, shared } = useTexts();
  const categories = useCategories('reports');
  const isPhone = useIsPhone();
  const isFolded = useHasFoldedFilters();
  // The category of the address may be of archived pets alone.
  const offered = category === '' || categories.includes(category) ? categories : [category, ...categories];
  const own: readonly SetFilter[] =
    category === ''
      ? []
      : [{ field: shared.fields.category, value: category, remove: () => onChange({ category: '' }) }];
  return (
    <FilterFields
      label={reports.by}
      first={
        <SegmentedControl
          aria-label={reports.by}
          value={by}
          onChange={(next) => onChange({ by: next as ReportGrouping })}
          data={REPORT_GROUPINGS.map((value) => ({ value, label: reports.groupings[value] }))}
          fullWidth={isPhone}
        />
      }
      filters={[...own, ...filters]}
    >
      <Select
        className={styles.category}
        label={shared.fields.category}
        placeholder={reports.anyCategory}
        data={offered}
        value={category === '' ? null : category}
        onChange={(next) => onChange({ category: next ?? '' })}
        limit={50}
        // The list would cover the fields below it as soon as they are open.
        openOnFocus={!isFolded}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': app.filters.remove(shared.fields.category) }}
      />
      {children}
    </FilterFields>
  );
}

interface DayProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** A day of the person's calendar. It applies when it is whole. */
export function DayField({ label, value, onChange }: DayProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      type="date"
      className={styles.day}
      label={label}
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setText(next);
        if (next === '' || isDay(next)) onChange(next);
      }}
    />
  );
}

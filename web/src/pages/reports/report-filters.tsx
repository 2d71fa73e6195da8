import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { REPORT_GROUPINGS } from '@petstore-inventory/shared/words';
import { type ReactNode, useEffect, useState } from 'react';
import type { ReportGrouping } from '../../api/schemas.ts';
import { useCategories } from '../../stock/use-categories.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { isDay, type ReportAddress } from './report-address.ts';
import fields from '../../components/filters/filter-fields.module.css';
import styles from './reports.module.css';

interface Props {
  readonly address: ReportAddress;
  readonly onChange: (changes: Partial<ReportAddress>) => void;
  /** Filters of the report itself. */
  readonly children: ReactNode;
}

/** What rows are about, a category, and what else the report has. */
export function ReportFilters({ address: { by, category }, onChange, children }: Props) {
  const { app, reports, shared } = useTexts();
  const categories = useCategories('reports');
  // That of the address may be of pets that are archived.
  const offered = category === '' || categories.includes(category) ? categories : [category, ...categories];
  return (
    <>
      <div className={fields.field}>
        <span className={fields.label} id="report-by">
          {reports.by}
        </span>
        <SegmentedControl
          aria-labelledby="report-by"
          value={by}
          onChange={(next) => onChange({ by: next as ReportGrouping })}
          data={REPORT_GROUPINGS.map((value) => ({ value, label: reports.groupings[value] }))}
        />
      </div>
      <Select
        className={styles.category}
        label={shared.fields.category}
        placeholder={reports.anyCategory}
        data={offered}
        value={category === '' ? null : category}
        onChange={(next) => onChange({ category: next ?? '' })}
        limit={50}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': app.filters.remove(shared.fields.category) }}
      />
      {children}
    </>
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

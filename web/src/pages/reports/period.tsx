import { SegmentedControl } from '@mantine/core';
import { REPORT_PERIODS } from '@petstore-inventory/shared/words';
import type { ReactNode } from 'react';
import fields from '../../components/filters/filter-fields.module.css';
import { calendarDay } from '../../components/day-start.ts';
import { serviceNow } from '../../api/service-clock.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import type { ReportAddress } from './report-address.ts';
import { DayField, ReportFilters } from './report-filters.tsx';
import styles from './reports.module.css';

interface Props {
  readonly address: ReportAddress;
  readonly onChange: (changes: Partial<ReportAddress>) => void;
}

/** The filters of a report about a period. */
export function PeriodFilters({ address, onChange, children }: Props & { readonly children?: ReactNode }) {
  const { reports } = useTexts();
  return (
    <ReportFilters address={address} onChange={onChange}>
      {children}
      <div className={styles.period}>
        <DayField label={reports.from} value={address.from} onChange={(from) => onChange({ from })} />
        <DayField label={reports.until} value={address.until} onChange={(until) => onChange({ until })} />
      </div>
    </ReportFilters>
  );
}

const USUAL_DAYS = 28;

/** Rows per month or per day. The service has a bound for days: without a period, they are those of four weeks. */
export function PerChoice({ address: { per, from, until }, onChange }: Props) {
  const { reports } = useTexts();
  const usual = from === '' && until === '' ? { from: calendarDay(serviceNow(), 1 - USUAL_DAYS) } : {};
  return (
    <div className={fields.field}>
      <span className={fields.label} id="report-per">
        {reports.per}
      </span>
      <SegmentedControl
        aria-labelledby="report-per"
        value={per}
        onChange={(next) => onChange(next === 'day' ? { per: 'day', ...usual } : { per: 'month' })}
        data={REPORT_PERIODS.map((value) => ({ value, label: reports.columns[value] }))}
      />
    </div>
  );
}

/** The period in words; `undefined` without one. */
export function usePeriodText({ from, until }: ReportAddress): string | undefined {
  const { reports } = useTexts();
  const format = useFormat();
  const shown = (day: string) => format.date(new Date(`${day}T00:00`));
  if (from !== '' && until !== '') return reports.period(shown(from), shown(until));
  if (from !== '') return reports.since(shown(from));
  return until === '' ? undefined : reports.up(shown(until));
}

/** The period in the name of a file. */
export const fileDayOf = ({ from, until }: ReportAddress): string =>
  [from, until].filter((day) => day !== '').join('-') || 'all';

import { Button, SegmentedControl } from '@mantine/core';
import { REPORT_PERIODS } from '@petstore-inventory/shared/words';
import fields from '../../components/filters/filter-fields.module.css';
import type { SetFilter } from '../../components/filters/filter-bar.tsx';
import { calendarDay, lastMonth } from '../../components/day-start.ts';
import { serviceNow } from '../../api/service-clock.ts';
import type { Format } from '../../texts/format.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import type { ReportAddress } from './report-address.ts';
import { DayField, ReportFilters } from './report-filters.tsx';
import styles from './reports.module.css';

interface Props {
  readonly address: ReportAddress;
  readonly onChange: (changes: Partial<ReportAddress>) => void;
}

/** The filters of a report about a period, and of rows per month or day where the report has them. */
export function PeriodFilters({ address, onChange, hasPer = false }: Props & { readonly hasPer?: boolean }) {
  const { reports } = useTexts();
  const format = useFormat();
  const { from, until, per } = address;
  const days: readonly SetFilter[] = (['from', 'until'] as const).flatMap((name) =>
    address[name] === ''
      ? []
      : [
          {
            field: reports[name],
            value: shownDay(format, address[name]),
            remove: () => onChange({ [name]: '' }),
          },
        ],
  );
  const rowsPerDay: readonly SetFilter[] =
    hasPer && per === 'day'
      ? [{ field: reports.per, value: reports.columns.day, remove: () => onChange({ per: 'month' }) }]
      : [];
  return (
    <ReportFilters address={address} onChange={onChange} filters={[...rowsPerDay, ...days]}>
      {hasPer && <PerChoice address={address} onChange={onChange} />}
      <div className={styles.period}>
        <DayField label={reports.from} value={from} onChange={(day) => onChange({ from: day })} />
        <DayField label={reports.until} value={until} onChange={(day) => onChange({ until: day })} />
      </div>
      <Button variant="default" className={styles.button} onClick={() => onChange(lastMonth(serviceNow()))}>
        {reports.wholeLastMonth}
      </Button>
    </ReportFilters>
  );
}

const USUAL_DAYS = 28;

/** A day of the address, which is one of the calendar. */
export const shownDay = (format: Format, day: string): string => format.date(new Date(`${day}T00:00`));

/** Rows per month or per day. The service has a bound for days: without a period, they are those of four weeks. */
function PerChoice({ address: { per, from, until }, onChange }: Props) {
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
  const shown = (day: string) => shownDay(format, day);
  if (from !== '' && until !== '') return reports.period(shown(from), shown(until));
  if (from !== '') return reports.since(shown(from));
  return until === '' ? undefined : reports.up(shown(until));
}

/** The period in the name of a file. */
export const fileDayOf = ({ from, until }: ReportAddress): string =>
  [from, until].filter((day) => day !== '').join('-') || 'all';

import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import type { ReportAddress } from './report-address.ts';
import { DayField, ReportFilters } from './report-filters.tsx';

interface Props {
  readonly address: ReportAddress;
  readonly onChange: (changes: Partial<ReportAddress>) => void;
}

/** The filters of a report about a period. */
export function PeriodFilters({ address, onChange }: Props) {
  const { reports } = useTexts();
  return (
    <ReportFilters address={address} onChange={onChange}>
      <DayField label={reports.from} value={address.from} onChange={(from) => onChange({ from })} />
      <DayField label={reports.until} value={address.until} onChange={(until) => onChange({ until })} />
    </ReportFilters>
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

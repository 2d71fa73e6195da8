import { REPORT_GROUPINGS, REPORT_PERIODS, type ReportPer } from '@petstore-inventory/shared/words';
import { useSearchParams } from 'wouter';
import type { ReportGrouping } from '../../api/schemas.ts';
import { dayStart } from '../../components/day-start.ts';

/** What the address says about a report. Days are those of the person's calendar. */
export interface ReportAddress {
  readonly by: ReportGrouping;
  readonly category: string;
  /** What a row of movements is of. */
  readonly per: ReportPer;
  /** The stock at the end of this day; empty: now. */
  readonly day: string;
  readonly from: string;
  readonly until: string;
}

/** A date field has years such as 0002 while a year is typed. */
const DAY = /^(?:19|2\d)\d{2}-\d{2}-\d{2}$/;

export const isDay = (text: string): boolean => DAY.test(text) && dayStart(text) !== undefined;

/** The filters of the address. What has not the form of a value is left out. */
export function useReportAddress(usual: ReportGrouping) {
  const [parameters, setParameters] = useSearchParams();
  const dayOf = (name: string) => {
    const text = parameters.get(name) ?? '';
    return isDay(text) ? text : '';
  };
  const address: ReportAddress = {
    by: REPORT_GROUPINGS.find((by) => by === parameters.get('by')) ?? usual,
    category: parameters.get('category') ?? '',
    per: REPORT_PERIODS.find((per) => per === parameters.get('per')) ?? 'month',
    day: dayOf('day'),
    from: dayOf('from'),
    until: dayOf('until'),
  };
  const choose = (changes: Partial<ReportAddress>) =>
    setParameters(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value === '' || (name === 'by' && value === usual) || (name === 'per' && value === 'month'))
            next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  return { address, choose };
}

/** The last millisecond of a day, as the service takes it; `undefined` where that is not over yet. */
export function endOfDay(day: string, nowMs: number): string | undefined {
  const next = day === '' ? undefined : dayStart(day, 1);
  if (next === undefined) return undefined;
  const atMs = Date.parse(next) - 1;
  return atMs < nowMs ? new Date(atMs).toISOString() : undefined;
}

/** A period of whole days, as the service takes it. */
export function periodOf({ from, until }: ReportAddress) {
  return {
    from: from === '' ? undefined : dayStart(from),
    to: until === '' ? undefined : dayStart(until, 1),
  };
}

import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { dayStart } from '../../components/day-start.ts';
import type { MovementFilter } from '../../components/movements/use-movement-feed.ts';

/** The filter as the address has it: dates are days of the person's calendar. */
export const FILTER_FIELDS = ['petId', 'kind', 'reason', 'actor', 'since', 'until'] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];
export type ActivityFilter = Readonly<Partial<Record<FilterField, string>>>;

const FORMS: Readonly<Record<FilterField, RegExp>> = {
  petId: /^-?\d{1,19}$/,
  kind: /^[a-z]{1,20}$/,
  reason: /^[a-z_]{1,20}$/,
  actor: /^(?:key_[0-9A-Za-z]{16}|cli|service)$/,
  since: /^\d{4}-\d{2}-\d{2}$/,
  until: /^\d{4}-\d{2}-\d{2}$/,
};

export function isFilterValue(field: FilterField, text: string): boolean {
  const isDay = field === 'since' || field === 'until';
  return FORMS[field].test(text) && (!isDay || dayStart(text) !== undefined);
}

/** The filter of the address. What has not the form of a value is left out. */
export function useActivityFilter() {
  const [parameters, setParameters] = useSearchParams();
  const text = parameters.toString();
  const filter = useMemo(() => {
    const read = new URLSearchParams(text);
    const pairs = FILTER_FIELDS.map((field) => [field, read.get(field) ?? ''] as const);
    return Object.fromEntries(
      pairs.filter(([field, value]) => isFilterValue(field, value)),
    ) as ActivityFilter;
  }, [text]);
  const choose = (next: ActivityFilter) =>
    setParameters(Object.entries(next).filter(([, value]) => value !== '') as string[][]);
  return { filter, choose };
}

/** The filter as the service takes it. */
export function movementFilter({ since, until, ...rest }: ActivityFilter): MovementFilter {
  return {
    ...rest,
    ...(since !== undefined && { since: dayStart(since) }),
    ...(until !== undefined && { until: dayStart(until, 1) }),
  };
}

import { SegmentedControl, Skeleton } from '@mantine/core';
import { USAGE_UNITS } from '@petstore-inventory/shared/words';
import { useState } from 'react';
import type { Account, AccountUsage, UsageUnit } from '../../../api/schemas.ts';
import { Chart } from '../../../components/chart/chart.tsx';
import { ChartSection } from '../../../components/chart/chart-section.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { useUsage } from '../access-api.ts';
import styles from './usage-panel.module.css';

/** The requests of an account against its limits. */
export function UsagePanel({ account }: { account: Account }) {
  const { usage } = useTexts().access;
  const format = useFormat();
  const [unit, setUnit] = useState<UsageUnit>('day');
  const [isTable, setTable] = useState(false);
  const { data, error, refetch } = useUsage(account.id, unit, SHOWN_PERIODS[unit]);
  const periods = lastPeriods(data, SHOWN_PERIODS[unit]);
  const sum = sumOf(periods);
  const limit = limitOf(account, unit);
  const line = visibleLimit(periods, limit);
  const total = usage.total(format.quantity(sum));
  // Days are those of UTC.
  const shortName = ({ beganAt }: Period) => (unit === 'day' ? format.utcDay(beganAt) : format.time(beganAt));
  const longName = (period: Period) =>
    unit === 'day' ? shortName(period) : `${format.date(period.beganAt)}, ${shortName(period)}`;
  return (
    <ChartSection
      id="usage"
      title={usage.title}
      isTable={isTable && data !== undefined}
      onToggle={() => setTable(!isTable)}
      controls={
        <SegmentedControl
          aria-label={usage.unit}
          value={unit}
          onChange={(next) => setUnit(next as UsageUnit)}
          data={USAGE_UNITS.map((value) => ({ value, label: usage.units[value] }))}
        />
      }
      summary={
        <>
          <WindowMeters account={account} />
          {data && (
            <p className={`${styles.summary} number`}>
              <span>
                {usage.ranges[unit]}: {sum === 0 ? usage.none : total}
              </span>
              {limit === undefined ? (
                <span>{usage.noHourLimit}</span>
              ) : (
                <span className={line === undefined ? undefined : styles.limit}>
                  {usage.limitLine(format.quantity(limit))}
                </span>
              )}
            </p>
          )}
        </>
      }
      table={{
        label: usage.ranges[unit],
        rows: periods.toReversed(),
        keyOf: ({ beganAt }) => beganAt.getTime(),
        columns: [
          { name: usage.period, cell: longName },
          { name: usage.requests, cell: ({ requests }) => format.quantity(requests), isNumber: true },
          ...(limit === undefined
            ? []
            : [
                {
                  name: usage.share,
                  cell: ({ requests }: Period) => format.percent(requests / limit),
                  isNumber: true,
                },
              ]),
        ],
      }}
    >
      {data ? (
        <Chart
          kind="columns"
          label={usage.chart(usage.ranges[unit], total)}
          points={periods.map(({ requests }, at) => ({ at, value: requests }))}
          range={[0, periods.length]}
          ticks={periods.map((period, at) => ({ at: at + 0.5, text: shortName(period) }))}
          line={line === undefined ? undefined : { value: line, tone: 'danger' }}
          tipOf={(index) => {
            const period = periods[index] as Period;
            return (
              <>
                <span>{longName(period)}</span>
                <span className="number">
                  {usage.requests} {format.quantity(period.requests)}
                </span>
              </>
            );
          }}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={260} />
      )}
    </ChartSection>
  );
}

/** Both windows that limit an account: the current minute and the current day. */
function WindowMeters({ account }: { account: Account }) {
  return (
    <div className={styles.meters}>
      <Meter account={account} unit="minute" />
      <Meter account={account} unit="day" />
    </div>
  );
}

function Meter({ account, unit }: { account: Account; unit: 'minute' | 'day' }) {
  const { usage } = useTexts().access;
  const format = useFormat();
  const { data } = useUsage(account.id, unit, 1);
  const limit = unit === 'minute' ? account.perMinute : account.perDay;
  const used = sumOf(lastPeriods(data, 1));
  const label = unit === 'minute' ? usage.thisMinute : usage.today;
  return (
    <div className={styles.meter}>
      <div className={`${styles.words} number`}>
        <span>{label}</span>
        <span>{data && usage.ofLimit(format.quantity(used), format.quantity(limit))}</span>
      </div>
      <div className={styles.bar} aria-hidden data-full={used >= limit || undefined}>
        {used > 0 && <div className={styles.fill} style={{ width: `${Math.min(used / limit, 1) * 100}%` }} />}
      </div>
    </div>
  );
}

/** How many periods the chart shows, with the current one. */
const SHOWN_PERIODS: Readonly<Record<UsageUnit, number>> = { minute: 60, hour: 48, day: 30 };
const UNIT_MS: Readonly<Record<UsageUnit, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

interface Period {
  readonly beganAt: Date;
  readonly requests: number;
}

/**
 * The last periods of a response, also those without requests, which the service leaves out. A browser whose clock is behind
 * requests more than are shown.
 */
function lastPeriods(usage: AccountUsage | undefined, count: number): readonly Period[] {
  if (!usage) return [];
  const { unit, since, until, periods } = usage;
  const requests = new Map(periods.map((period) => [Date.parse(period.beganAt), period.requests]));
  const sinceMs = Date.parse(since);
  const all = Math.ceil((Date.parse(until) - sinceMs) / UNIT_MS[unit]);
  return Array.from({ length: all }, (_, index) => {
    const beganAtMs = sinceMs + index * UNIT_MS[unit];
    return { beganAt: new Date(beganAtMs), requests: requests.get(beganAtMs) ?? 0 };
  }).slice(-count);
}

function sumOf(periods: readonly Period[]): number {
  return periods.reduce((sum, { requests }) => sum + requests, 0);
}

/** A lower share of the limit could not be seen on an axis up to the limit. */
const VISIBLE_SHARE = 0.2;

/** The limit, if columns against it can be read; else the axis ends with the columns. */
function visibleLimit(periods: readonly Period[], limit: number | undefined): number | undefined {
  if (limit === undefined) return undefined;
  return periods.some(({ requests }) => requests >= limit * VISIBLE_SHARE) ? limit : undefined;
}

/** The limit of a period; an hour has none. */
function limitOf({ perMinute, perDay }: Account, unit: UsageUnit): number | undefined {
  return { minute: perMinute, hour: undefined, day: perDay }[unit];
}

import { SegmentedControl, Skeleton } from '@mantine/core';
import { USAGE_UNITS } from '@petstore-inventory/shared/words';
import { useState } from 'react';
import type { Account, UsageUnit } from '../../../api/schemas.ts';
import { Chart } from '../../../components/chart/chart.tsx';
import { ChartSection } from '../../../components/chart/chart-section.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { useUsage } from '../access-api.ts';
import styles from './usage-panel.module.css';
import { allPeriods, limitOf, type Period, SHOWN_PERIODS, visibleLimit } from './usage-periods.ts';
import { WindowMeters } from './window-meters.tsx';

/** The requests of an account against its limits. */
export function UsagePanel({ account }: { account: Account }) {
  const { usage } = useTexts().access;
  const format = useFormat();
  const [unit, setUnit] = useState<UsageUnit>('day');
  const [isTable, setTable] = useState(false);
  const { data, error, refetch } = useUsage(account.id, unit, SHOWN_PERIODS[unit]);
  const periods = data ? allPeriods(data) : [];
  const limit = limitOf(account, unit);
  const line = visibleLimit(periods, limit);
  const total = usage.total(format.quantity(data?.requests ?? 0));
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
                {usage.ranges[unit]}: {data.requests === 0 ? usage.none : total}
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
